import type { ReactNode } from "react";

/** A quiet label that is not a status: a role, a kind, a number. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-6 items-center rounded-full border border-border px-2 font-medium text-caption text-fg-muted">
      {children}
    </span>
  );
}
