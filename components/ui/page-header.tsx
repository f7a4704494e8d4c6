import { ArrowLeft } from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import type { ReactNode } from "react";

export interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** The main action last. */
  actions?: ReactNode;
  back?: { href: Route; label: ReactNode };
  /** Beside the title, such as a `StatusChip`. */
  status?: ReactNode;
}

/** The top of every page: its one `h1`, what it is for, what one can do. */
export function PageHeader({ title, description, actions, back, status }: PageHeaderProps) {
  return (
    <header className="mb-8">
      {back ? (
        <Link
          href={back.href}
          className="-ms-1 mb-3 inline-flex min-h-6 items-center gap-1.5 rounded-control px-1 text-fg-muted text-sm hover:text-fg pointer-coarse:min-h-11"
        >
          <ArrowLeft className="mirror" />
          {back.label}
        </Link>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1
              id="page-title"
              tabIndex={-1}
              className="wrap-anywhere font-semibold text-h1 ltr:tracking-[-0.012em]"
            >
              {title}
            </h1>
            {status}
          </div>
          {description ? (
            <p className="mt-1.5 max-w-[70ch] text-pretty text-base text-fg-muted">{description}</p>
          ) : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2 max-sm:w-full">{actions}</div> : null}
      </div>
    </header>
  );
}
