import type { Route } from "next";
import { useTranslations } from "next-intl";
import { TextLink } from "@/components/ui/text-link";

export function CheckoutTerms() {
  const t = useTranslations("billing.checkout");
  return (
    <p className="text-pretty text-fg-muted text-sm">
      {t.rich("terms", {
        terms: (text) => (
          <TextLink href={"/legal/terms" as Route} target="_blank">
            {text}
          </TextLink>
        ),
      })}
    </p>
  );
}
