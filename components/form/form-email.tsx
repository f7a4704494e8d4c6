import { FormField, type FormFieldProps } from "./form-field";

/**
 * An e-mail address in an `OperationForm`. A text for the browser: `type="email"` drops invisible characters and rewrites domains,
 * so that the server would not see what was typed.
 */
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
