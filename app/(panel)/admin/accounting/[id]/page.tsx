import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { InvoiceView } from "@/components/billing/accounting/invoice-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../../../viewer";

const findInvoice = cache(async (id: string) => {
  const { api } = await getPanelCaller();
  try {
    return (await api.accounting.get({ params: { id } })).document;
  } catch (error) {
    const { cause } = error as Error;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) return undefined;
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<"/admin/accounting/[id]">): Promise<Metadata> {
  const t = await getTranslations("accounting");
  await requireSignIn();
  const invoice = await findInvoice((await params).id);
  return { title: invoice ? t("details.title", { name: invoice.user.name }) : t("title") };
}

export default async function InvoicePage({ params }: PageProps<"/admin/accounting/[id]">) {
  const [t, , { id }] = await Promise.all([getTranslations("accounting"), requireSignIn(), params]);
  const invoice = await findInvoice(id);
  if (!invoice) notFound();
  return (
    <ClientMessages namespaces={["accounting", "billingAdmin", "billing"]}>
      <PageHeader
        title={t("details.title", { name: invoice.user.name })}
        actions={<LinkButton href="/admin/accounting">{t("details.back")}</LinkButton>}
      />
      <InvoiceView initial={invoice} />
    </ClientMessages>
  );
}
