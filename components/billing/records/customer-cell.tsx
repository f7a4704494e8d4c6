import { AppLink } from "@/components/ui/app-link";
import { Ltr } from "@/components/ui/bidi";
import { getAccountPath } from "./admin-paths";

export interface CustomerCellProps {
  user: { id?: number; name: string; email: string };
  isLink?: boolean;
}

export function CustomerCell({ user, isLink }: CustomerCellProps) {
  return (
    <span className="wrap-anywhere flex min-w-44 flex-col items-start sm:py-2">
      {isLink && user.id ? (
        <AppLink
          href={getAccountPath(user.id)}
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
