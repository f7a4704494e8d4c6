import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { snippetParsers } from "@/components/sites/snippets/list-view";
import { SnippetsPanel } from "@/components/sites/snippets/snippets-panel";
import { panel } from "@/server/transports/trpc/caller";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("snippets");
  return { title: t("title") };
}

const viewOf = createLoader(snippetParsers);

export default async function SnippetsPage({ searchParams }: PageProps<"/snippets">) {
  const [{ api }, view] = await Promise.all([panel(), viewOf(searchParams)]);
  const input = listInput(view);
  const data = await api.snippets.list({ query: input });
  return (
    <ClientMessages namespaces={["snippets", "media"]}>
      <SnippetsPanel first={{ input, data }} />
    </ClientMessages>
  );
}
