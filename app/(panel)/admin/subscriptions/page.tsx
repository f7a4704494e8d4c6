import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { subscriptionParsers } from "@/components/billing/records/list-views";
import { SubscriptionsTable } from "@/components/billing/records/subscriptions-table";
import { ClientMessages } from "@/components/shell/client-messages";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("billingAdmin");
  return { title: t("subscriptions.title") };
}

const viewOf = createLoader(subscriptionParsers);

/** For administrators. */
export default async function SubscriptionsPage({ searchParams }: PageProps<"/admin/subscriptions">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("billingAdmin"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const data = await api.records.listSubscriptions({ query: input });
  return (
    <>
      <PageHeader
        title={t("subscriptions.title")}
        description={t("subscriptions.text")}
        actions={
          <LinkButton data-create variant="primary" href="/admin/subscriptions/activate">
            {t("subscriptions.new")}
          </LinkButton>
        }
      />
      <ClientMessages namespaces={["billingAdmin", "savedViews"]}>
        <SubscriptionsTable first={{ input, data }} />
      </ClientMessages>
    </>
  );
}
