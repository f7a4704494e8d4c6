"use client";

import { useEffect } from "react";
import { useFormContext, useFormState } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { normaliseCode } from "@/server/core/normalise";

const CODE_LENGTH = 6;

interface CodeFieldProps {
  label: string;
  /** False where another field comes first, or where the code confirms something irreversible. */
  isOnlyField?: boolean;
  focusOnMount?: boolean;
}

/** Takes the focus and submits the form with the last digit. Accepts digits of any script. */
export function CodeField({ label, isOnlyField = true, focusOnMount = isOnlyField }: CodeFieldProps) {
  const { setFocus } = useFormContext();
  const refusal = useFormState({ name: "code" }).errors.code;
  useEffect(() => {
    if (focusOnMount) setFocus("code");
  }, [focusOnMount, setFocus]);
  // The next code is typed over the refused one.
  useEffect(() => {
    const hasFocus = document.activeElement?.getAttribute("name") === "code";
    if (refusal?.type === "server" && hasFocus) setFocus("code", { shouldSelect: true });
  }, [refusal, setFocus]);
  return (
    <FormField name="code" label={label}>
      {(control) => (
        <div dir="ltr" className="font-mono tracking-[0.3em]">
          <Input
            name={control.name}
            ref={control.ref}
            value={control.value}
            onBlur={control.onBlur}
            onChange={({ target: { value, form } }) => {
              const code = keepDigits(value);
              control.onChange(code);
              if (isOnlyField && code.length === CODE_LENGTH && code !== control.value) form?.requestSubmit();
            }}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            dir="ltr"
          />
        </div>
      )}
    </FormField>
  );
}

const keepDigits = (typed: string) => normaliseCode(typed).replace(/\D/g, "").slice(0, CODE_LENGTH);
