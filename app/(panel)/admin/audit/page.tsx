import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { AuditTable } from "@/components/platform/audit-log/audit-table";
import { ChainCard } from "@/components/platform/audit-log/chain-card";
import { auditParsers } from "@/components/platform/audit-log/list-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auditLog");
  return { title: t("title") };
}

const viewOf = createLoader(auditParsers);

/** For administrators: who did what. */
export default async function AuditPage({ searchParams }: PageProps<"/admin/audit">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("auditLog"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const [chain, data] = await Promise.all([api.auditLog.chain(), api.auditLog.listEntries({ query: input })]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["auditLog", "savedViews"]}>
        <ChainCard initial={chain} />
        <AuditTable first={{ input, data }} />
      </ClientMessages>
    </>
  );
}
