import { Lock } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/ui/empty-state";
import { metadataWithTitle } from "../../page-title";
import { requireSignIn } from "../viewer";

export const generateMetadata = metadataWithTitle("viewAs.closed.title");

export default async function VisitClosedPage() {
  const [t] = await Promise.all([getTranslations("viewAs.closed"), requireSignIn()]);
  return (
    <EmptyState icon={<Lock />} title={t("title")} heading="h1">
      {t("text")}
    </EmptyState>
  );
}
