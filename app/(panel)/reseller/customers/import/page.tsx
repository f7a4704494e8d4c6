import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { ImportPanel } from "@/components/tenancy/customer-imports/import-panel";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../../page-title";
import { requireSignIn } from "../../../viewer";
import { renderAgreementGate } from "../../agreement-gate";

export const generateMetadata = metadataWithTitle("customerImport.title");

/** For resellers. `?id=` opens an earlier import. */
export default async function ImportPage({ searchParams }: PageProps<"/reseller/customers/import">) {
  const [t, { viewer }, { api }, { id }] = await Promise.all([
    getTranslations("customerImport"),
    requireSignIn(),
    getPanelCaller(),
    searchParams,
  ]);
  if (viewer !== "reseller") notFound();
  const gate = await renderAgreementGate();
  const response =
    gate || typeof id !== "string"
      ? undefined
      : await api.customerImports.get({ params: { id } }).catch((error: unknown) => {
          const cause = (error as Error).cause;
          if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) return undefined;
          throw error;
        });
  return (
    <ClientMessages namespaces={["customerImport"]}>
      <PageHeader title={t("title")} description={t("text")} />
      {gate ?? (
        <div className="max-w-4xl">
          <ImportPanel initialImport={response?.import} />
        </div>
      )}
    </ClientMessages>
  );
}
