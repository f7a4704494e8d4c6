"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { useOperationFormContext } from "@/components/form/operation-form";
import { Ltr } from "@/components/ui/bidi";
import { domainName } from "@/server/core/schema";

const EXAMPLE = "example.com";

/** The domain; shows the spelling it will be saved in when that differs from the typed one. */
export function DomainField({ name }: { name: string }) {
  const t = useTranslations("sites.form");
  const { control } = useOperationFormContext();
  const typed = String(useWatch({ control, name }) ?? "").trim();
  const saved = typed ? domainName.safeParse(typed) : undefined;
  const differs = saved?.success && saved.data !== typed.toLowerCase();
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
          ? t.rich(saved.data.includes("xn--") ? "domainPunycode" : "domainSaved", {
              domain: () => <Ltr mono>{saved.data}</Ltr>,
            })
          : t("domainHint")
      }
    />
  );
}
