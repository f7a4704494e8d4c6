import type { ReactNode } from "react";
import { Ltr } from "./bidi";

export interface PersonNameProps {
  /** The name, or a link with it. */
  children: ReactNode;
  email: string;
}

/** Whom a row of a table is about: the name above the address. */
export function PersonName({ children, email }: PersonNameProps) {
  return (
    <span className="wrap-anywhere flex flex-col items-start sm:py-2">
      {children}
      <span className="font-normal text-fg-muted text-sm">
        <Ltr>{email}</Ltr>
      </span>
    </span>
  );
}
