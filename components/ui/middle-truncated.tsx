import { clsx } from "clsx";

/** Characters always visible at the end, where addresses differ. */
const TAIL = 14;

/** Domain or key on one line, truncated in the middle. The tooltip shows the full text. */
export function MiddleTruncated({
  text,
  title = text,
  className,
}: {
  text: string;
  title?: string;
  className?: string;
}) {
  const cut = Math.max(0, text.length - TAIL);
  return (
    <bdi dir="ltr" title={title} className={clsx("inline-flex min-w-0 whitespace-nowrap", className)}>
      <span className="sr-only">{text}</span>
      <span aria-hidden className="truncate">
        {text.slice(0, cut)}
      </span>
      <span aria-hidden>{text.slice(cut)}</span>
    </bdi>
  );
}
