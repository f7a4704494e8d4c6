import type { Context, UserActor } from "@/server/core/context";
import { systemContext } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { isTaken } from "@/server/infrastructure/database/failure";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";
import type { askPortalDomain, checkPortal } from "../contract";
import { FAILING_HOURS, RETURN_DAYS } from "../policy";
import { type Checked, checkAnswer, checkCertificate, checkRecord } from "../proof.provider";
import { requireReseller } from "./access";
import { portalOf } from "./portal";

/** Claims whose proofs a host is told at most. */
const CLAIMS_SHOWN = 50;

/** Throws `forbidden`, `agreement_unsigned`, and `record_not_found` without a portal. */
export async function check(ctx: Context<UserActor>): Promise<Output<typeof checkPortal>> {
  await requireReseller(ctx);
  await checkNow(ctx.actor.id, { byOwner: true });
  const portal = await portalOf(ctx, ctx.actor.id);
  if (!portal) throw refuse("record_not_found", { params: { model: "ResellerPortal", id: ctx.actor.id } });
  return { success: true, portal };
}

type Claim = { resellerId: number; domain: string; proof: string };

/**
 * Checks a reseller's domain and stores the result, unless the claim was changed during the check. The record is stored
 * before the domain is called: a proxy may have to get its certificate first, and asks us about it. A domain that failed
 * for longer than {@link RETURN_DAYS} is verified again only by its owner: it may have lapsed, and its buyer can publish
 * the proof, which is public.
 */
export async function checkNow(resellerId: number, { byOwner = false } = {}): Promise<void> {
  const claim = await outside().db.resellerPortal.findUnique({
    where: { resellerId },
    select: { resellerId: true, domain: true, proof: true },
  });
  if (!claim) return;
  const record = await checkRecord(claim);
  const pending = { ...claim, verifiedAt: null };
  await outside().db.resellerPortal.updateMany({ where: pending, data: { checks: listOf([record]) } });
  const checks = [record, ...(await checkAnswer(claim))];
  const passed = checks.every(({ ok }) => ok);
  const certificateEnd = passed ? await checkCertificate(claim) : null;
  await inTransaction(async (work) => {
    // The account first, as whoever changes the claim does: a row that is written twice asks for the account anyway.
    await lockUser(work, resellerId);
    const tx = systemContext(work);
    if (await note(tx, claim, { checks, certificateEnd }))
      await (passed ? pass(tx, claim, { byOwner }) : fail(tx, claim));
  }).catch((error: unknown) => {
    // Somebody else has proved the domain: the index decides, and this claim stays without effect.
    if (!isTaken(error, "domain")) throw error;
    log.warn({ event: "portal.claimed_twice", reseller: resellerId });
  });
}

/** What was found; a certificate that could not be looked at keeps the end that it had. */
async function note(
  { db }: Work,
  claim: Claim,
  { checks, certificateEnd }: { checks: Checked[]; certificateEnd: Date | null },
): Promise<boolean> {
  const data = { checks: listOf(checks), checkedAt: new Date(), ...(certificateEnd && { certificateEnd }) };
  return (await db.resellerPortal.updateMany({ where: claim, data })).count === 1;
}

const listOf = (checks: Checked[]) => checks.map((each) => ({ ...each })) satisfies Prisma.InputJsonValue;

async function pass(tx: Context, claim: Claim, { byOwner }: { byOwner: boolean }): Promise<void> {
  await tx.db.resellerPortal.updateMany({
    where: { ...claim, verifiedAt: { not: null }, failingSince: { not: null } },
    data: { failingSince: null },
  });
  const mayReturn = byOwner
    ? {}
    : { OR: [{ failingSince: null }, { failingSince: { gt: fromNow(-RETURN_DAYS * DAY) } }] };
  const { count } = await tx.db.resellerPortal.updateMany({
    where: { ...claim, ...mayReturn, verifiedAt: null, reseller: { role: "reseller" } },
    data: { verifiedAt: new Date(), failingSince: null },
  });
  if (count === 1) await record(tx, claim, "portal.verified");
}

/** A proved domain has a day to come back; then the lock is lifted and links lead to the main address. */
async function fail(tx: Context, claim: Claim): Promise<void> {
  const proved = { ...claim, verifiedAt: { not: null } };
  await tx.db.resellerPortal.updateMany({
    where: { ...proved, failingSince: null },
    data: { failingSince: new Date() },
  });
  const { count } = await tx.db.resellerPortal.updateMany({
    where: { ...proved, failingSince: { lte: fromNow(-FAILING_HOURS * HOUR) } },
    data: { verifiedAt: null },
  });
  if (count === 0) return;
  await record(tx, claim, "portal.failing");
  await notifyOwner(tx, claim.resellerId, "portal_failing", {
    path: "/reseller/branding",
    params: { domain: claim.domain },
  });
}

function record(tx: Context, { resellerId, domain }: Claim, action: "portal.verified" | "portal.failing") {
  return audit(tx, { action, object: { type: "User", id: resellerId }, details: { domain } });
}

/** The proofs of whoever claims a host, one a line; empty for a host that nobody claims. */
export async function proofsAt(host: string | null): Promise<string> {
  if (host === null) return "";
  const rows = await outside().db.resellerPortal.findMany({
    where: { domain: host, reseller: { role: "reseller" } },
    orderBy: { claimedAt: "desc" },
    take: CLAIMS_SHOWN,
    select: { proof: true },
  });
  return rows.map(({ proof }) => `${proof}\n`).join("");
}

/** The fields that {@link isCertifiable} reads. */
const CERTIFIABLE = { verifiedAt: true, failingSince: true, checks: true } as const;

type Found = Prisma.ResellerPortalGetPayload<{ select: typeof CERTIFIABLE }>;

/** Whether the domain's record names the portal, or did when it was proved. */
function isCertifiable({ verifiedAt, failingSince, checks }: Found): boolean {
  const [record] = checks as unknown as Checked[];
  return verifiedAt !== null || failingSince !== null || record?.ok === true;
}

/** Throws `record_not_found` for a domain whose record names none of our portals. */
export async function ask(
  ctx: Context,
  { query }: Input<typeof askPortalDomain>,
): Promise<Output<typeof askPortalDomain>> {
  const rows = await ctx.db.resellerPortal.findMany({
    where: { domain: query.domain },
    select: CERTIFIABLE,
  });
  if (!rows.some(isCertifiable))
    throw refuse("record_not_found", { params: { model: "ResellerPortal", id: query.domain } });
  return { success: true };
}

/** The domains that {@link ask} knows, for a proxy that requests their certificates by a timer. */
export async function certifiableDomains({ db }: Work): Promise<string[]> {
  const rows = await db.resellerPortal.findMany({ select: { domain: true, ...CERTIFIABLE } });
  return [...new Set(rows.filter(isCertifiable).map(({ domain }) => domain))].sort();
}
