import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { KeysPanel } from "@/components/access/tokens/keys-panel";
import { keyParsers } from "@/components/access/tokens/list-view";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { env } from "@/server/core/env";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";
import { DevelopersClosed } from "../closed";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("keys");
  return { title: t("title") };
}

const viewOf = createLoader(keyParsers);

export default async function KeysPage({ searchParams }: PageProps<"/developers/keys">) {
  const [{ viewer }, { api }, view] = await Promise.all([signedIn(), panel(), viewOf(searchParams)]);
  if (viewer === "agent") return <DevelopersClosed words="keys" />;
  const input = listInput(view);
  const data = await api.tokens.listKeys({ query: { page: input.page } });
  return (
    <ClientMessages namespaces={["keys", "keyUse", "identity", "auth"]}>
      <KeysPanel first={{ input, data }} origin={env().APP_URL} />
    </ClientMessages>
  );
}
