import { useTranslations } from "next-intl";
import type { LegalTextKey } from "@/server/domains/tenancy/legal-texts/policy";

export function useLegalTextName(): (key: LegalTextKey) => string {
  const t = useTranslations();
  return (key) => (key === "agreement" ? t("legalTexts.agreement") : t(`consents.${key}.title`));
}
