const TONE: Record<string, string> = {
  GET: "text-info-text",
  POST: "text-success-text",
  PUT: "text-warning-text",
  PATCH: "text-warning-text",
  DELETE: "text-danger-text",
};

/** The method of a request; its colour only repeats the text. */
export function MethodBadge({ method }: { method: string }) {
  return (
    <span
      dir="ltr"
      className={`shrink-0 font-mono font-semibold text-caption ${TONE[method] ?? "text-fg-muted"}`}
    >
      {method}
    </span>
  );
}
