import type { Context } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { LICENCE_PAYMENT_DAYS } from "../contract";
import type { Debt } from "../service";
import {
  closeLicencesOfSites,
  findLicencesOutlivingSite,
  lockPendingLicenceRows,
  reopenAbsorbedLicences,
  transferLicences,
} from "../statements";
import { AFFECTED_SITE_SELECT, countFreeSlots } from "./release";

const LICENCE_WITH_SITE_SELECT = {
  id: true,
  siteId: true,
  userId: true,
  status: true,
  reference: true,
  site: { select: { ...AFFECTED_SITE_SELECT, suspendedReason: true, deletedAt: true } },
} as const satisfies Prisma.SiteLicenceSelect;
export type LicenceWithSite = Prisma.SiteLicenceGetPayload<{ select: typeof LICENCE_WITH_SITE_SELECT }>;

export async function lockPendingLicences(
  tx: Pick<DbAccess, "db" | "sql">,
  userId: number,
): Promise<LicenceWithSite[]> {
  const ids = (await lockPendingLicenceRows(tx, { userId })).map(({ id }) => id);
  return tx.db.siteLicence.findMany({
    where: { id: { in: ids } },
    orderBy: { id: "asc" },
    select: LICENCE_WITH_SITE_SELECT,
  });
}

/** Moves sites into free slots, in the order of `licences`, and closes these as absorbed. */
export async function absorbLicences(
  tx: Context,
  { licences, subscriptionId }: { licences: LicenceWithSite[]; subscriptionId: number },
): Promise<{ absorbed: LicenceWithSite[]; remaining: LicenceWithSite[] }> {
  if (licences.length === 0) return { absorbed: [], remaining: [] };
  const freeSlotCount = await countFreeSlots(tx, subscriptionId);
  const [absorbedRows, remaining] = [licences.slice(0, freeSlotCount), licences.slice(freeSlotCount)];
  for (const { id, siteId, site } of absorbedRows) {
    await tx.db.siteLicence.update({
      where: { id },
      data: { status: "absorbed", closedReason: "absorbed", absorbedById: subscriptionId },
      select: { id: true },
    });
    await tx.db.site.update({
      where: { id: siteId },
      data: { subscriptionId, ...getRestoredColumns(site) },
      select: { id: true },
    });
    await audit(tx, {
      action: "licence.absorbed",
      object: { type: "SiteLicence", id },
      details: { site: siteId, subscription: subscriptionId },
    });
  }
  const absorbedLicences = absorbedRows.map((licence) => ({
    ...licence,
    status: "absorbed" as const,
    site: { ...licence.site, isActive: licence.site.isActive || isSuspendedUnpaid(licence.site) },
  }));
  return { absorbed: absorbedLicences, remaining };
}

/** Activates a pending licence and its site. Returns false when the licence is not pending. */
export async function activateLicence(tx: Context, id: number): Promise<boolean> {
  const { count } = await tx.db.siteLicence.updateMany({
    where: { id, status: "pending" },
    data: { status: "active", paidAt: new Date() },
  });
  if (count === 0) return false;
  const { site } = await tx.db.siteLicence.findUniqueOrThrow({
    where: { id },
    select: LICENCE_WITH_SITE_SELECT,
  });
  if (isSuspendedUnpaid(site))
    await tx.db.site.update({ where: { id: site.id }, data: getRestoredColumns(site), select: { id: true } });
  return true;
}

/** Reopens a licence after its payment was reversed, or cancels it if its site is deleted. */
export async function reopenLicence({ db }: Pick<DbAccess, "db">, id: number): Promise<void> {
  const whereActive = { id, status: "active" as const };
  const cancellation = await db.siteLicence.updateMany({
    where: { ...whereActive, site: { deletedAt: { not: null } } },
    data: { status: "cancelled", closedReason: "reversed" },
  });
  if (cancellation.count > 0) return;
  const { count } = await db.siteLicence.updateMany({
    where: whereActive,
    data: { status: "pending", paidAt: null, payBy: fromNow(LICENCE_PAYMENT_DAYS * DAY) },
  });
  if (count > 0) await clearDueNotices({ db }, [id]);
}

/** Deletes the records of sent notices (kinds as in notices.ts), so that the notices are sent again. */
async function clearDueNotices({ db }: Pick<DbAccess, "db">, ids: number[]): Promise<void> {
  const where = { licenceId: { in: ids }, OR: [{ kind: { startsWith: "pay_" } }, { kind: "suspended" }] };
  await db.licenceNotice.deleteMany({ where });
}

export async function reopenLicencesAbsorbedBy(tx: Context, subscriptionId: number): Promise<void> {
  const reopenedLicences = await reopenAbsorbedLicences(tx, { subscriptionId });
  for (const { id } of reopenedLicences)
    await audit(tx, { action: "licence.reopened", object: { type: "SiteLicence", id } });
  await clearDueNotices(
    tx,
    reopenedLicences.map(({ id }) => id),
  );
}

/**
 * Closes the licences of sites that are being deleted. Unpaid ones keep their domains, which identify the
 * debt, unless the account is deleted.
 */
export async function closeLicences(
  tx: Pick<DbAccess, "db" | "sql">,
  { siteIds, reason }: { siteIds: number[]; reason: "site_deleted" | "account_deleted" },
): Promise<void> {
  await closeLicencesOfSites(tx, { siteIds, reason });
  const statusFilter = reason === "site_deleted" ? { status: { not: "pending" as const } } : {};
  await clearLicenceDomains(tx, { siteId: { in: siteIds }, ...statusFilter });
}

/** Returns the IDs of licences that must still be paid after the deletion of their site. */
export async function listLicenceIdsOutlivingSite(
  access: Pick<DbAccess, "sql">,
  siteId: number,
): Promise<number[]> {
  return (await findLicencesOutlivingSite(access, { siteId })).map(({ id }) => id);
}

export async function clearLicenceDomains(
  { db }: Pick<DbAccess, "db">,
  where: Prisma.SiteLicenceWhereInput,
): Promise<void> {
  await db.siteLicence.updateMany({
    where: { ...where, domains: { isEmpty: false } },
    data: { domains: [] },
  });
}

/** Domain of a licence's site, or its last domain if the site is deleted; null if unknown. */
export function getLicenceDomain({
  domains,
  site,
}: {
  domains: string[];
  site: { domain: string; deletedAt: Date | null };
}): string | null {
  return site.deletedAt ? (domains.at(-1) ?? null) : site.domain;
}

/** Also finds debts of other sites that had `domain`, so that it never gets the time to pay twice. */
export async function findDebtBlockingDomain(
  { db }: Pick<DbAccess, "db">,
  { siteId, domain }: { siteId: number; domain: string },
): Promise<Debt | undefined> {
  const wherePending = {
    status: "pending",
    site: { subscriptionId: null },
  } satisfies Prisma.SiteLicenceWhereInput;
  const ownLicence = await db.siteLicence.findFirst({
    where: { ...wherePending, siteId },
    orderBy: { payBy: "asc" },
    select: { ...DEBT_SELECT, userId: true, payBy: true },
  });
  if (!ownLicence) return undefined;
  if (ownLicence.payBy <= new Date()) return toDebt(ownLicence);
  const otherLicence = await db.siteLicence.findFirst({
    where: {
      status: "pending",
      siteId: { not: siteId },
      userId: ownLicence.userId,
      domains: { has: domain },
    },
    select: DEBT_SELECT,
  });
  return otherLicence ? toDebt(otherLicence) : undefined;
}

const DEBT_SELECT = {
  reference: true,
  priceTry: true,
  domains: true,
  site: { select: { domain: true, deletedAt: true } },
} as const satisfies Prisma.SiteLicenceSelect;

const toDebt = (row: Prisma.SiteLicenceGetPayload<{ select: typeof DEBT_SELECT }>): Debt => ({
  reference: row.reference,
  priceTry: row.priceTry,
  domain: getLicenceDomain(row),
});

export async function addLicenceDomain(
  { db }: Pick<DbAccess, "db">,
  siteId: number,
  domain: string,
): Promise<void> {
  await db.siteLicence.updateMany({
    where: { siteId, status: "pending" },
    data: { domains: { push: domain } },
  });
}

type LicensedSite = LicenceWithSite["site"];
const isSuspendedUnpaid = ({ suspendedReason, deletedAt }: LicensedSite) =>
  suspendedReason === "licence_unpaid" && !deletedAt;

function getRestoredColumns(site: LicensedSite) {
  return isSuspendedUnpaid(site) ? { isActive: true, suspendedReason: null } : {};
}

/** Makes the owner pay the licences of own sites, except those of payers who stay parent or reseller. */
export async function transferLicencesToOwner(
  tx: Pick<DbAccess, "db" | "sql">,
  ownerId: number,
  remainingPayerIds: readonly number[],
): Promise<void> {
  await transferAndClearNotices(tx, {
    ownerId,
    payerId: null,
    remainingPayerIds,
    keepsSubAccountLicences: false,
  });
}

/** Makes the owners pay the licences of a payer who is no longer their parent or reseller. */
export async function transferLicencesOfPayer(
  tx: Pick<DbAccess, "db" | "sql">,
  payerId: number,
  { keepsSubAccountLicences }: { keepsSubAccountLicences: boolean },
): Promise<void> {
  await transferAndClearNotices(tx, {
    ownerId: null,
    payerId,
    remainingPayerIds: [],
    keepsSubAccountLicences,
  });
}

async function transferAndClearNotices(
  tx: Pick<DbAccess, "db" | "sql">,
  input: Parameters<typeof transferLicences>[1],
): Promise<void> {
  const transferredLicences = await transferLicences(tx, input);
  // The new payer has not received these notices.
  await clearDueNotices(
    tx,
    transferredLicences.map(({ id }) => id),
  );
}
