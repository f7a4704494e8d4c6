import type { AuditAction } from "@/server/core/domain";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

type Entry = Prisma.AuditEventCreateManyInput & { action: AuditAction; at: Date };

/** Documentation address: no request comes from it, so no network counts as known. */
const DEMO_ADDRESS = "203.0.113.24";
const DEMO_BROWSER =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const DAYS_BETWEEN_SIGN_INS = 3;
/** Every so many sign-ins begin with a wrong password. */
const SIGN_INS_PER_FAILURE = 4;
/** Days ago with several wrong passwords before the right one. */
const GUESSING_DAYS_AGO = 16;

/** Writes the history of the seeded records to the audit log, oldest first. A job seals it like other entries. */
export async function seedActivity(signedInEmails: readonly string[]): Promise<void> {
  const accounts = await prisma().user.findMany({
    where: { email: { in: [...signedInEmails] } },
    orderBy: { id: "asc" },
    select: { id: true, createdAt: true },
  });
  const entries = [
    ...accounts.flatMap(({ id, createdAt }) => listSignIns(id, createdAt)),
    ...(await listSiteEntries()),
    ...(await listBillingEntries()),
  ];
  await prisma().auditEvent.createMany({ data: entries.toSorted((a, b) => a.at.getTime() - b.at.getTime()) });
}

function listSignIns(userId: number, since: Date): Entry[] {
  const entries: Entry[] = [];
  for (let daysAgo = 1; fromNow(-daysAgo * DAY) > since; daysAgo += DAYS_BETWEEN_SIGN_INS) {
    // Differs from day to day and from account to account.
    const minutes = (daysAgo * 37 + userId * 13) % 480;
    const at = fromNow(-daysAgo * DAY - minutes * MINUTE);
    const isGuessed = daysAgo === GUESSING_DAYS_AGO;
    const failureCount = isGuessed ? 5 : (daysAgo + userId) % SIGN_INS_PER_FAILURE === 0 ? 1 : 0;
    for (let index = failureCount; index >= 0; index--)
      entries.push({
        ...{ at: new Date(at.getTime() - index * MINUTE) },
        action: index > 0 ? "sign_in.failed" : "sign_in.succeeded",
        ...{ actorKind: "anonymous", actorId: userId, objectType: "User", objectId: String(userId) },
        ...{ details: { way: "password" }, ip: DEMO_ADDRESS, userAgent: DEMO_BROWSER },
      });
  }
  return entries;
}

async function listSiteEntries(): Promise<Entry[]> {
  const sites = await prisma().site.findMany({
    select: { id: true, userId: true, createdAt: true, updatedAt: true, suspendedReason: true },
  });
  const administrator = await prisma().user.findFirstOrThrow({
    where: { role: "admin" },
    select: { id: true },
  });
  return sites.flatMap(({ id, userId, createdAt, updatedAt, suspendedReason }) => {
    const site = { objectType: "Site", objectId: String(id) };
    const isOwn = suspendedReason === "owner";
    const isPersonal = isOwn || suspendedReason === "administrator";
    return [
      { ...site, at: createdAt, action: "site.created" as const, actorKind: "user", actorId: userId },
      ...(suspendedReason
        ? [
            {
              ...{ ...site, at: updatedAt, action: "site.suspended" as const },
              details: { reason: suspendedReason },
              actorKind: isPersonal ? "user" : "system",
              actorId: isPersonal ? (isOwn ? userId : administrator.id) : null,
            },
          ]
        : []),
    ];
  });
}

async function listBillingEntries(): Promise<Entry[]> {
  const payments = await prisma().payment.findMany({
    where: { recordedById: { not: null } },
    include: { subscription: { select: { id: true } } },
  });
  const payouts = await prisma().referralPayout.findMany();
  return [
    ...payments.flatMap(({ id, userId, amountMinor, createdAt, recordedById, subscriptionId, licenceId }) => {
      const recorded = { actorKind: "user", actorId: recordedById, at: createdAt };
      return [
        {
          ...{
            ...recorded,
            action: "payment.recorded" as const,
            objectType: "Payment",
            objectId: String(id),
          },
          details: { user: userId, amount: amountMinor, invoice: true },
        },
        subscriptionId === null
          ? {
              ...{ ...recorded, at: new Date(createdAt.getTime() + 1), action: "licence.paid" as const },
              ...{
                objectType: "SiteLicence",
                objectId: String(licenceId),
                details: { user: userId, payment: id },
              },
            }
          : {
              ...{ ...recorded, at: new Date(createdAt.getTime() + 1) },
              ...{ action: "subscription.activated" as const, objectType: "Subscription" },
              ...{ objectId: String(subscriptionId), details: { user: userId, payment: id } },
            },
      ];
    }),
    ...payouts.map(({ id, resellerId, amountMinor, reference, createdAt, recordedById }) => ({
      ...{ at: createdAt, action: "payout.recorded" as const, actorKind: "user", actorId: recordedById },
      ...{ objectType: "User", objectId: String(resellerId) },
      details: { payout: id, amount: amountMinor, reference },
    })),
  ];
}
