import { clsx } from "clsx";

/** As many letters at the end always stay in sight: what tells one address from another. */
const TAIL = 14;

/** A domain or a key in one line: where it does not fit, its middle is left out. The whole of it shows on hover. */
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
