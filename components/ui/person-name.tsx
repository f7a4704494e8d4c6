import type { ReactNode } from "react";
import { Ltr } from "./bidi";

export interface PersonNameProps {
  /** Name, or a link with it. */
  children: ReactNode;
  email: string;
}

/** Name and e-mail address in a table row. */
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
