"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField, type FormFieldProps } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { useFormat } from "@/components/ui/use-format";
import { plainNumber } from "@/server/core/normalise";
import { formatPhone, isDoubtful, loadPhones, readPhone } from "./phone";

/** Kept left to right inside a sentence of any direction. */
const EXAMPLE = "\u2066+90 532 123 45 67\u2069";

export interface PhoneFieldProps
  extends Pick<FormFieldProps, "label" | "optional">,
    Partial<Pick<FormFieldProps, "name" | "autoComplete">> {
  /** Warns about a number that cannot receive text messages. */
  receivesTexts?: boolean;
}

/**
 * A phone number, formatted internationally as it is typed or pasted; its country is shown next to the label. What cannot be
 * read as a number is sent as it is: the server decides.
 */
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
  const [doubtful, setDoubtful] = useState(false);
  return (
    <FormField
      {...{ name, label, optional }}
      hint={receivesTexts && doubtful ? t("doubtful") : t("hint", { example: EXAMPLE })}
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
            value={control.value ?? ""}
            type="tel"
            inputMode="tel"
            autoComplete={autoComplete ?? "tel"}
            dir="ltr"
            onFocus={() => void loadPhones()}
            onChange={({ target }) => {
              // Only at the end: reformatting must not move the cursor during a correction in the middle.
              const atEnd = target.selectionStart === null || target.selectionStart === target.value.length;
              write(atEnd ? formatPhone(target.value) : target.value);
            }}
            onBlur={async () => {
              const typed = String(control.value ?? "");
              // Without the library, the number is not formatted.
              await loadPhones().catch(() => undefined);
              const { pretty = plainNumber(typed) } = readPhone(formatPhone(typed));
              if (pretty !== typed) write(pretty);
              setDoubtful(isDoubtful(pretty));
              control.onBlur();
            }}
          />
        );
      }}
    </FormField>
  );
}
