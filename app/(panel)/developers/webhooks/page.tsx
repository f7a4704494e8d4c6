import type { EventType } from "@/components/accounts/webhooks/types";
import { VerifyCards } from "@/components/accounts/webhooks/verify-card";
import { WebhooksPanel } from "@/components/accounts/webhooks/webhooks-panel";
import { ClientMessages } from "@/components/shell/client-messages";
import { env } from "@/server/core/env";
import { SUBSCRIBABLE } from "@/server/domains/accounts/webhooks/contract";
import { panel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../../page-title";
import { signedIn } from "../../viewer";
import { DevelopersClosed } from "../closed";

export const generateMetadata = pageTitle("webhooks.title");

export default async function WebhooksPage() {
  const [{ viewer }, { api }] = await Promise.all([signedIn(), panel()]);
  if (viewer === "agent") return <DevelopersClosed words="webhooks" />;
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
