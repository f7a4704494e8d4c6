import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { type ButtonStyle, buttonStyle } from "./button-style";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  variant?: ButtonStyle["variant"];
  size?: "md" | "sm";
  /** An icon before the label, such as `<Plus />`. */
  icon?: ReactNode;
  /** As wide as its container. */
  block?: boolean;
  /** What a press is about, for those who hear the label without its row; the label is then a string. */
  about?: string;
  /** Work is in progress: label and width stay, and a second press does nothing. */
  working?: boolean;
}

/** A button for an action; `LinkButton` is for navigation. One primary button per view. */
export function Button({
  variant,
  size,
  icon,
  block,
  about,
  working,
  children,
  type = "button",
  onClick,
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      className={buttonStyle({ variant, size, block })}
      aria-label={about ? `${children}: ${about}` : props["aria-label"]}
      aria-busy={working || undefined}
      aria-disabled={working || props["aria-disabled"]}
      onClick={working ? (event) => event.preventDefault() : onClick}
    >
      <ButtonContent icon={icon} working={working}>
        {children}
      </ButtonContent>
    </button>
  );
}

/**
 * Label and icon; while working, a spinner replaces the icon or uses the padding, so that the width stays. The label has an
 * element, see scripts/lib/bare-text.ts.
 */
export function ButtonContent({
  icon,
  working,
  children,
}: Pick<ButtonProps, "icon" | "working" | "children">) {
  const squeezed = working && !icon;
  return (
    <span className={clsx("inline-flex min-w-0 items-center", squeezed ? "-mx-2.5 gap-1.5" : "gap-2")}>
      {working ? <LoaderCircle aria-hidden className={clsx("animate-spin", squeezed && "size-3.5")} /> : icon}
      <span className="contents">{children}</span>
    </span>
  );
}
