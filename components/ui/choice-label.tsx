import type { ReactNode } from "react";

export function ChoiceLabel({
  label,
  hint,
  hintId,
}: {
  label: ReactNode;
  hint?: ReactNode;
  hintId?: string;
}) {
  return (
    <span className="wrap-anywhere min-w-0 flex-1">
      <span className="block text-fg text-sm">{label}</span>
      {hint ? (
        <span id={hintId} className="mt-0.5 block text-compact text-fg-muted">
          {hint}
        </span>
      ) : null}
    </span>
  );
}
