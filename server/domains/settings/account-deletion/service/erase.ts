import type { Context, UserActor } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import { toMailLocale } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { findReservedAddress } from "@/server/domains/access/verification/service/reserved-address";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { eraseConsentEntries } from "@/server/domains/accounts/consents/service/ledger";
import { CLEARED_ACCOUNT_VALUES } from "@/server/domains/accounts/users/service/change";
import { lockAdministrators, lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { lockOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { erasePersonalData } from "@/server/domains/accounts/users/service/personal-data";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { anonymiseCleanups } from "@/server/domains/sites/connections/service/teardown";
import { lockSlots } from "@/server/domains/sites/slots/service";
import { clearLicenceDomains } from "@/server/domains/sites/slots/service/licences";
import { eraseInvitee } from "@/server/domains/tenancy/customers/service/erase-invitee";
import { retireSites } from "@/server/domains/tenancy/site-removal/service/retire";
import {
  listForeignAgentIds,
  revokeAccessToOtherSites,
  revokeFormerAccess,
} from "@/server/domains/tenancy/team/service/revoke-former-access";
import { getResellerBrand } from "@/server/infrastructure/brand/brand";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { deleteRateLimits, lockAccountForErasure } from "../statements";
import { type Certificate, createCertificate } from "./certificate";
import { forecastDeletion } from "./forecast";

type ErasedPerson = Awaited<ReturnType<typeof lockAccountForErasure>>[number];

export interface ErasureResult {
  mode: "deleted" | "anonymized";
  certificate: Certificate;
  pendingTaskCount: number;
}

export async function eraseAccount(
  tx: Context<UserActor>,
  { userId, codeHash }: { userId: number; codeHash: Buffer<ArrayBuffer> | null },
): Promise<ErasureResult> {
  await requireOtherAdministrator(tx, userId);
  const [person] = await lockAccountForErasure(tx, { userId });
  if (!person) throw createError("unauthenticated");
  await lockOwnAccount(tx);
  if (codeHash) await consumeCode(tx, userId, codeHash);

  const forecast = await forecastDeletion(tx, userId);
  const brand = await getResellerBrand(tx, userId);
  const reservedEmail = await findReservedAddress(tx, userId);
  const verifiedAddresses = await findVerifiedAddresses(tx, userId);
  const mode = forecast.mode === "delete" ? "deleted" : "anonymized";
  const certificate = await createCertificate(tx, { mode, topics: forecast.topics });
  // Emit before the relations to parent and resellers are removed: they receive the event.
  await emitWebhookEvent(tx, { type: "user.deleted", ownerId: userId, data: { id: userId, mode } });
  await queuePictureRemoval(tx, person);
  for (const subUserId of await lockSubUsers(tx, userId)) await revokeFormerAccess(tx, subUserId);
  await revokeAccessToOtherSites(tx, userId);
  await releaseDependants(tx, userId);
  await deleteSites(tx, userId);
  await anonymiseCleanups(tx, userId);
  const pendingTaskCount = await erasePersonalData(tx, userId, { deletionCertificateId: certificate.id });
  await eraseTraces(tx, { userId, email: person.email, emailKey: person.emailKey });
  for (const email of verifiedAddresses) await eraseInvitations(tx, email);
  // From here on, write nothing that identifies the person, such as the request's IP address.
  const anonymousContext: Context = { ...tx, actor: { kind: "system" }, ip: "", userAgent: null };
  if (mode === "deleted") await deleteUserAndEntries(anonymousContext, userId);
  else await anonymiseUserAndRecords(tx, userId);
  await audit(anonymousContext, {
    action: mode === "deleted" ? "account.deleted" : "account.anonymised",
    object: { type: "User", id: userId },
    details: { certificate: certificate.id },
  });
  const brandResellerId = brand && brand.resellerId !== userId ? brand.resellerId : undefined;
  for (const email of [person.email, ...(reservedEmail ? [reservedEmail] : [])])
    await mailCertificate(tx, { ...person, email }, { mode, certificate, brandResellerId });
  return { mode, certificate, pendingTaskCount };
}

/** Lock order: before the account's row. */
async function requireOtherAdministrator(tx: DbAccess, userId: number): Promise<void> {
  const ownAdministratorFilter = { id: userId, role: "admin" as const };
  if ((await tx.db.user.count({ where: ownAdministratorFilter })) === 0) return;
  await lockAdministrators(tx);
  const otherAdministrator = await tx.db.user.findFirst({
    where: { role: "admin", isActive: true, id: { not: userId } },
    select: { id: true },
  });
  if (!otherAdministrator) throw createError("last_administrator");
}

async function consumeCode(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  codeHash: Buffer<ArrayBuffer>,
): Promise<void> {
  const { count } = await db.deletionRequest.deleteMany({ where: { userId, codeHash } });
  if (count === 0) throw createError("code_wrong");
}

async function queuePictureRemoval(tx: DbAccess, { avatarUrl }: ErasedPerson): Promise<void> {
  if (avatarUrl?.startsWith("/media/")) await addJob(tx, "remove_file", { key: avatarUrl.slice(1) });
}

/** Locks sub-users, and agents that a parent or reseller assigned to their sites. Returns the sub-users. */
async function lockSubUsers(tx: DbAccess, userId: number): Promise<number[]> {
  const subUserFilter = { parentUserId: userId, isAgentOnly: false };
  const rows = await tx.db.user.findMany({
    where: subUserFilter,
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const subUserIds = rows.map(({ id }) => id);
  const affectedIds = [...subUserIds, ...(await listForeignAgentIds(tx, subUserIds))];
  for (const id of affectedIds.sort((a, b) => a - b)) await lockUserIfExists(tx, id);
  return subUserIds;
}

/** Deactivates agents, detaches sub-users and customers (a job notifies them), clears references. */
async function releaseDependants(tx: DbAccess, userId: number): Promise<void> {
  const agentsOfAccount = { parentUserId: userId, isAgentOnly: true };
  const deactivatedAgents = await tx.db.user.updateManyAndReturn({
    where: agentsOfAccount,
    data: { isActive: false, parentUserId: null, assignedSiteId: null },
    select: { id: true },
  });
  const agentFilter = { userId: { in: deactivatedAgents.map(({ id }) => id) } };
  await tx.db.accessToken.deleteMany({ where: agentFilter });
  await tx.db.interimToken.deleteMany({ where: agentFilter });
  const subUsers = await tx.db.user.updateManyAndReturn({
    where: { parentUserId: userId },
    data: { parentUserId: null },
    select: { id: true },
  });
  const customers = await tx.db.user.updateManyAndReturn({
    where: { resellerId: userId },
    data: { resellerId: null },
    select: { id: true },
  });
  await tx.db.setting.updateMany({ where: { updatedById: userId }, data: { updatedById: null } });
  await tx.db.mediaFile.updateMany({ where: { uploadedById: userId }, data: { uploadedById: null } });
  await tx.db.snippet.updateMany({ where: { createdById: userId }, data: { createdById: null } });
  const releasedIds = new Set([...subUsers, ...customers].map(({ id }) => id));
  if (releasedIds.size > 0) await addJob(tx, "tell_released", { userIds: [...releasedIds] });
}

const EMPTIED_DETAILS = { details: Prisma.DbNull, before: Prisma.DbNull, after: Prisma.DbNull };

/** Deletes the account's sites; rows of sites deleted earlier have no content left. */
async function deleteSites(tx: Context, userId: number): Promise<void> {
  await lockSlots(tx, userId);
  const sites = await tx.db.site.findMany({ where: { userId }, select: { id: true, deletedAt: true } });
  const activeSiteIds = sites.filter(({ deletedAt }) => !deletedAt).map(({ id }) => id);
  // Includes changes by agents and resellers: these entries contain old and new values.
  await tx.db.auditEvent.updateMany({
    where: {
      objectType: "Site",
      objectId: { in: sites.map(({ id }) => String(id)) },
      action: "site.changed",
    },
    data: EMPTIED_DETAILS,
  });
  await retireSites(tx, activeSiteIds, "account_deleted");
  await clearLicenceDomains(tx, { OR: [{ site: { userId } }, { userId }] });
}

/** Erases personal data outside the declared relations: in audit entries, mail copies and rate limits. */
async function eraseTraces(
  tx: DbAccess,
  { userId, email, emailKey }: { userId: number; email: string; emailKey: string },
): Promise<void> {
  const actionFilter = { not: "consents.erased" };
  const aboutAccount = { objectType: "User", objectId: String(userId) };
  // If another account acted, IP address and browser are that account's: keep them.
  await tx.db.auditEvent.updateMany({
    where: { action: actionFilter, OR: [aboutAccount, { onBehalfOf: userId }], actorId: { not: userId } },
    data: EMPTIED_DETAILS,
  });
  await tx.db.auditEvent.updateMany({
    where: { action: actionFilter, OR: [{ actorId: userId }, { actorId: null, ...aboutAccount }] },
    data: { ...EMPTIED_DETAILS, ip: null, userAgent: null },
  });
  // Customers' mails were also copied to the account that acted for them.
  await tx.db.mailMessage.updateMany({ where: { ccAddress: email }, data: { ccAddress: null } });
  await deleteRateLimits(tx, { emailKey });
}

/** Returns verified addresses: the current one, and earlier ones that no other account has now. */
async function findVerifiedAddresses({ db }: Pick<DbAccess, "db">, userId: number): Promise<string[]> {
  const { email, emailVerifiedAt, emailChanges } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      email: true,
      emailVerifiedAt: true,
      emailChanges: { where: { oldVerified: { not: null } }, select: { oldEmail: true } },
    },
  });
  const earlierEmails = emailChanges.map(({ oldEmail }) => oldEmail);
  const otherOwners = await db.user.findMany({
    where: { id: { not: userId }, emailKey: { in: earlierEmails.map(toEmailKey) } },
    select: { emailKey: true },
  });
  const takenEmailKeys = new Set(otherOwners.map((other) => other.emailKey));
  return [
    ...(emailVerifiedAt ? [email] : []),
    ...earlierEmails.filter((earlierEmail) => !takenEmailKeys.has(toEmailKey(earlierEmail))),
  ];
}

async function eraseInvitations(tx: DbAccess, email: string): Promise<void> {
  await eraseInvitee(tx, toEmailKey(email));
  await tx.db.accountAddition.deleteMany({ where: { name: { equals: email, mode: "insensitive" } } });
  await tx.db.mailMessage.deleteMany({
    where: { userId: null, toAddress: { in: [email, toEmailKey(email)] } },
  });
}

async function deleteUserAndEntries(anonymousContext: Context, userId: number): Promise<void> {
  await eraseConsentEntries(anonymousContext, userId);
  await anonymousContext.db.creditEntry.deleteMany({ where: { userId } });
  await anonymousContext.db.user.delete({ where: { id: userId }, select: { id: true } });
}

/** Values of an anonymised user. Columns that are not listed do not identify a person. */
const ANONYMISED_VALUES = {
  ...CLEARED_ACCOUNT_VALUES,
  name: "Silinmiş Kullanıcı",
  role: "user",
  isActive: false,
  allowedModules: Prisma.DbNull,
  isAgentOnly: false,
  assignedSiteId: null,
  resellerId: null,
  parentUserId: null,
} satisfies Prisma.UserUncheckedUpdateInput;

/** Keeps the row for retained records. Its `toEmailKey` is not an email address: it cannot be registered. */
async function anonymiseUserAndRecords({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.subscription.updateMany({
    where: { userId, status: { in: ["pending", "active", "past_due"] } },
    data: { status: "cancelled", closedReason: "account_deleted" },
  });
  await db.siteLicence.updateMany({
    where: { userId, status: { in: ["pending", "active"] } },
    data: { status: "cancelled", closedReason: "account_deleted" },
  });
  await db.payment.updateMany({ where: { userId }, data: { note: null, reverseReason: null } });
  await db.referralPayout.updateMany({ where: { resellerId: userId }, data: { note: null } });
  await db.accountingDocument.updateMany({
    where: { payment: { userId }, skipReason: { not: null } },
    data: { skipReason: "" },
  });
  await db.creditEntry.updateMany({ where: { userId }, data: { note: null } });
  await db.reseller.updateMany({
    where: { userId },
    data: {
      remindedVersion: null,
      referralCode: null,
      displayName: null,
      displayFolded: null,
      city: null,
      cityFolded: null,
      joinedAt: null,
      publicListingAt: null,
    },
  });
  await db.user.update({
    where: { id: userId },
    data: {
      ...ANONYMISED_VALUES,
      email: `deleted-${userId}@anon.invalid`,
      emailKey: `deleted:${userId}`,
      searchText: "",
      anonymisedAt: new Date(),
    },
    select: { id: true },
  });
}

/** Mails the certificate. Bypasses `mailUser`: the address no longer belongs to an account. */
async function mailCertificate(
  tx: Context,
  { name, email, ...person }: ErasedPerson,
  {
    mode,
    certificate,
    brandResellerId,
  }: Pick<ErasureResult, "mode" | "certificate"> & { brandResellerId: number | undefined },
): Promise<void> {
  await queueMail(
    tx,
    { userId: null, address: email, brandOf: brandResellerId },
    {
      template: "account_deleted",
      locale: toMailLocale(person, tx.locale),
      params: { name, mode },
      path: `/certificates/${certificate.id}?code=${certificate.code}`,
    },
  );
}
