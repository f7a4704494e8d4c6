"use client";

import { FormField } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";
import { normaliseCode } from "@/server/core/normalise";

const CODE_LENGTH = 6;

/** Accepts one-time-code autofill, pasted text and digits of any script. */
export function CodeField({ label }: { label: string }) {
  return (
    <FormField name="code" label={label}>
      {(control) => (
        <div dir="ltr" className="font-mono tracking-[0.3em]">
          <Input
            name={control.name}
            ref={control.ref}
            value={control.value}
            onBlur={control.onBlur}
            onChange={(event) => control.onChange(keepDigits(event.target.value))}
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
