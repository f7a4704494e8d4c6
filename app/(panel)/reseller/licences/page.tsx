import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LicencesTable } from "@/components/billing/subscriptions/licences-table";
import { ClientMessages } from "@/components/shell/client-messages";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("billing.licences");
  return { title: t("title") };
}

/** For resellers: the licences they pay for, those that are due first. */
export default async function LicencesPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("billing.licences"),
    signedIn(),
    panel(),
  ]);
  if (viewer !== "reseller") notFound();
  const { licences, bank } = await api.subscriptions.overview();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billing"]}>
        <Card flush>
          <LicencesTable customers licences={licences} bank={bank} />
        </Card>
      </ClientMessages>
    </>
  );
}
