import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { type ButtonStyle, buttonStyle } from "./button-style";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  variant?: ButtonStyle["variant"];
  size?: "md" | "sm";
  icon?: ReactNode;
  block?: boolean;
  /** Added to the accessible name where the label is ambiguous, as in table rows. Requires a string label. */
  labelSuffix?: string;
  /** Shows a spinner and ignores clicks; label and width stay. */
  working?: boolean;
}

/** Button for an action; use `LinkButton` for navigation. One primary button per view. */
export function Button({
  variant,
  size,
  icon,
  block,
  labelSuffix,
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
      aria-label={labelSuffix ? `${children}: ${labelSuffix}` : props["aria-label"]}
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

export function ButtonContent({
  icon,
  working,
  children,
}: Pick<ButtonProps, "icon" | "working" | "children">) {
  const isSqueezed = working && !icon;
  return (
    <span className={clsx("inline-flex min-w-0 items-center", isSqueezed ? "-mx-2.5 gap-1.5" : "gap-2")}>
      {working ? (
        <LoaderCircle aria-hidden className={clsx("animate-spin", isSqueezed && "size-3.5")} />
      ) : (
        icon
      )}
      <span className="contents">{children}</span>
    </span>
  );
}
