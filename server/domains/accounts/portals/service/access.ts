import type { Context, Role, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { createError, invalidField } from "@/server/core/errors";
import { buildPortalUrl, getMainHost } from "@/server/core/portal";
import { findAgreement, listRelevantPortals } from "../statements";

interface AccountRow {
  id: number;
  role: Role;
  reseller_id: number | null;
  parent_user_id: number | null;
}

/** Null without a verified portal at the host, and for a reseller without a signed agreement. */
export async function findPortalResellerId({
  db,
  host,
}: Pick<Context, "db" | "host">): Promise<number | null> {
  if (host === null || host === getMainHost()) return null;
  const agreementFilter = { resellerDesk: { agreementSignedAt: { not: null } } };
  const portal = await db.resellerPortal.findFirst({
    where: {
      domain: host,
      verifiedAt: { not: null },
      reseller: { isActive: true, role: "reseller", ...agreementFilter },
    },
    select: { resellerId: true },
  });
  return portal?.resellerId ?? null;
}

export interface PortalRedirect {
  url: string;
  brand: string;
}

/**
 * Gate 3 (docs/contract.md 5.7). Customers of a locked portal can sign in there only. Hosts without a
 * verified portal count as the main address. Administrators pass everywhere.
 */
export async function findPortalLock(
  ctx: Pick<Context, "sql" | "host">,
  account: AccountRow,
): Promise<PortalRedirect | undefined> {
  const { id, role, reseller_id: resellerId, parent_user_id: parentId } = account;
  if (role === "admin") return undefined;
  const host = ctx.host ?? getMainHost();
  if (role === "user" && resellerId === null && parentId === null && host === getMainHost()) return undefined;
  const portals = await listRelevantPortals(ctx, { host, id, role, resellerId, parentId });
  const hostPortal = portals.find((portal) => portal.isAtHost);
  const ownPortal = portals.find((portal) => portal.isOwn);
  if (hostPortal ? hostPortal.isOwn : !ownPortal?.lockCustomers || ownPortal.isStaff) return undefined;
  return ownPortal
    ? { url: buildPortalUrl(ownPortal.domain), brand: ownPortal.brandName }
    : { url: env().APP_URL, brand: env().APP_NAME };
}

type CallerContext = Pick<Context<UserActor>, "sql" | "actor">;

export async function hasSignedAgreement({ sql }: Pick<Context, "sql">, userId: number): Promise<boolean> {
  const [agreement] = await findAgreement({ sql }, { userId });
  return agreement?.signed === true;
}

/** Throws `agreement_unsigned` for a reseller without a valid signature. Others pass. */
export async function requireAgreement(ctx: CallerContext): Promise<void> {
  if (ctx.actor.role === "reseller" && !(await hasSignedAgreement(ctx, ctx.actor.id)))
    throw createError("agreement_unsigned");
}

/** Required for `/api/reseller/`. Throws `forbidden` and `agreement_unsigned`. */
export async function requireSignedReseller(ctx: CallerContext): Promise<void> {
  if (ctx.actor.role !== "reseller") throw createError("forbidden");
  await requireAgreement(ctx);
}

/** Like {@link requireSignedReseller}, but administrators must pass the reseller's account ID. Returns that ID. */
export async function resolveResellerId(
  ctx: CallerContext,
  requestedId: number | null | undefined,
): Promise<number> {
  if (ctx.actor.role === "admin") {
    if (requestedId == null) throw invalidField("reseller_id", "required");
    return requestedId;
  }
  await requireSignedReseller(ctx);
  if (requestedId != null && requestedId !== ctx.actor.id) throw createError("forbidden");
  return ctx.actor.id;
}
