import { toTurkishDay } from "@/server/core/calendar";
import { createSystemContext } from "@/server/core/context";
import { formatMoney, toMinor } from "@/server/core/money";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { formatTransferText } from "@/server/domains/platform/settings/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { RENEWAL_DAYS } from "../contract";

export const BILLING_PATH = "/billing";

/** Number of calendar days in Turkey until a moment. */
export function daysUntil(moment: Date): number {
  return (Date.parse(toTurkishDay(moment)) - Date.parse(toTurkishDay(new Date()))) / DAY;
}

/** Returns the smallest of `noticeDays` that is not below `days`, the days left. Skips missed notices. */
export function pickDueNotice<const N extends number>(days: number, noticeDays: readonly N[]): N | undefined {
  return days < 0 ? undefined : noticeDays.toSorted((a, b) => a - b).find((notice) => days <= notice);
}

const LICENCE_SELECT = {
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
type Licence = Prisma.SiteLicenceGetPayload<{ select: typeof LICENCE_SELECT }>;

async function recordNotice({ db }: Pick<DbAccess, "db">, licenceId: number, kind: string): Promise<boolean> {
  const { count } = await db.licenceNotice.createMany({ data: { licenceId, kind }, skipDuplicates: true });
  return count === 1;
}

async function notifyPayer(
  tx: DbAccess,
  { userId, site, priceTry, reference }: Licence,
  template: "licence_due" | "licence_ends" | "licence_suspended",
  dates: Record<string, Date>,
): Promise<void> {
  const bank = await getSetting(tx, "bank");
  await notifyOwner(createSystemContext(tx), userId, template, {
    path: BILLING_PATH,
    params: ({ locale, languageTag }) => ({
      ...dates,
      site: site.name,
      amount: formatMoney(toMinor(priceTry), { currency: "TRY", locale: languageTag }),
      transfer: formatTransferText(locale, bank, reference),
    }),
  });
}

export async function notifySuspendedForPayment(tx: DbAccess, licenceId: number): Promise<void> {
  if (!(await recordNotice(tx, licenceId, "suspended"))) return;
  const { user, ...licence } = await tx.db.siteLicence.findUniqueOrThrow({
    where: { id: licenceId },
    select: { ...LICENCE_SELECT, user: { select: { name: true, email: true } } },
  });
  await notifyPayer(tx, licence, "licence_suspended", {});
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
      payBy: { gt: new Date(), lt: fromNow((RENEWAL_DAYS + 1) * DAY) },
      site: { deletedAt: null },
    },
    orderBy: { id: "asc" },
    select: LICENCE_SELECT,
  });
  for (const licence of pendingLicences) {
    const notice = findDueNotice(licence);
    if (notice)
      await inTransaction(async (tx) => {
        // The licence may have been paid since the list was read.
        const pendingCount = await tx.db.siteLicence.count({ where: { id: licence.id, status: "pending" } });
        if (pendingCount > 0 && (await recordNotice(tx, notice.licenceId, notice.kind)))
          await notifyPayer(tx, licence, notice.template, { until: notice.until });
      });
  }
}

/** Returns the reminder that is due: of a renewal before the running year ends, otherwise before `payBy`. */
function findDueNotice({ id, periodStart, payBy, notices, site }: Licence) {
  // A paid year after this licence does not count: the reminder of this one is still needed.
  const runningLicence = site.licences.find(({ periodEnd }) => periodEnd <= periodStart);
  const until = runningLicence?.periodEnd ?? payBy;
  const days = pickDueNotice(daysUntil(until), runningLicence ? [30, 7, 1] : [7, 1]);
  const kind = `${runningLicence ? "ends" : "pay"}_${days}`;
  const isSent = (runningLicence ?? { notices }).notices.some((notice) => notice.kind === kind);
  if (days === undefined || isSent) return undefined;
  const template = runningLicence ? ("licence_ends" as const) : ("licence_due" as const);
  return { licenceId: runningLicence?.id ?? id, kind, template, until };
}
