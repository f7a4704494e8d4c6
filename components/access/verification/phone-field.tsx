"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField, type FormFieldProps } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { useFormat } from "@/components/ui/use-format";
import { normaliseNumber } from "@/server/core/normalise";
import { formatPhone, isIncompletePhone, loadPhoneLibrary, parsePhone } from "./phone";

const EXAMPLE_NUMBER = "\u2066+90 532 123 45 67\u2069";

export interface PhoneFieldProps
  extends Pick<FormFieldProps, "label" | "optional">,
    Partial<Pick<FormFieldProps, "name" | "autoComplete">> {
  /** True when text messages will be sent to the number: warns if it looks incomplete. */
  receivesTexts?: boolean;
}

/** Formats the number as it is typed. Sends unreadable input as typed: the server validates it. */
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
      hint={receivesTexts && isIncomplete ? t("doubtful") : t("hint", { example: EXAMPLE_NUMBER })}
      aside={country ? <span className="text-compact text-fg-muted">{region(country)}</span> : undefined}
    >
      {(control) => {
        const setNumber = (text: string) => {
          control.onChange(text);
          setCountry(parsePhone(text).country);
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
            onFocus={() => void loadPhoneLibrary()}
            onChange={({ target }) => {
              // Only at the end: reformatting would move the cursor during a correction.
              const isCursorAtEnd =
                target.selectionStart === null || target.selectionStart === target.value.length;
              setNumber(isCursorAtEnd ? formatPhone(target.value) : target.value);
            }}
            onBlur={async () => {
              const typed = String(control.value ?? "");
              await loadPhoneLibrary().catch(() => undefined);
              const { formatted = normaliseNumber(typed) } = parsePhone(formatPhone(typed));
              if (formatted !== typed) setNumber(formatted);
              setIsIncomplete(isIncompletePhone(formatted));
              control.onBlur();
            }}
          />
        );
      }}
    </FormField>
  );
}
