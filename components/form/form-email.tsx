import { FormField, type FormFieldProps } from "./form-field";

/** Do not use `type="email"`: browsers then drop invisible characters and rewrite domains. */
export function FormEmail(
  props: Pick<FormFieldProps, "name" | "label" | "hint" | "optional" | "autoComplete">,
) {
  return (
    <FormField
      {...props}
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      dir="ltr"
    />
  );
}
