import type { Metadata } from "next";
import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { mediaParsers } from "@/components/sites/media/list-view";
import { MediaLibrary } from "@/components/sites/media/media-library";
import { panel } from "@/server/transports/trpc/caller";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("media");
  return { title: t("title") };
}

const viewOf = createLoader(mediaParsers);

export default async function MediaPage({ searchParams }: PageProps<"/media">) {
  const [{ api }, view, jar] = await Promise.all([panel(), viewOf(searchParams), cookies()]);
  const input = listInput(view);
  const data = await api.media.list({ query: input });
  return (
    <ClientMessages namespaces={["media"]}>
      <MediaLibrary first={{ input, data }} look={jar.get("media")?.value === "list" ? "list" : "grid"} />
    </ClientMessages>
  );
}
