import type { ReactNode } from "react";
import { Crumb } from "./crumbs";

export interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  status?: ReactNode;
}

/** Page title (`h1`), which is also the breadcrumb, with description and actions. */
export function PageHeader({ title, description, actions, status }: PageHeaderProps) {
  return (
    <header className="mb-8">
      <Crumb>{title}</Crumb>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-96">
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
        {actions ? (
          <div
            data-actions
            data-print="never"
            className="ms-auto flex flex-wrap items-center gap-2 max-sm:w-full"
          >
            {actions}
          </div>
        ) : null}
      </div>
    </header>
  );
}
