import { clsx } from "clsx";

/** Characters always visible at the end, where similar domains and keys differ. */
const VISIBLE_TAIL_LENGTH = 14;

export function MiddleTruncated({
  text,
  title = text,
  className,
}: {
  text: string;
  title?: string;
  className?: string;
}) {
  const tailStart = Math.max(0, text.length - VISIBLE_TAIL_LENGTH);
  return (
    <bdi dir="ltr" title={title} className={clsx("inline-flex min-w-0 whitespace-nowrap", className)}>
      <span className="sr-only">{text}</span>
      <span aria-hidden className="truncate">
        {text.slice(0, tailStart)}
      </span>
      <span aria-hidden>{text.slice(tailStart)}</span>
    </bdi>
  );
}
