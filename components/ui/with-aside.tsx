import { clsx } from "clsx";
import type { ReactNode } from "react";

export interface WithAsideProps {
  children: ReactNode;
  /** Help, a preview or the page's sections. Without one, the column stays empty, so that widths match. */
  aside?: ReactNode;
  /** Above the content on narrow screens, for a section navigation. */
  asideFirst?: boolean;
}

/** The grid of forms and details: the content, and a column beside it. */
export function WithAside({ children, aside, asideFirst = false }: WithAsideProps) {
  const column = aside ? (
    <div
      className={clsx(
        "flex min-w-0 flex-col gap-6 xl:sticky xl:top-24 short:static",
        asideFirst && "xl:order-last",
      )}
    >
      {aside}
    </div>
  ) : null;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      {asideFirst ? column : null}
      <div className="flex min-w-0 flex-col gap-6">{children}</div>
      {asideFirst ? null : column}
    </div>
  );
}
