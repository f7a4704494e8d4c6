import type { Context, UserActor } from "@/server/core/context";
import { createSystemContext } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import type { askPortalDomain, checkPortal } from "../contract";
import { AUTO_RECOVERY_DAYS, MAX_FAILING_HOURS } from "../policy";
import {
  checkAddressAndAnswer,
  checkProofRecord,
  type PortalCheckResult,
  readCertificateEnd,
} from "../proof.provider";
import { requireSignedReseller } from "./access";
import { findPortal } from "./portal";

const MAX_LISTED_PROOFS = 50;

export async function checkOwnPortal(ctx: Context<UserActor>): Promise<Output<typeof checkPortal>> {
  await requireSignedReseller(ctx);
  await checkPortalDomain(ctx.actor.id, { byOwner: true });
  const portal = await findPortal(ctx, ctx.actor.id);
  if (!portal) throw createNotFoundError("ResellerPortal", ctx.actor.id);
  return { success: true, portal };
}

type Claim = { resellerId: number; domain: string; proof: string };

/**
 * Stores the result unless the claim has changed. After {@link AUTO_RECOVERY_DAYS} only the owner can verify a
 * domain again: it may have lapsed, and its buyer could publish the proof, which is public.
 */
export async function checkPortalDomain(resellerId: number, { byOwner = false } = {}): Promise<void> {
  const claim = await withoutTransaction().db.resellerPortal.findUnique({
    where: { resellerId },
    select: { resellerId: true, domain: true, proof: true },
  });
  if (!claim) return;
  const recordCheck = await checkProofRecord(claim);
  const pendingFilter = { ...claim, verifiedAt: null };
  // Store the record first: for the next call, a proxy may need a certificate and call `askPortalDomain`.
  await withoutTransaction().db.resellerPortal.updateMany({
    where: pendingFilter,
    data: { checks: toChecksJson([recordCheck]) },
  });
  const checks = [recordCheck, ...(await checkAddressAndAnswer(claim))];
  const hasPassed = checks.every(({ ok }) => ok);
  const certificateEnd = hasPassed ? await readCertificateEnd(claim) : null;
  await inTransaction(async (access) => {
    // Lock order: account first, like every change of the claim.
    await lockUser(access, resellerId);
    const tx = createSystemContext(access);
    if (await storeResultIfUnchanged(tx, claim, { checks, certificateEnd }))
      await (hasPassed ? recordSuccess(tx, claim, { byOwner }) : recordFailure(tx, claim));
  }).catch((error: unknown) => {
    // Another reseller has verified the domain: the unique index decides.
    if (!isUniqueViolation(error, "domain")) throw error;
    log.warn({ event: "portal.claimed_twice", reseller: resellerId });
  });
}

/** Returns false if the claim has changed. Keeps the stored expiry if the certificate could not be read. */
async function storeResultIfUnchanged(
  { db }: DbAccess,
  claim: Claim,
  { checks, certificateEnd }: { checks: PortalCheckResult[]; certificateEnd: Date | null },
): Promise<boolean> {
  const data = {
    checks: toChecksJson(checks),
    checkedAt: new Date(),
    ...(certificateEnd && { certificateEnd }),
  };
  return (await db.resellerPortal.updateMany({ where: claim, data })).count === 1;
}

const toChecksJson = (checks: PortalCheckResult[]) =>
  checks.map((check) => ({ ...check })) satisfies Prisma.InputJsonValue;

async function recordSuccess(tx: Context, claim: Claim, { byOwner }: { byOwner: boolean }): Promise<void> {
  await tx.db.resellerPortal.updateMany({
    where: { ...claim, verifiedAt: { not: null }, failingSince: { not: null } },
    data: { failingSince: null },
  });
  const recoveryFilter = byOwner
    ? {}
    : { OR: [{ failingSince: null }, { failingSince: { gt: fromNow(-AUTO_RECOVERY_DAYS * DAY) } }] };
  const { count } = await tx.db.resellerPortal.updateMany({
    where: { ...claim, ...recoveryFilter, verifiedAt: null, reseller: { role: "reseller" } },
    data: { verifiedAt: new Date(), failingSince: null },
  });
  if (count === 1) await auditStateChange(tx, claim, "portal.verified");
}

/** Records a failed check. After a day of failures, the lock ends and links use the main address. */
async function recordFailure(tx: Context, claim: Claim): Promise<void> {
  const verifiedFilter = { ...claim, verifiedAt: { not: null } };
  await tx.db.resellerPortal.updateMany({
    where: { ...verifiedFilter, failingSince: null },
    data: { failingSince: new Date() },
  });
  const { count } = await tx.db.resellerPortal.updateMany({
    where: { ...verifiedFilter, failingSince: { lte: fromNow(-MAX_FAILING_HOURS * HOUR) } },
    data: { verifiedAt: null },
  });
  if (count === 0) return;
  await auditStateChange(tx, claim, "portal.failing");
  await notifyOwner(tx, claim.resellerId, "portal_failing", {
    path: "/reseller/branding",
    params: { domain: claim.domain },
  });
}

function auditStateChange(
  tx: Context,
  { resellerId, domain }: Claim,
  action: "portal.verified" | "portal.failing",
) {
  return audit(tx, { action, object: { type: "User", id: resellerId }, details: { domain } });
}

export async function loadProofText(host: string | null): Promise<string> {
  if (host === null) return "";
  const rows = await withoutTransaction().db.resellerPortal.findMany({
    where: { domain: host, reseller: { role: "reseller" } },
    orderBy: { claimedAt: "desc" },
    take: MAX_LISTED_PROOFS,
    select: { proof: true },
  });
  return rows.map(({ proof }) => `${proof}\n`).join("");
}

const CERTIFIABLE_COLUMNS = { verifiedAt: true, failingSince: true, checks: true } as const;

type CertifiableRow = Prisma.ResellerPortalGetPayload<{ select: typeof CERTIFIABLE_COLUMNS }>;

/** True if the TXT record contains the proof, or once did. */
function isCertifiable({ verifiedAt, failingSince, checks }: CertifiableRow): boolean {
  const [recordCheck] = checks as unknown as PortalCheckResult[];
  return verifiedAt !== null || failingSince !== null || recordCheck?.ok === true;
}

export async function requireCertifiableDomain(
  ctx: Context,
  { query }: Input<typeof askPortalDomain>,
): Promise<Output<typeof askPortalDomain>> {
  const rows = await ctx.db.resellerPortal.findMany({
    where: { domain: query.domain },
    select: CERTIFIABLE_COLUMNS,
  });
  if (!rows.some(isCertifiable)) throw createNotFoundError("ResellerPortal", query.domain);
  return { success: true };
}

/** Lists the domains that `askPortalDomain` accepts, for a proxy that polls for new domains. */
export async function listCertifiableDomains({ db }: DbAccess): Promise<string[]> {
  const rows = await db.resellerPortal.findMany({ select: { domain: true, ...CERTIFIABLE_COLUMNS } });
  return [...new Set(rows.filter(isCertifiable).map(({ domain }) => domain))].sort();
}
