"use client";

import { type ReactNode, type Ref, useEffect } from "react";
import { useController } from "react-hook-form";
import { Field, type FieldProps } from "@/components/ui/field";
import { Input, type InputProps } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { Textarea } from "@/components/ui/textarea";
import { useOperationFormContext } from "./operation-form";

interface FieldControl<V = never> {
  name: string;
  value: V;
  onChange: (value: unknown) => void;
  onBlur: () => void;
  ref: Ref<never>;
}

/** Binds a control to a field of the surrounding form and registers that the field is on the page. */
export function useFormControl(name: string) {
  const { control, fieldNames } = useOperationFormContext();
  const { field, fieldState, formState } = useController({ name, control });
  useEffect(() => {
    fieldNames.add(name);
    return () => {
      fieldNames.delete(name);
    };
  }, [name, fieldNames]);
  // An error that appears as the user leaves an unchanged field would move the button under the pointer.
  const onBlur = fieldState.isDirty || formState.isSubmitted ? field.onBlur : () => {};
  return { field: { ...field, onBlur }, error: fieldState.error?.message };
}

export interface FormFieldProps
  extends Omit<FieldProps, "error" | "counter" | "children">,
    Omit<
      InputProps,
      "name" | "value" | "defaultValue" | "onChange" | "onBlur" | "ref" | "disabled" | "children"
    > {
  name: string;
  as?: "input" | "password" | "textarea";
  rows?: number;
  /** Maximum length in code points; shows a counter. */
  max?: number;
  /** Renders another control: `{({ value, onChange }) => <Select {...} />}`. */
  // biome-ignore lint/suspicious/noExplicitAny: the control decides the type of the value
  children?: (control: FieldControl<any>) => ReactNode;
}

export function FormField(props: FormFieldProps) {
  const {
    name,
    label,
    hint,
    optional,
    disabled,
    aside,
    group,
    hideLabel,
    as = "input",
    rows,
    max,
    children,
    ...inputProps
  } = props;
  const { field, error } = useFormControl(name);
  const value = field.value ?? "";
  const controlProps = { name, value, onBlur: field.onBlur, ref: field.ref, onChange: field.onChange };
  return (
    <Field
      {...{ label, hint, optional, disabled, aside, group, hideLabel }}
      error={error}
      counter={max === undefined ? undefined : { used: [...String(value)].length, max }}
    >
      {children ? (
        children({
          name,
          value: field.value as never,
          onChange: field.onChange,
          onBlur: field.onBlur,
          ref: field.ref as Ref<never>,
        })
      ) : as === "textarea" ? (
        <Textarea
          {...controlProps}
          rows={rows}
          dir={inputProps.dir}
          placeholder={inputProps.placeholder}
          autoComplete={inputProps.autoComplete}
          spellCheck={inputProps.spellCheck}
        />
      ) : as === "password" ? (
        <PasswordInput {...inputProps} {...controlProps} />
      ) : (
        <Input {...inputProps} {...controlProps} />
      )}
    </Field>
  );
}
