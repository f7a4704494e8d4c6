import type { Route } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { CsvLink } from "@/components/api/csv-link";
import { ClientMessages } from "@/components/shell/client-messages";
import { CleanupCounts } from "@/components/sites/connections/cleanup-counts";
import { CleanupReceiptItems } from "@/components/sites/connections/receipt-items";
import { RetryCleanupButton } from "@/components/sites/connections/retry-button";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../../page-title";
import { requireSignIn } from "../../../viewer";

export const generateMetadata = metadataWithTitle("connections.receipt.title");

export default async function CleanupPage({ params }: PageProps<"/connections/cleanups/[id]">) {
  const [t, { user }, { id }] = await Promise.all([getTranslations("connections"), requireSignIn(), params]);
  const receipt = await findReceipt(id);
  if (!receipt) notFound();
  const { cause, asked_by: requester, created_at: createdAt, counts, items } = receipt;
  return (
    <ClientMessages namespaces={["connections"]}>
      <PageHeader
        title={t("receipt.title")}
        description={
          <>
            <Time value={createdAt} show="dateTime" />
            <span>{` · ${t(cause === "asked" ? "receipt.asked" : "receipt.siteDeleted")}`}</span>
            {requester ? (
              <span>
                {" · "}
                <bdi>{requester.name}</bdi>
              </span>
            ) : null}
          </>
        }
        actions={
          <>
            <CsvLink href={`/api/connection-cleanups/${id}/csv` as Route}>{t("receipt.csv")}</CsvLink>
            {counts.failed > 0 && requester?.id === user.id ? <RetryCleanupButton id={id} /> : null}
          </>
        }
      />
      <p className="mb-4 text-fg-muted text-sm">
        <CleanupCounts counts={counts} />
      </p>
      <CleanupReceiptItems items={items} />
    </ClientMessages>
  );
}

async function findReceipt(id: string) {
  const { api } = await getPanelCaller();
  try {
    return (await api.connections.getReceipt({ params: { id } })).receipt;
  } catch (error) {
    const { cause } = error as Error;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) return undefined;
    throw error;
  }
}
