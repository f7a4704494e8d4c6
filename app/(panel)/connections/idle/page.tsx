import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { CleanupCounts } from "@/components/sites/connections/cleanup-counts";
import { getCleanupPath } from "@/components/sites/connections/cleanup-path";
import { IdleConnectionsPanel } from "@/components/sites/connections/idle-panel";
import { AppLink } from "@/components/ui/app-link";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("connections.idle.title");

export default async function IdleConnectionsPage() {
  const [t, , { api }] = await Promise.all([
    getTranslations("connections"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  const [idle, { receipts }] = await Promise.all([
    api.connections.listIdle({ query: {} }),
    api.connections.listReceipts(),
  ]);
  return (
    <ClientMessages namespaces={["connections"]}>
      <PageHeader title={t("idle.title")} description={t("idle.text")} />
      <div className="flex flex-col gap-6">
        <IdleConnectionsPanel initialData={idle} />
        {receipts.length > 0 ? (
          <Card title={t("receipts.title")}>
            <ul className="flex flex-col gap-3 text-sm">
              {receipts.map(({ id, created_at: createdAt, counts }) => (
                <li key={id} className="flex flex-wrap gap-x-4 gap-y-1">
                  <AppLink
                    href={getCleanupPath(id)}
                    className="rounded-control text-primary-text underline underline-offset-4"
                  >
                    <Time value={createdAt} show="dateTime" />
                  </AppLink>
                  <span className="text-fg-muted">
                    <CleanupCounts counts={counts} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
      </div>
    </ClientMessages>
  );
}
