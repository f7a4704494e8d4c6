"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useFormContext, useFormState, useWatch } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { Ltr } from "@/components/ui/bidi";
import { NativeSelect } from "@/components/ui/native-select";
import { getZoneOptions, useBrowserZone } from "@/components/ui/use-browser-zone";
import { ResellerPicker } from "./reseller-picker";

export function OptionalFields() {
  const t = useTranslations("auth.signUp");
  const browserZone = useBrowserZone();
  const [open, setOpen] = useState(false);
  const [chosenZone, referralCode] = useWatch({ name: ["timezone", "referral_code"] }) as (string | null)[];
  const { errors } = useFormState({ name: "referral_code" });
  const { setFocus, setValue } = useFormContext();

  const hasError = Boolean(errors.referral_code);
  useEffect(() => {
    if (!hasError) return;
    setOpen(true);
    const timer = window.setTimeout(() => setFocus("referral_code"), 0);
    return () => window.clearTimeout(timer);
  }, [hasError, setFocus]);

  const summary = [chosenZone || browserZone, referralCode].filter(Boolean).join(" · ");
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group rounded-card border border-border bg-surface"
    >
      <summary className="flex min-h-11 list-none items-center gap-3 rounded-card px-4 py-2.5 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span className="block font-medium text-sm">{t("details")}</span>
          <span className="wrap-anywhere block min-h-5 text-compact text-fg-muted">
            <Ltr>{summary}</Ltr>
          </span>
        </span>
        <ChevronDown className="text-fg-muted transition-transform duration-120 group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-5 border-border border-t p-4">
        <FormField name="timezone" label={t("timezone")} hint={t("timezoneHint")}>
          {(control) => (
            <NativeSelect
              ref={control.ref}
              name={control.name}
              options={open ? getZoneOptions(browserZone) : []}
              value={control.value || browserZone}
              onValueChange={control.onChange}
              onBlur={control.onBlur}
            />
          )}
        </FormField>
        <ResellerPicker
          onChoose={(chosenCode) => setValue("referral_code", chosenCode, { shouldDirty: true })}
        />
        <FormField
          name="referral_code"
          label={t("referralCode")}
          hint={t("referralHint")}
          optional
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
        />
      </div>
    </details>
  );
}
