"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { useOperationFormContext } from "@/components/form/operation-form";
import { Ltr } from "@/components/ui/bidi";
import { normaliseDomain } from "@/server/core/email-and-domain";

const EXAMPLE_DOMAIN = "example.com";

export function DomainField({ name }: { name: string }) {
  const t = useTranslations("sites.form");
  const { control } = useOperationFormContext();
  const typedDomain = String(useWatch({ control, name }) ?? "").trim();
  const normalisedDomain = typedDomain ? normaliseDomain(typedDomain) : null;
  const isDifferent = normalisedDomain !== null && normalisedDomain !== typedDomain.toLowerCase();
  return (
    <FormField
      name={name}
      label={t("domain")}
      dir="ltr"
      inputMode="url"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={EXAMPLE_DOMAIN}
      hint={
        isDifferent
          ? t.rich(normalisedDomain.includes("xn--") ? "domainPunycode" : "domainSaved", {
              domain: () => <Ltr mono>{normalisedDomain}</Ltr>,
            })
          : t("domainHint")
      }
    />
  );
}
