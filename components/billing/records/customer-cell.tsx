import type { Route } from "next";
import { AppLink } from "@/components/ui/app-link";
import { Ltr } from "@/components/ui/bidi";

export interface CustomerCellProps {
  user: { name: string; email: string };
  /** Page of the record. */
  href?: Route;
}

export function CustomerCell({ user, href }: CustomerCellProps) {
  return (
    <span className="wrap-anywhere flex min-w-44 flex-col items-start sm:py-2">
      {href ? (
        <AppLink
          href={href}
          className="rounded-control font-medium hover:text-primary-text hover:underline hover:underline-offset-4"
        >
          <bdi>{user.name}</bdi>
        </AppLink>
      ) : (
        <bdi className="font-medium">{user.name}</bdi>
      )}
      <span className="font-normal text-fg-muted text-sm">
        <Ltr>{user.email}</Ltr>
      </span>
    </span>
  );
}
