import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

export interface CardProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  children?: ReactNode;
  heading?: "h2" | "h3";
  flush?: boolean;
  tone?: "default" | "danger";
}

export function Card({
  title,
  description,
  actions,
  footer,
  children,
  heading: Heading = "h2",
  flush,
  tone = "default",
}: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={clsx(
        "min-w-0 rounded-card border bg-surface",
        tone === "danger" ? "border-danger/45" : "border-border",
        flush && "overflow-clip",
      )}
    >
      {title || actions ? (
        <div
          className={clsx(
            "flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pt-5",
            !children && "pb-5",
          )}
        >
          <div className="min-w-0">
            {title ? (
              <Heading id={id} className="font-semibold text-base">
                {title}
              </Heading>
            ) : null}
            {description ? <p className="mt-0.5 max-w-[70ch] text-fg-muted text-sm">{description}</p> : null}
          </div>
          {actions ? (
            <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{actions}</div>
          ) : null}
        </div>
      ) : null}
      {children ? (
        <div className={flush ? "overflow-hidden rounded-b-card pt-4" : "p-5"}>{children}</div>
      ) : null}
      {footer ? (
        <div className="flex flex-wrap items-center justify-end gap-2 border-border border-t px-5 py-3 text-fg-muted text-sm">
          {footer}
        </div>
      ) : null}
    </section>
  );
}
