import type { ComponentProps, ReactNode } from "react";
import { AppLink } from "./app-link";
import { ButtonContent } from "./button";
import { type ButtonStyle, buttonStyle } from "./button-style";

export interface LinkButtonProps extends Omit<ComponentProps<typeof AppLink>, "className"> {
  variant?: ButtonStyle["variant"];
  size?: "md" | "sm";
  icon?: ReactNode;
  block?: boolean;
  labelSuffix?: string;
}

export function LinkButton({ variant, size, icon, block, labelSuffix, children, ...props }: LinkButtonProps) {
  return (
    <AppLink
      {...props}
      aria-label={labelSuffix ? `${children}: ${labelSuffix}` : props["aria-label"]}
      className={buttonStyle({ variant, size, block })}
    >
      <ButtonContent icon={icon}>{children}</ButtonContent>
    </AppLink>
  );
}
