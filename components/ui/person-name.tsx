import type { ReactNode } from "react";
import { Ltr } from "./bidi";

export interface PersonNameProps {
  children: ReactNode;
  email: string;
}

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
