import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LegalTextsList } from "@/components/tenancy/legal-texts/legal-texts-list";
import { PageHeader } from "@/components/ui/page-header";
import { getPanel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../../../page-title";
import { requireSignIn } from "../../../viewer";

export const generateMetadata = pageTitle("legalTexts.title");

export default async function LegalTextsPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("legalTexts"),
    requireSignIn(),
    getPanel(),
  ]);
  if (viewer !== "admin") notFound();
  const { texts } = await api.legalTexts.list();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <LegalTextsList texts={texts} />
    </>
  );
}
