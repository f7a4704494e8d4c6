import { useTranslations } from "next-intl";

/** The texts around a list of records. */
export function useListWords(of: "subscriptions" | "payments" | "licences") {
  const t = useTranslations("billingAdmin");
  return {
    caption: t(`${of}.title`),
    search: t(`${of}.search`),
    found: (count: number) => t(`${of}.found`, { count }),
    nothing: t("nothing"),
    noMatch: t("noMatch"),
    noMatchText: t("noMatchText"),
    clear: t("clear"),
  };
}
