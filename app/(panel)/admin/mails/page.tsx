import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { mailParsers } from "@/components/platform/mail-log/list-view";
import { MailsTable } from "@/components/platform/mail-log/mails-table";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("mailLog");
  return { title: t("title") };
}

const viewOf = createLoader(mailParsers);

/** For administrators: which mails went out, and which did not. */
export default async function MailsPage({ searchParams }: PageProps<"/admin/mails">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("mailLog"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["mailLog", "savedViews"]}>
        <MailsTable first={{ input, data: await api.mailLog.list({ query: input }) }} />
      </ClientMessages>
    </>
  );
}
