"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { useFormat } from "@/components/ui/use-format";
import { formatPhone, isDoubtful, loadPhones, readPhone } from "./phone";

/** Kept left to right inside a sentence of any direction. */
const EXAMPLE = "\u2066+90 532 123 45 67\u2069";

/** A phone number, formatted internationally as it is typed; its country is shown next to the label. */
export function PhoneField() {
  const t = useTranslations("auth.signUp");
  const { region } = useFormat();
  const [country, setCountry] = useState<string>();
  const [doubtful, setDoubtful] = useState(false);
  return (
    <FormField
      name="phone"
      label={t("phone")}
      hint={doubtful ? t("phoneDoubtful") : t("phoneHint", { example: EXAMPLE })}
      aside={country ? <span className="text-compact text-fg-muted">{region(country)}</span> : undefined}
    >
      {(control) => {
        const write = (text: string) => {
          control.onChange(text);
          setCountry(readPhone(text).country);
          setDoubtful(false);
        };
        return (
          <Input
            name={control.name}
            ref={control.ref}
            value={control.value}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            dir="ltr"
            onFocus={() => void loadPhones()}
            onChange={({ target }) => {
              // Only at the end: reformatting must not move the cursor during a correction in the middle.
              const atEnd = target.selectionStart === null || target.selectionStart === target.value.length;
              write(atEnd ? formatPhone(target.value) : target.value);
            }}
            onBlur={async () => {
              await loadPhones();
              const typed = String(control.value ?? "");
              const { pretty } = readPhone(formatPhone(typed));
              if (pretty && pretty !== typed) write(pretty);
              setDoubtful(isDoubtful(pretty ?? typed));
              control.onBlur();
            }}
          />
        );
      }}
    </FormField>
  );
}
