import type { Route } from "next";
import { Ltr } from "@/components/ui/bidi";
import { RowLink } from "@/components/ui/row-link";

export interface CustomerCellProps {
  user: { name: string; email: string };
  /** Page of the record. */
  href?: Route;
}

export function CustomerCell({ user, href }: CustomerCellProps) {
  return (
    <span className="wrap-anywhere flex min-w-44 flex-col items-start sm:py-2">
      {href ? (
        <RowLink href={href}>
          <bdi>{user.name}</bdi>
        </RowLink>
      ) : (
        <bdi className="font-medium">{user.name}</bdi>
      )}
      <span className="font-normal text-fg-muted text-sm">
        <Ltr>{user.email}</Ltr>
      </span>
    </span>
  );
}
