import { useTranslations } from "next-intl";
import type { LegalKey } from "@/server/domains/tenancy/legal-texts/policy";

export function useLegalTextName(): (key: LegalKey) => string {
  const t = useTranslations();
  return (key) => (key === "agreement" ? t("legalTexts.agreement") : t(`consents.${key}.title`));
}
