import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { KeysPanel } from "@/components/access/tokens/keys-panel";
import { keyParsers } from "@/components/access/tokens/list-view";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { LinkButton } from "@/components/ui/link-button";
import { env } from "@/server/core/env";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("keys");
  return { title: t("title") };
}

const viewOf = createLoader(keyParsers);

export default async function KeysPage({ searchParams }: PageProps<"/developers/keys">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("keys"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer === "agent") {
    return (
      <ForbiddenState
        heading="h1"
        title={t("forbidden.title")}
        action={<LinkButton href="/developers/docs">{t("forbidden.docs")}</LinkButton>}
      >
        {t("forbidden.text")}
      </ForbiddenState>
    );
  }
  const input = listInput(view);
  const data = await api.tokens.listKeys({ query: { page: input.page } });
  return (
    <ClientMessages namespaces={["keys", "keyUse", "identity", "auth"]}>
      <KeysPanel first={{ input, data }} origin={env().APP_URL} />
    </ClientMessages>
  );
}
