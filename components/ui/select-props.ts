import type { ReactNode, Ref } from "react";

export interface SelectOption<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<V extends string> {
  options: readonly SelectOption<V>[];
  value?: V | null;
  defaultValue?: V | null;
  onValueChange?: (value: V) => void;
  onBlur?: () => void;
  placeholder?: string;
  name?: string;
  disabled?: boolean;
  size?: "md" | "sm";
  ref?: Ref<never>;
  /** Needed outside a `Field`. */
  "aria-label"?: string;
}
