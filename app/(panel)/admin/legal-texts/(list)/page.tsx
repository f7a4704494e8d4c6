import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LegalTextsList } from "@/components/tenancy/legal-texts/legal-texts-list";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../../page-title";
import { requireSignIn } from "../../../viewer";

export const generateMetadata = metadataWithTitle("legalTexts.title");

export default async function LegalTextsPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("legalTexts"),
    requireSignIn(),
    getPanelCaller(),
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
