import type { EventType } from "@/components/accounts/webhooks/types";
import { VerifyCards } from "@/components/accounts/webhooks/verify-cards";
import { WebhooksPanel } from "@/components/accounts/webhooks/webhooks-panel";
import { ClientMessages } from "@/components/shell/client-messages";
import { env } from "@/server/core/env";
import { SUBSCRIBABLE_EVENTS } from "@/server/domains/accounts/webhooks/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { DevelopersForbidden } from "../developers-forbidden";

export const generateMetadata = metadataWithTitle("webhooks.title");

export default async function WebhooksPage() {
  const [{ viewer }, { api }] = await Promise.all([requireSignIn(), getPanelCaller()]);
  if (viewer === "agent") return <DevelopersForbidden namespace="webhooks" />;
  const initial = await api.webhooks.list();
  const { production, APP_URL } = env();
  return (
    <ClientMessages namespaces={["webhooks"]}>
      <WebhooksPanel
        initial={initial}
        eventTypes={SUBSCRIBABLE_EVENTS as EventType[]}
        sandboxUrl={production ? undefined : `${APP_URL}/dev/sandbox/webhook/receiver`}
      >
        <VerifyCards />
      </WebhooksPanel>
    </ClientMessages>
  );
}
