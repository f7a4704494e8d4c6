"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField, type FormFieldProps } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { useFormat } from "@/components/ui/use-format";
import { plainNumber } from "@/server/core/normalise";
import { formatPhone, isDoubtful, loadPhones, readPhone } from "./phone";

const EXAMPLE = "\u2066+90 532 123 45 67\u2069";

export interface PhoneFieldProps
  extends Pick<FormFieldProps, "label" | "optional">,
    Partial<Pick<FormFieldProps, "name" | "autoComplete">> {
  /** Warns when text messages cannot be sent to the number. */
  receivesTexts?: boolean;
}

/** Formats the number as it is typed. Unreadable input is sent as typed: the server decides. */
export function PhoneField({
  name = "phone",
  label,
  optional,
  autoComplete,
  receivesTexts,
}: PhoneFieldProps) {
  const t = useTranslations("ui.phone");
  const { region } = useFormat();
  const [country, setCountry] = useState<string>();
  const [isIncomplete, setIsIncomplete] = useState(false);
  return (
    <FormField
      {...{ name, label, optional }}
      hint={receivesTexts && isIncomplete ? t("doubtful") : t("hint", { example: EXAMPLE })}
      aside={country ? <span className="text-compact text-fg-muted">{region(country)}</span> : undefined}
    >
      {(control) => {
        const write = (text: string) => {
          control.onChange(text);
          setCountry(readPhone(text).country);
          setIsIncomplete(false);
        };
        return (
          <Input
            name={control.name}
            ref={control.ref}
            value={control.value ?? ""}
            type="tel"
            inputMode="tel"
            autoComplete={autoComplete ?? "tel"}
            dir="ltr"
            onFocus={() => void loadPhones()}
            onChange={({ target }) => {
              // Only at the end: reformatting would move the cursor during a correction.
              const atEnd = target.selectionStart === null || target.selectionStart === target.value.length;
              write(atEnd ? formatPhone(target.value) : target.value);
            }}
            onBlur={async () => {
              const typed = String(control.value ?? "");
              // If the library fails to load, the number stays unformatted.
              await loadPhones().catch(() => undefined);
              const { pretty = plainNumber(typed) } = readPhone(formatPhone(typed));
              if (pretty !== typed) write(pretty);
              setIsIncomplete(isDoubtful(pretty));
              control.onBlur();
            }}
          />
        );
      }}
    </FormField>
  );
}
