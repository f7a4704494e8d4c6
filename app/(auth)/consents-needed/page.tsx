import type { Route } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ConsentsNeeded } from "@/components/accounts/consents/consents-needed";
import { localPath } from "@/components/api/local-path";
import { PageHeader } from "@/components/ui/page-header";
import { currentUser, panel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = pageTitle("auth.consentsNeeded.title");

/** Shown before the panel while consents are missing or outdated; redirects everyone else. */
export default async function ConsentsNeededPage({ searchParams }: PageProps<"/consents-needed">) {
  const next = firstValue((await searchParams).next);
  if (!(await currentUser())) redirect("/sign-in");
  const { api } = await panel();
  const { missing_consents: missing, changed_consents: changed, consents } = await api.consents.get();
  const asked = [...missing, ...changed];
  if (asked.length === 0) redirect(localPath(next) as Route);
  const unasked = consents.filter(({ mandatory, granted }) => !mandatory && granted === null);
  const t = await getTranslations("auth.consentsNeeded");
  return (
    <AuthFrame namespaces={["consents"]}>
      {missing.length > 0 ? (
        <PageHeader title={t("title")} description={t("text")} />
      ) : (
        <PageHeader title={t("changedTitle")} description={t("changedText")} />
      )}
      <ConsentsNeeded mandatory={asked} optional={unasked.map(({ key }) => key)} next={next} />
    </AuthFrame>
  );
}
