import type { Context } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { LICENCE_PAYMENT_DAYS } from "../contract";
import type { Debt } from "../service";
import { closeWithSites, findStayingDue, handLicences, lockPending, reopenAbsorbed } from "../statements";
import { roomOf, TOUCHED } from "./release";

const LICENCE = {
  id: true,
  siteId: true,
  userId: true,
  status: true,
  reference: true,
  site: { select: { ...TOUCHED, suspendedReason: true, deletedAt: true } },
} as const satisfies Prisma.SiteLicenceSelect;
export type Licence = Prisma.SiteLicenceGetPayload<{ select: typeof LICENCE }>;

/** Locks and returns the pending licences of an account's own sites, whoever opened them. */
export async function pendingLicences(tx: Pick<Work, "db" | "sql">, userId: number): Promise<Licence[]> {
  const ids = (await lockPending(tx, { userId })).map(({ id }) => id);
  return tx.db.siteLicence.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" }, select: LICENCE });
}

/**
 * Lets a subscription pay for the sites of pending licences, in their order, while it has room; the licences are closed.
 * Returns those that it took, and those that did not fit.
 */
export async function absorbLicences(
  tx: Context,
  { licences, subscriptionId }: { licences: Licence[]; subscriptionId: number },
): Promise<{ taken: Licence[]; left: Licence[] }> {
  if (licences.length === 0) return { taken: [], left: [] };
  const room = await roomOf(tx, subscriptionId);
  const [taken, left] = [licences.slice(0, room), licences.slice(room)];
  for (const { id, siteId, site } of taken) {
    await tx.db.siteLicence.update({
      where: { id },
      data: { status: "absorbed", closedReason: "absorbed", absorbedById: subscriptionId },
      select: { id: true },
    });
    await tx.db.site.update({
      where: { id: siteId },
      data: { subscriptionId, ...backFrom(site) },
      select: { id: true },
    });
    await audit(tx, {
      action: "licence.absorbed",
      object: { type: "SiteLicence", id },
      details: { site: siteId, subscription: subscriptionId },
    });
  }
  const after = taken.map((licence) => ({
    ...licence,
    status: "absorbed" as const,
    site: { ...licence.site, isActive: licence.site.isActive || wasUnpaid(licence.site) },
  }));
  return { taken: after, left };
}

/** Makes a pending licence active, and brings its site back; false when it is pending no more. */
export async function activateLicence(tx: Context, id: number): Promise<boolean> {
  const { count } = await tx.db.siteLicence.updateMany({
    where: { id, status: "pending" },
    data: { status: "active", paidAt: new Date() },
  });
  if (count === 0) return false;
  const { site } = await tx.db.siteLicence.findUniqueOrThrow({ where: { id }, select: LICENCE });
  if (wasUnpaid(site))
    await tx.db.site.update({ where: { id: site.id }, data: backFrom(site), select: { id: true } });
  return true;
}

/** What a licence becomes whose payment did not count: payable once more, or closed with a site that is gone. */
export async function reopenLicence({ db }: Pick<Work, "db">, id: number): Promise<void> {
  const active = { id, status: "active" as const };
  const gone = await db.siteLicence.updateMany({
    where: { ...active, site: { deletedAt: { not: null } } },
    data: { status: "cancelled", closedReason: "reversed" },
  });
  if (gone.count > 0) return;
  const { count } = await db.siteLicence.updateMany({
    where: active,
    data: { status: "pending", paidAt: null, payBy: fromNow(LICENCE_PAYMENT_DAYS * DAY) },
  });
  if (count > 0) await forgetDue({ db }, [id]);
}

/** Lets whoever is to pay licences from now on be told again of what is due, and of a suspension. */
async function forgetDue({ db }: Pick<Work, "db">, ids: number[]): Promise<void> {
  const where = { licenceId: { in: ids }, kind: { in: ["pay_7", "pay_1", "suspended"] } };
  await db.licenceNotice.deleteMany({ where });
}

/** Lets licences that a subscription took over wait for their payment again, because its own did not count. */
export async function reopenAbsorbedBy(tx: Context, subscriptionId: number): Promise<void> {
  const reopened = await reopenAbsorbed(tx, { subscriptionId });
  for (const { id } of reopened)
    await audit(tx, { action: "licence.reopened", object: { type: "SiteLicence", id } });
  await forgetDue(
    tx,
    reopened.map(({ id }) => id),
  );
}

/**
 * Closes the licences of sites that end. Only what stays to be paid keeps the domain, which the debt is known by; nothing
 * does when the account of the sites ends.
 */
export async function closeLicences(
  tx: Pick<Work, "db" | "sql">,
  { siteIds, reason }: { siteIds: number[]; reason: "site_deleted" | "account_deleted" },
): Promise<void> {
  await closeWithSites(tx, { siteIds, reason });
  const kept = reason === "site_deleted" ? { status: { not: "pending" as const } } : {};
  await forgetDomains(tx, { siteId: { in: siteIds }, ...kept });
}

/** Returns the licences of a site that stay to be paid when it is deleted. */
export async function staysDueWithout(work: Pick<Work, "sql">, siteId: number): Promise<number[]> {
  return (await findStayingDue(work, { siteId })).map(({ id }) => id);
}

/** Removes the domains that licences were opened for. */
export async function forgetDomains(
  { db }: Pick<Work, "db">,
  where: Prisma.SiteLicenceWhereInput,
): Promise<void> {
  await db.siteLicence.updateMany({
    where: { ...where, domains: { isEmpty: false } },
    data: { domains: [] },
  });
}

/** Domain of a licence's site, or its last one when the site is deleted; null when that is not known. */
export function domainOf({
  domains,
  site,
}: {
  domains: string[];
  site: { domain: string; deletedAt: Date | null };
}): string | null {
  return site.deletedAt ? (domains.at(-1) ?? null) : site.domain;
}

/**
 * Refuses another domain for a site whose licence is overdue, and for one that is still to be paid the domain of another
 * unpaid licence of the same account: the old domain would get a second period of grace. Returns the licence to pay.
 */
export async function debtOnRename(
  { db }: Pick<Work, "db">,
  { siteId, domain }: { siteId: number; domain: string },
): Promise<Debt | undefined> {
  const pending = {
    status: "pending",
    site: { subscriptionId: null },
  } satisfies Prisma.SiteLicenceWhereInput;
  const own = await db.siteLicence.findFirst({
    where: { ...pending, siteId },
    orderBy: { payBy: "asc" },
    select: { ...DEBT, userId: true, payBy: true },
  });
  if (!own) return undefined;
  if (own.payBy <= new Date()) return debt(own);
  const other = await db.siteLicence.findFirst({
    where: { status: "pending", siteId: { not: siteId }, userId: own.userId, domains: { has: domain } },
    select: DEBT,
  });
  return other ? debt(other) : undefined;
}

const DEBT = {
  reference: true,
  priceTry: true,
  domains: true,
  site: { select: { domain: true, deletedAt: true } },
} as const satisfies Prisma.SiteLicenceSelect;

const debt = (row: Prisma.SiteLicenceGetPayload<{ select: typeof DEBT }>): Debt => ({
  reference: row.reference,
  priceTry: row.priceTry,
  domain: domainOf(row),
});

/** Notes the new domain of a site in the licence that is to be paid for it. */
export async function noteDomain({ db }: Pick<Work, "db">, siteId: number, domain: string): Promise<void> {
  await db.siteLicence.updateMany({
    where: { siteId, status: "pending" },
    data: { domains: { push: domain } },
  });
}

type SuspendedSite = Licence["site"];
const wasUnpaid = ({ suspendedReason, deletedAt }: SuspendedSite) =>
  suspendedReason === "licence_unpaid" && !deletedAt;

function backFrom(site: SuspendedSite) {
  return wasUnpaid(site) ? { isActive: true, suspendedReason: null } : {};
}

/** Hands what accounts above an owner have paid, or are to pay, for the owner's sites to that owner. */
export async function handLicencesFromAbove(
  tx: Pick<Work, "db" | "sql">,
  ownerId: number,
  staying: readonly number[],
): Promise<void> {
  await hand(tx, { ownerId, payerId: null, staying, keepsMembers: false });
}

/** Hands what an account has paid, or is to pay, for other people's sites to their owners. */
export async function handLicencesOf(
  tx: Pick<Work, "db" | "sql">,
  payerId: number,
  { keepsMembers }: { keepsMembers: boolean },
): Promise<void> {
  await hand(tx, { ownerId: null, payerId, staying: [], keepsMembers });
}

async function hand(tx: Pick<Work, "db" | "sql">, given: Parameters<typeof handLicences>[1]): Promise<void> {
  const handed = await handLicences(tx, given);
  // Who paid before was told; a year that is paid keeps what was said of its end.
  await forgetDue(
    tx,
    handed.map(({ id }) => id),
  );
}
