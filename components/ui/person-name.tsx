import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Ltr } from "./bidi";

export interface PersonNameProps {
  children: ReactNode;
  email: string;
  /** Shows only the name on phones. */
  compact?: boolean;
}

export function PersonName({ children, email, compact }: PersonNameProps) {
  return (
    <span className="wrap-anywhere flex flex-col items-start sm:py-2">
      {children}
      <span className={clsx("font-normal text-fg-muted text-sm", compact && "max-sm:hidden")}>
        <Ltr>{email}</Ltr>
      </span>
    </span>
  );
}
