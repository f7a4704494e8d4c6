import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { LicenceList } from "@/components/billing/subscriptions/licences-table";
import { licenceParsers } from "@/components/billing/subscriptions/list-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("billing.licences");
  return { title: t("title") };
}

const viewOf = createLoader(licenceParsers);

/** For resellers: the licences they pay for, those that are due first. */
export default async function LicencesPage({ searchParams }: PageProps<"/reseller/licences">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("billing.licences"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "reseller") notFound();
  const input = listInput(view);
  const data = await api.subscriptions.licences({ query: input });
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billing"]}>
        <LicenceList first={{ input, data }} bank={data.bank} />
      </ClientMessages>
    </>
  );
}
