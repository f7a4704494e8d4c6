import type { ReactNode } from "react";

/** Neutral label, such as a role or a number. For states use `StatusChip`. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-6 items-center rounded-full border border-border px-2 font-medium text-caption text-fg-muted">
      {children}
    </span>
  );
}
