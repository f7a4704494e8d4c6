import type { Route } from "next";
import type { ReactNode } from "react";
import { AppLink } from "./app-link";

export interface RowLinkProps {
  href: Route;
  children: ReactNode;
}

/** Link to a record in a table. Looks like text until it is hovered, because the whole row opens the record. */
export function RowLink(props: RowLinkProps) {
  return (
    <AppLink
      {...props}
      className="rounded-control hover:text-primary-text hover:underline hover:underline-offset-4"
    />
  );
}
