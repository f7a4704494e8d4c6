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
  const { control, names } = useOperationFormContext();
  const { field, fieldState } = useController({ name, control });
  useEffect(() => {
    names.add(name);
    return () => {
      names.delete(name);
    };
  }, [name, names]);
  return { field, error: fieldState.error?.message };
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
  /** Shows a counter; unit: code points. */
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
    ...rest
  } = props;
  const { field, error } = useFormControl(name);
  const value = field.value ?? "";
  const shared = { name, value, onBlur: field.onBlur, ref: field.ref, onChange: field.onChange };
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
          {...shared}
          rows={rows}
          dir={rest.dir}
          placeholder={rest.placeholder}
          autoComplete={rest.autoComplete}
          spellCheck={rest.spellCheck}
        />
      ) : as === "password" ? (
        <PasswordInput {...rest} {...shared} />
      ) : (
        <Input {...rest} {...shared} />
      )}
    </Field>
  );
}
