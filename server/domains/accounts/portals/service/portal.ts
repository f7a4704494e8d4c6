import { randomBytes } from "node:crypto";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { countedInvalidField, createNotFoundError, invalidField } from "@/server/core/errors";
import { buildPortalUrl, getMainHost, isOwnHost } from "@/server/core/portal";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { deletePortal, getPortal, putPortal } from "../contract";
import { isProofExempt, PROOF_SUBDOMAIN } from "../proof.provider";
import { requireSignedReseller } from "./access";

type Portal = Output<typeof getPortal>["portal"];
type Check = NonNullable<Portal>["checks"][number];

export async function getOwnPortal(ctx: Context<UserActor>): Promise<Output<typeof getPortal>> {
  await requireSignedReseller(ctx);
  return { success: true, portal: await findPortal(ctx, ctx.actor.id) };
}

function getPortalState({
  verifiedAt,
  failingSince,
}: {
  verifiedAt: Date | null;
  failingSince: Date | null;
}) {
  if (verifiedAt) return "verified" as const;
  return failingSince ? ("failing" as const) : ("pending" as const);
}

export async function findPortal({ db }: Pick<DbAccess, "db">, resellerId: number): Promise<Portal> {
  const row = await db.resellerPortal.findUnique({
    where: { resellerId },
    select: {
      domain: true,
      lockCustomers: true,
      createdAt: true,
      verifiedAt: true,
      failingSince: true,
      checkedAt: true,
      proof: true,
      checks: true,
      reseller: { select: { _count: { select: { customers: true } } } },
    },
  });
  return (
    row && {
      domain: row.domain,
      url: buildPortalUrl(row.domain),
      lock_customers: row.lockCustomers,
      created_at: toIsoMicros(row.createdAt),
      state: getPortalState(row),
      verified_at: toIsoMicros(row.verifiedAt),
      failing_since: toIsoMicros(row.failingSince),
      checked_at: toIsoMicros(row.checkedAt),
      dns: [
        { type: "TXT" as const, name: `${PROOF_SUBDOMAIN}.${row.domain}`, value: row.proof },
        { type: "CNAME" as const, name: row.domain, value: getMainHost() },
      ],
      checks: row.checks as Check[],
      customers_count: row.reseller._count.customers,
    }
  );
}

export async function putOwnPortal(
  ctx: Context<UserActor>,
  { body }: Input<typeof putPortal>,
): Promise<Output<typeof putPortal>> {
  await requireSignedReseller(ctx);
  await requireProof(ctx);
  const { domain } = body;
  const lockCustomers = body.lock_customers ?? undefined;
  const resellerId = ctx.actor.id;
  if (isOwnHost(domain)) throw buildDomainTakenError();
  if (domain.endsWith(".localhost") && !isProofExempt(domain)) throw invalidField("domain", "domain");
  return withLockedOwnAccount(ctx, async (tx) => {
    const currentRow = await tx.db.resellerPortal.findUnique({
      where: { resellerId },
      select: { domain: true, lockCustomers: true },
    });
    rejectStaleChange(body.expected, {
      current: currentRow && toSettings(currentRow),
      requested: toSettings({
        domain,
        lockCustomers: lockCustomers ?? currentRow?.lockCustomers ?? false,
      }),
    });
    const otherPortal = await tx.db.resellerPortal.findFirst({
      where: { domain, resellerId: { not: resellerId }, verifiedAt: { not: null } },
      select: { id: true },
    });
    if (otherPortal) throw buildDomainTakenError();
    await tx.db.resellerPortal.upsert({
      where: { resellerId },
      create: { resellerId, domain, lockCustomers },
      update: { domain, lockCustomers },
      select: { id: true },
    });
    if (currentRow?.domain !== domain) await resetClaim(tx, resellerId, domain);
    await audit(tx, {
      action: "portal.changed",
      object: { type: "User", id: resellerId },
      details: { domain },
    });
    const portal = await findPortal(tx, resellerId);
    return { success: true as const, message: formatText(ctx.locale, "responses.portal_saved"), portal };
  }).catch((error: unknown) => {
    // Two resellers may verify one domain concurrently: the unique index decides.
    throw isUniqueViolation(error, "domain") ? buildDomainTakenError() : error;
  });
}

async function resetClaim(tx: DbAccess, resellerId: number, domain: string): Promise<void> {
  const isVerified = isProofExempt(domain);
  await tx.db.resellerPortal.updateMany({
    where: { resellerId },
    data: {
      proof: randomBytes(16).toString("hex"),
      claimedAt: new Date(),
      verifiedAt: isVerified ? new Date() : null,
      failingSince: null,
      checkedAt: null,
      checks: [],
      certificateEnd: null,
    },
  });
  await addJob(tx, "check_portal", { resellerId }, { key: `check_portal:${resellerId}` });
}

function toSettings(row: { domain: string; lockCustomers: boolean }) {
  return { domain: row.domain, lock_customers: row.lockCustomers };
}

function buildDomainTakenError() {
  return countedInvalidField("domain", "portal_domain_taken");
}

export async function deleteOwnPortal(ctx: Context<UserActor>): Promise<Output<typeof deletePortal>> {
  await requireSignedReseller(ctx);
  await requireProof(ctx);
  await withLockedOwnAccount(ctx, async (tx) => {
    if (!(await removePortal(tx, ctx.actor.id))) throw createNotFoundError("ResellerPortal", ctx.actor.id);
    await audit(tx, { action: "portal.removed", object: { type: "User", id: ctx.actor.id } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.portal_removed") };
}

export async function removePortal({ db }: Pick<DbAccess, "db">, resellerId: number): Promise<boolean> {
  const { count } = await db.resellerPortal.deleteMany({ where: { resellerId } });
  return count > 0;
}
