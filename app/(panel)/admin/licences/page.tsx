import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { LicencesTable } from "@/components/billing/records/licences-table";
import { licenceParsers } from "@/components/billing/records/list-views";
import { ClientMessages } from "@/components/shell/client-messages";

import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("billingAdmin");
  return { title: t("licences.title") };
}

const viewOf = createLoader(licenceParsers);

/** For administrators. */
export default async function LicencesPage({ searchParams }: PageProps<"/admin/licences">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("billingAdmin"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const data = await api.records.listLicences({ query: input });
  return (
    <>
      <PageHeader title={t("licences.title")} description={t("licences.text")} />
      <ClientMessages namespaces={["billingAdmin", "savedViews", "identity", "auth"]}>
        <LicencesTable first={{ input, data }} />
      </ClientMessages>
    </>
  );
}
