import type { ReactNode } from "react";

/** User-written text, isolated so that it keeps its own direction. */
export function Bdi({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}

/** Keys, URLs, email addresses: left to right in every language. `mono` for text that users compare. */
export function Ltr({ children, mono }: { children: ReactNode; mono?: boolean }) {
  return (
    <bdi dir="ltr" className={mono ? "font-mono text-[0.92em]" : undefined}>
      {children}
    </bdi>
  );
}
