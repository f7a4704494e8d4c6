"use client";

import type { ComponentProps, ReactNode } from "react";
import { ButtonContent } from "./button";
import { type ButtonStyle, buttonStyle } from "./button-style";
import { Tooltip } from "./tooltip";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "children"> {
  label: string;
  icon: ReactNode;
  variant?: ButtonStyle["variant"];
  size?: "md" | "sm";
  working?: boolean;
  /** False for buttons that open a popup next to them. */
  tooltip?: boolean;
}

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
