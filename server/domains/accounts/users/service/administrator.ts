import type { UserActor } from "@/server/core/context";
import { refuse } from "@/server/core/errors";

/** Throws `forbidden` for everybody but administrators. */
export function requireAdministrator({ role }: Pick<UserActor, "role">): void {
  if (role !== "admin") throw refuse("forbidden");
}
