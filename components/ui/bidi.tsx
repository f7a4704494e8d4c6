import type { ReactNode } from "react";

/** Text a person wrote: keeps its own direction inside ours. */
export function Bdi({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}

/**
 * Keys, addresses, mails, phones, codes: always left to right, also in Arabic. `mono` for text that people compare by
 * eye.
 */
export function Ltr({ children, mono }: { children: ReactNode; mono?: boolean }) {
  return (
    <bdi dir="ltr" className={mono ? "font-mono text-[0.92em]" : undefined}>
      {children}
    </bdi>
  );
}
