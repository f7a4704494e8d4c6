import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { EventType } from "@/components/platform/webhooks/types";
import { VerifyCards } from "@/components/platform/webhooks/verify-card";
import { WebhooksPanel } from "@/components/platform/webhooks/webhooks-panel";
import { ClientMessages } from "@/components/shell/client-messages";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { LinkButton } from "@/components/ui/link-button";
import { env } from "@/server/core/env";
import { SUBSCRIBABLE } from "@/server/domains/accounts/webhook-events/contract";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("title") };
}

export default async function WebhooksPage() {
  const [t, { viewer }, { api }] = await Promise.all([getTranslations("webhooks"), signedIn(), panel()]);
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
  const initial = await api.webhooks.list();
  const { production, APP_URL } = env();
  return (
    <ClientMessages namespaces={["webhooks"]}>
      <WebhooksPanel
        initial={initial}
        types={SUBSCRIBABLE as EventType[]}
        sandbox={production ? undefined : `${APP_URL}/dev/sandbox/webhook/receiver`}
      >
        <VerifyCards />
      </WebhooksPanel>
    </ClientMessages>
  );
}
