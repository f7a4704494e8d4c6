"use client";

import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { controlStyle } from "./control-style";
import { useFieldControl } from "./field-context";

export interface InputProps extends Omit<ComponentProps<"input">, "size" | "className"> {
  size?: "md" | "sm";
  before?: ReactNode;
  after?: ReactNode;
}

export function Input({ size, before, after, ...props }: InputProps) {
  const fieldControl = useFieldControl(props);
  const input = (
    <input
      {...props}
      {...fieldControl}
      className={clsx(
        controlStyle({ size }),
        before && "ps-10",
        after && "pe-12",
        props.readOnly && "bg-sunken",
      )}
    />
  );
  if (!before && !after) return input;
  return (
    // Icons follow the direction of the text, which may differ from the page's.
    <div className="relative" dir={props.dir}>
      {before ? (
        <span className="pointer-events-none absolute inset-y-0 start-0 grid w-10 place-items-center text-fg-subtle">
          {before}
        </span>
      ) : null}
      {input}
      {after ? <span className="absolute inset-y-0 end-0 flex items-center pe-1">{after}</span> : null}
    </div>
  );
}
