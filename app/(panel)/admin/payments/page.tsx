import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { paymentParsers } from "@/components/billing/records/list-views";
import { PaymentsTable } from "@/components/billing/records/payments-table";
import { ClientMessages } from "@/components/shell/client-messages";

import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("billingAdmin");
  return { title: t("payments.title") };
}

const viewOf = createLoader(paymentParsers);

/** For administrators. */
export default async function PaymentsPage({ searchParams }: PageProps<"/admin/payments">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("billingAdmin"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const data = await api.records.listPayments({ query: input });
  return (
    <>
      <PageHeader title={t("payments.title")} description={t("payments.text")} />
      <ClientMessages namespaces={["billingAdmin", "savedViews", "identity", "auth"]}>
        <PaymentsTable first={{ input, data }} />
      </ClientMessages>
    </>
  );
}
