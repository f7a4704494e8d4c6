import { ArrowRight } from "lucide-react";
import type { Route } from "next";
import { type ReactNode, useId } from "react";
import { AppLink } from "@/components/ui/app-link";

export interface FigureCardProps {
  icon: ReactNode;
  title: ReactNode;
  figure: ReactNode;
  /** Says what the figure is, if the title does not. */
  caption?: ReactNode;
  children?: ReactNode;
  link: { href: Route; label: ReactNode };
}

export function FigureCard({ icon, title, figure, caption, children, link }: FigureCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col rounded-card border border-border bg-surface"
    >
      <div className="flex flex-1 flex-col gap-3 p-5">
        <h2 id={id} className="flex items-center gap-2 font-medium text-fg-muted text-sm">
          {icon}
          <span>{title}</span>
        </h2>
        <div>
          <p className="wrap-anywhere font-semibold text-h1 tabular-nums ltr:tracking-[-0.015em]">{figure}</p>
          {caption ? <p className="text-fg-muted text-sm">{caption}</p> : null}
        </div>
        <div className="text-fg-muted text-sm">{children}</div>
      </div>
      <AppLink
        href={link.href}
        className="group flex min-h-11 items-center justify-between gap-3 rounded-b-card border-border border-t px-5 font-medium text-primary-text text-sm transition-colors duration-120 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span>{link.label}</span>
        <ArrowRight className="mirror" />
      </AppLink>
    </section>
  );
}

export interface FigureRow {
  key: string;
  label: ReactNode;
  hint?: ReactNode;
  value: ReactNode;
  href?: Route;
}

/** Rows below a figure. A row with `href` links to the records that it counts. */
export function FigureRows({ rows }: { rows: readonly FigureRow[] }) {
  return (
    <ul className="-mb-2 divide-y divide-border">
      {rows.map(({ key, label, hint, value, href }) => (
        <li key={key} className="flex min-h-10 items-center justify-between gap-4 py-1.5">
          <span className="wrap-anywhere min-w-0">
            {href ? (
              <AppLink
                href={href}
                className="inline-flex min-h-6 items-center rounded-control text-fg underline decoration-fg/25 underline-offset-4 hover:decoration-fg"
              >
                {label}
              </AppLink>
            ) : (
              <span>{label}</span>
            )}
            {hint ? <span className="block text-caption">{hint}</span> : null}
          </span>
          <span className="shrink-0 text-fg tabular-nums">
            <bdi>{value}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}
