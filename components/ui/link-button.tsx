import type { ComponentProps, ReactNode } from "react";
import { AppLink } from "./app-link";
import { ButtonContent } from "./button";
import { type ButtonStyle, buttonStyle } from "./button-style";

export interface LinkButtonProps extends Omit<ComponentProps<typeof AppLink>, "className"> {
  variant?: ButtonStyle["variant"];
  size?: "md" | "sm";
  icon?: ReactNode;
  block?: boolean;
  /** What the link is about, for those who hear the label without its row; the label is then a string. */
  about?: string;
}

/** A link that looks like a button: for navigation, never for an action. */
export function LinkButton({ variant, size, icon, block, about, children, ...props }: LinkButtonProps) {
  return (
    <AppLink
      {...props}
      aria-label={about ? `${children}: ${about}` : props["aria-label"]}
      className={buttonStyle({ variant, size, block })}
    >
      <ButtonContent icon={icon}>{children}</ButtonContent>
    </AppLink>
  );
}
