import type { Context, Role, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { invalid, refuse } from "@/server/core/errors";
import { mainHost, portalUrl } from "@/server/core/portal";
import { findAgreement, portalsAround } from "../statements";

interface Person {
  id: number;
  role: Role;
  reseller_id: number | null;
  parent_user_id: number | null;
}

/**
 * Returns the reseller of the portal at the request's host: who signs up there becomes that reseller's customer. Null
 * at the main address, at a host that nobody has proved is theirs, and for a reseller without a signed agreement.
 */
export async function resellerAt({ db, host }: Pick<Context, "db" | "host">): Promise<number | null> {
  if (host === null || host === mainHost()) return null;
  const signed = { resellerDesk: { agreementSignedAt: { not: null } } };
  const portal = await db.resellerPortal.findFirst({
    where: {
      domain: host,
      verifiedAt: { not: null },
      reseller: { isActive: true, role: "reseller", ...signed },
    },
    select: { resellerId: true },
  });
  return portal?.resellerId ?? null;
}

/** The portal where somebody has to sign in instead. */
export interface Elsewhere {
  url: string;
  brand: string;
}

/**
 * Gate 3 (docs/contract.md 5.7): a reseller's portal admits that reseller and the accounts below; a locked portal is
 * the only place where its customers and the accounts below them can sign in. A host without a portal, or of one that
 * nobody has proved is theirs, counts as the platform's own address. Administrators pass everywhere.
 */
export async function lockedOut(
  ctx: Pick<Context, "sql" | "host">,
  person: Person,
): Promise<Elsewhere | undefined> {
  const { id, role, reseller_id: resellerId, parent_user_id: parentId } = person;
  if (role === "admin") return undefined;
  const here = ctx.host ?? mainHost();
  // Most people have no reseller and use the main address: no lookup is needed.
  if (role === "user" && resellerId === null && parentId === null && here === mainHost()) return undefined;
  const portals = await portalsAround(ctx, { here, id, role, resellerId, parentId });
  const at = portals.find((portal) => portal.here);
  const own = portals.find((portal) => portal.own);
  if (at ? at.own : !own?.lockCustomers || own.staff) return undefined;
  return own
    ? { url: portalUrl(own.domain), brand: own.brandName }
    : { url: env().APP_URL, brand: env().APP_NAME };
}

type Caller = Pick<Context<UserActor>, "sql" | "actor">;

/** Whether an account has signed the agreement, and the signature still counts. */
export async function hasSigned({ sql }: Pick<Context, "sql">, userId: number): Promise<boolean> {
  const [desk] = await findAgreement({ sql }, { userId });
  return desk?.signed === true;
}

/**
 * Throws `agreement_unsigned` for a reseller whose signature is of a text that counts no more, or who never signed. Others
 * pass.
 */
export async function requireSigned(ctx: Caller): Promise<void> {
  if (ctx.actor.role === "reseller" && !(await hasSigned(ctx, ctx.actor.id)))
    throw refuse("agreement_unsigned");
}

/** Everything below `/api/reseller/` is for resellers who have signed. Throws `forbidden`, and `agreement_unsigned`. */
export async function requireReseller(ctx: Caller): Promise<void> {
  if (ctx.actor.role !== "reseller") throw refuse("forbidden");
  await requireSigned(ctx);
}

/** The same, where administrators may name the reseller. Returns the reseller's account. */
export async function resellerOf(ctx: Caller, named: number | null | undefined): Promise<number> {
  if (ctx.actor.role === "admin") {
    if (named == null) throw invalid("reseller_id", "required");
    return named;
  }
  await requireReseller(ctx);
  if (named != null && named !== ctx.actor.id) throw refuse("forbidden");
  return ctx.actor.id;
}
