"use client";

import type { ComponentProps, ReactNode } from "react";
import { ButtonContent } from "./button";
import { type ButtonStyle, buttonStyle } from "./button-style";
import { Tooltip } from "./tooltip";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "children"> {
  /** What the button does: its accessible name and its tooltip. */
  label: string;
  icon: ReactNode;
  variant?: ButtonStyle["variant"];
  size?: "md" | "sm";
  working?: boolean;
  /** False where the button itself opens something next to it. */
  tooltip?: boolean;
}

/** A button that shows only an icon; screen readers and the tooltip use the label. */
export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "md",
  working,
  tooltip = true,
  onClick,
  ...props
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      {...props}
      className={buttonStyle({ variant, size: size === "sm" ? "iconSm" : "icon" })}
      aria-label={label}
      aria-busy={working || undefined}
      aria-disabled={working || props["aria-disabled"]}
      onClick={working ? undefined : onClick}
    >
      <ButtonContent icon={icon} working={working} />
    </button>
  );
  return tooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}
