import { clsx } from "clsx";
import type { Route } from "next";
import type { ReactNode } from "react";
import { AppLink } from "./app-link";

export interface LinkTabProps {
  href: Route;
  current: boolean;
  children: ReactNode;
  scroll?: boolean;
}

export function LinkTab({ href, current, children, scroll }: LinkTabProps) {
  return (
    <AppLink
      href={href}
      scroll={scroll}
      aria-current={current ? "page" : undefined}
      className={clsx(
        "-mb-px flex min-h-11 shrink-0 items-center border-b-2 font-medium text-sm transition-colors duration-120 focus-visible:-outline-offset-2 has-data-pending:border-primary-mark has-data-pending:text-fg",
        current ? "border-primary-mark text-fg" : "border-transparent text-fg-muted hover:text-fg",
      )}
    >
      {children}
    </AppLink>
  );
}
