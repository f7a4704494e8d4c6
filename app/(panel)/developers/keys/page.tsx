import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { KeysPanel } from "@/components/access/tokens/keys-panel";
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

export default async function KeysPage() {
  const [t, { viewer }, { api }] = await Promise.all([getTranslations("keys"), signedIn(), panel()]);
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
  return (
    <ClientMessages namespaces={["keys", "identity", "auth"]}>
      <KeysPanel initial={await api.tokens.listKeys()} origin={env().APP_URL} />
    </ClientMessages>
  );
}
