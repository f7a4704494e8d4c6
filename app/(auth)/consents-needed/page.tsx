import type { Route } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ConsentsNeeded } from "@/components/accounts/consents/consents-needed";
import { toLocalPath } from "@/components/api/local-path";
import { PageHeader } from "@/components/ui/page-header";
import { getCurrentUser, getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.consentsNeeded.title");

/** Shown before the panel while consents are missing or outdated; redirects everyone else. */
export default async function ConsentsNeededPage({ searchParams }: PageProps<"/consents-needed">) {
  const next = firstValue((await searchParams).next);
  if (!(await getCurrentUser())) redirect("/sign-in");
  const { api } = await getPanelCaller();
  const {
    missing_consents: missingConsents,
    changed_consents: changedConsents,
    consents,
  } = await api.consents.get();
  const mandatoryConsents = [...missingConsents, ...changedConsents];
  if (mandatoryConsents.length === 0) redirect(toLocalPath(next) as Route);
  const optionalConsents = consents.filter(({ mandatory, granted }) => !mandatory && granted === null);
  const t = await getTranslations("auth.consentsNeeded");
  return (
    <AuthFrame namespaces={["consents"]}>
      {missingConsents.length > 0 ? (
        <PageHeader title={t("title")} description={t("text")} />
      ) : (
        <PageHeader title={t("changedTitle")} description={t("changedText")} />
      )}
      <ConsentsNeeded
        mandatory={mandatoryConsents}
        optional={optionalConsents.map(({ key }) => key)}
        next={next}
      />
    </AuthFrame>
  );
}
