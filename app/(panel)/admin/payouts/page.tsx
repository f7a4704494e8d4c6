import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { payoutParsers } from "@/components/billing/payouts/list-view";
import { PayoutsTable } from "@/components/billing/payouts/payouts-table";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { dayOf } from "@/server/core/calendar";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payouts");
  return { title: t("title") };
}

const viewOf = createLoader(payoutParsers);

/** For administrators. */
export default async function PayoutsPage({ searchParams }: PageProps<"/admin/payouts">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("payouts"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const data = await api.payouts.list({ query: input });
  const first = new Date(`${dayOf(new Date()).slice(0, 8)}01T00:00:00Z`);
  const lastMonth = new Date(first.getTime() - 1).toISOString().slice(0, 10);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["payouts", "identity", "auth"]}>
        <PayoutsTable first={{ input, data }} lastMonth={lastMonth} />
      </ClientMessages>
    </>
  );
}
