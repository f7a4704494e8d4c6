import type { ReactNode } from "react";
import { FormField } from "@/components/form/form-field";

/** Token, key or password of a connection, which password managers must not offer to save. */
export function SecretField({ name, label, hint }: { name: string; label: ReactNode; hint: ReactNode }) {
  return (
    <FormField
      name={name}
      as="password"
      label={label}
      hint={hint}
      autoComplete="new-password"
      data-1p-ignore
      data-lpignore="true"
      dir="ltr"
    />
  );
}
