import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { InvoicesTable } from "@/components/billing/accounting/invoices-table";
import { Standing } from "@/components/billing/accounting/standing";
import { documentParsers } from "@/components/billing/records/list-views";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("accounting");
  return { title: t("title") };
}

const viewOf = createLoader(documentParsers);

/** For administrators: the invoices of payments, and whether they are being made. */
export default async function AccountingPage({ searchParams }: PageProps<"/admin/accounting">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("accounting"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const data = await api.accounting.list({ query: input });
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["accounting", "billingAdmin", "savedViews"]}>
        <Standing first={data.accounting} />
        <InvoicesTable first={{ input, data }} />
      </ClientMessages>
    </>
  );
}
