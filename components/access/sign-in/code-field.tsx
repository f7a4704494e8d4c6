"use client";

import { FormField } from "@/components/form/form-field";
import { Input } from "@/components/ui/input";

const LENGTH = 6;

/** A field for a six-digit code: accepts pasted spaces, one-time-code autofill and digits of any script. */
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
            onChange={(event) => control.onChange(digits(event.target.value))}
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

/** Returns the digits of typed or pasted text: without spaces and dashes, full-width and Arabic digits converted. */
function digits(typed: string): string {
  return typed
    .normalize("NFKC")
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/\D/g, "")
    .slice(0, LENGTH);
}
