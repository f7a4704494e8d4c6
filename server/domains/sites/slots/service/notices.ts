import { toTurkishDay } from "@/server/core/calendar";
import { createSystemContext } from "@/server/core/context";
import { formatMoney, toMinor } from "@/server/core/money";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { formatBankTransferText } from "@/server/domains/platform/settings/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { getPaymentPath, LICENCE_PAYMENT_DAYS, RENEWAL_LEAD_DAYS, RENEWAL_NOTICE_DAYS } from "../contract";

/** Number of calendar days in Turkey until a moment. */
export function countDaysUntil(moment: Date): number {
  return (Date.parse(toTurkishDay(moment)) - Date.parse(toTurkishDay(new Date()))) / DAY;
}

/** Returns the days before the end of a period on which its payer is reminded: none in its first half. */
export function listNoticeDays({ periodMs }: { periodMs: number }): number[] {
  return RENEWAL_NOTICE_DAYS.filter((noticeDay) => noticeDay * 2 * DAY <= periodMs);
}

/** Returns the smallest of `noticeDays` that is at least `daysLeft`. Skips missed notices. */
export function pickDueNoticeDay(daysLeft: number, noticeDays: readonly number[]): number | undefined {
  return daysLeft < 0
    ? undefined
    : noticeDays.toSorted((a, b) => a - b).find((noticeDay) => daysLeft <= noticeDay);
}

const LICENCE_TO_NOTIFY_SELECT = {
  id: true,
  userId: true,
  priceTry: true,
  reference: true,
  periodStart: true,
  payBy: true,
  notices: { select: { kind: true } },
  site: {
    select: {
      id: true,
      name: true,
      userId: true,
      licences: {
        where: { status: "active" },
        select: { id: true, periodEnd: true, notices: { select: { kind: true } } },
      },
    },
  },
} as const satisfies Prisma.SiteLicenceSelect;
type LicenceToNotify = Prisma.SiteLicenceGetPayload<{ select: typeof LICENCE_TO_NOTIFY_SELECT }>;

/** Returns false if the notice was recorded before. */
async function recordNoticeOnce(
  { db }: Pick<DbAccess, "db">,
  licenceId: number,
  kind: string,
): Promise<boolean> {
  const { count } = await db.licenceNotice.createMany({ data: { licenceId, kind }, skipDuplicates: true });
  return count === 1;
}

async function notifyPayer(
  tx: DbAccess,
  { userId, site, priceTry, reference }: LicenceToNotify,
  template: "licence_due" | "licence_ends" | "licence_suspended",
  { until }: { until?: Date } = {},
): Promise<void> {
  const bank = await getSetting(tx, "bank");
  await notifyOwner(createSystemContext(tx), userId, template, {
    path: getPaymentPath(reference),
    params: ({ locale, formatDay }) => ({
      ...(until && { until: formatDay(until) }),
      site: site.name,
      amount: formatMoney(toMinor(priceTry), { currency: "TRY", locale }),
      transfer: formatBankTransferText(locale, bank, reference),
    }),
  });
}

export async function notifyUnpaidSuspension(tx: DbAccess, licenceId: number): Promise<void> {
  if (!(await recordNoticeOnce(tx, licenceId, "suspended"))) return;
  const { user, ...licence } = await tx.db.siteLicence.findUniqueOrThrow({
    where: { id: licenceId },
    select: { ...LICENCE_TO_NOTIFY_SELECT, user: { select: { name: true, email: true } } },
  });
  await notifyPayer(tx, licence, "licence_suspended");
  const { site } = licence;
  if (site.userId !== licence.userId)
    await notifyOwner(createSystemContext(tx), site.userId, "site_unpaid", {
      path: `/sites/${site.id}`,
      params: { site: site.name, payer: user.name, contact: user.email },
    });
}

export async function sendLicenceReminders(): Promise<void> {
  const pendingLicences = await withoutTransaction().db.siteLicence.findMany({
    where: {
      status: "pending",
      payBy: { gt: new Date(), lt: fromNow((RENEWAL_LEAD_DAYS + 1) * DAY) },
      site: { deletedAt: null },
    },
    orderBy: { id: "asc" },
    select: LICENCE_TO_NOTIFY_SELECT,
  });
  for (const licence of pendingLicences) {
    const notice = findDueNotice(licence);
    if (notice)
      await inTransaction(async (tx) => {
        // The licence may have been paid since the list was read.
        const pendingCount = await tx.db.siteLicence.count({ where: { id: licence.id, status: "pending" } });
        if (pendingCount > 0 && (await recordNoticeOnce(tx, notice.licenceId, notice.kind)))
          await notifyPayer(tx, licence, notice.template, { until: notice.until });
      });
  }
}

/** Returns the reminder that is due: of a renewal before the running year ends, otherwise before `payBy`. */
function findDueNotice({ id, periodStart, payBy, notices, site }: LicenceToNotify) {
  // A paid year after this licence does not count: the reminder of this one is still needed.
  const runningLicence = site.licences.find(({ periodEnd }) => periodEnd <= periodStart);
  const until = runningLicence?.periodEnd ?? payBy;
  const noticeDays = runningLicence
    ? RENEWAL_NOTICE_DAYS
    : listNoticeDays({ periodMs: LICENCE_PAYMENT_DAYS * DAY });
  const noticeDay = pickDueNoticeDay(countDaysUntil(until), noticeDays);
  const kind = `${runningLicence ? "ends" : "pay"}_${noticeDay}`;
  const isSent = (runningLicence ?? { notices }).notices.some((sentNotice) => sentNotice.kind === kind);
  if (noticeDay === undefined || isSent) return undefined;
  const template = runningLicence ? ("licence_ends" as const) : ("licence_due" as const);
  return { licenceId: runningLicence?.id ?? id, kind, template, until };
}
