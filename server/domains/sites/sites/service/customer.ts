import type { Context, UserActor } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findCustomer } from "../statements";

type Caller = Pick<Context<UserActor>, "sql" | "actor">;

/** Throws `forbidden` unless a reseller names an own customer; administrators may name any account. */
export async function requireCustomer({ sql, actor }: Caller, customerId: number): Promise<void> {
  if (actor.role === "admin" && actor.scope.onlySiteId === null) return;
  const [customer] = isReseller(actor)
    ? await findCustomer({ sql }, { customerId, resellerId: actor.id })
    : [];
  if (!customer) throw createError("forbidden");
}

/** {@link requireCustomer} without administrators. Checks again once the customer's account is locked. */
export async function requireOwnCustomer(
  tx: Pick<DbAccess, "sql">,
  actor: UserActor,
  customerId: number,
): Promise<void> {
  const [customer] = isReseller(actor) ? await findCustomer(tx, { customerId, resellerId: actor.id }) : [];
  if (!customer) throw createError("forbidden");
}

function isReseller({ role, scope }: UserActor): boolean {
  return role === "reseller" && scope.onlySiteId === null;
}
