"use client";

import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { controlStyle } from "./control-style";
import { useFieldControl } from "./field-context";

export function Textarea({ rows = 4, ...props }: Omit<ComponentProps<"textarea">, "className">) {
  const fieldControl = useFieldControl(props);
  return (
    <textarea
      rows={rows}
      {...props}
      {...fieldControl}
      className={clsx(
        controlStyle(),
        "field-sizing-content max-h-96 resize-y py-2",
        props.readOnly && "bg-sunken",
      )}
      style={{ minHeight: `${rows * 1.5 + 1.125}rem` }}
    />
  );
}
