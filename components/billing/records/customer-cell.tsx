import { Ltr } from "@/components/ui/bidi";

/** Whose a record is: name, and the address below it. */
export function CustomerCell({ user }: { user: { name: string; email: string } }) {
  return (
    <span className="wrap-anywhere flex min-w-44 flex-col items-start sm:py-2">
      <bdi className="font-medium">{user.name}</bdi>
      <span className="font-normal text-fg-muted text-sm">
        <Ltr>{user.email}</Ltr>
      </span>
    </span>
  );
}
