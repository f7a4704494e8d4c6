"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { useOperationFormContext } from "@/components/form/operation-form";
import { Ltr } from "@/components/ui/bidi";
import { normaliseDomain } from "@/server/core/spelling";

const EXAMPLE = "example.com";

export function DomainField({ name }: { name: string }) {
  const t = useTranslations("sites.form");
  const { control } = useOperationFormContext();
  const typed = String(useWatch({ control, name }) ?? "").trim();
  const saved = typed ? normaliseDomain(typed) : null;
  const differs = saved !== null && saved !== typed.toLowerCase();
  return (
    <FormField
      name={name}
      label={t("domain")}
      dir="ltr"
      inputMode="url"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder={EXAMPLE}
      hint={
        differs
          ? t.rich(saved.includes("xn--") ? "domainPunycode" : "domainSaved", {
              domain: () => <Ltr mono>{saved}</Ltr>,
            })
          : t("domainHint")
      }
    />
  );
}
