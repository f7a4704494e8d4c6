import { dayOf } from "@/server/core/calendar";
import { systemContext } from "@/server/core/context";
import { formatMoney, toMinor } from "@/server/core/money";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { transferText } from "@/server/domains/platform/settings/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import { RENEWAL_DAYS } from "../contract";

export const BILLING_PAGE = "/billing";

/** Midnights in Turkey until a moment. */
export function daysUntil(moment: Date): number {
  return (Date.parse(dayOf(moment)) - Date.parse(dayOf(new Date()))) / DAY;
}

/** Picks the nearest notice for this many days before; missed ones are skipped. */
export function dueNotice<const N extends number>(days: number, notices: readonly N[]): N | undefined {
  return days < 0 ? undefined : notices.toSorted((a, b) => a - b).find((notice) => days <= notice);
}

const LICENCE = {
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
type Licence = Prisma.SiteLicenceGetPayload<{ select: typeof LICENCE }>;

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
  const bank = await setting(tx, "bank");
  await notifyOwner(systemContext(tx), userId, template, {
    path: BILLING_PAGE,
    params: ({ locale, digits }) => ({
      ...dates,
      site: site.name,
      amount: formatMoney(toMinor(priceTry), { currency: "TRY", locale: digits }),
      transfer: transferText(locale, bank, reference),
    }),
  });
}

/** Notifies the payer and the site's owner, once, that the site was suspended. */
export async function notifySuspended(tx: DbAccess, licenceId: number): Promise<void> {
  if (!(await recordNotice(tx, licenceId, "suspended"))) return;
  const { user, ...licence } = await tx.db.siteLicence.findUniqueOrThrow({
    where: { id: licenceId },
    select: { ...LICENCE, user: { select: { name: true, email: true } } },
  });
  await notifyPayer(tx, licence, "licence_suspended", {});
  const { site } = licence;
  if (site.userId !== licence.userId)
    await notifyOwner(systemContext(tx), site.userId, "site_unpaid", {
      path: `/sites/${site.id}`,
      params: { site: site.name, payer: user.name, contact: user.email },
    });
}

export async function sendLicenceReminders(): Promise<void> {
  const waiting = await withoutTransaction().db.siteLicence.findMany({
    where: {
      status: "pending",
      payBy: { gt: new Date(), lt: fromNow((RENEWAL_DAYS + 1) * DAY) },
      // The mails say what happens to the site.
      site: { deletedAt: null },
    },
    orderBy: { id: "asc" },
    select: LICENCE,
  });
  for (const licence of waiting) {
    const notice = noticeOf(licence);
    if (notice)
      await inTransaction(async (tx) => {
        // It may have been paid since it was read.
        const pendingCount = await tx.db.siteLicence.count({ where: { id: licence.id, status: "pending" } });
        if (pendingCount > 0 && (await recordNotice(tx, notice.licenceId, notice.kind)))
          await notifyPayer(tx, licence, notice.template, { until: notice.until });
      });
  }
}

/** Renewals are announced before the running year ends, first licences before their due date. */
function noticeOf({ id, periodStart, payBy, notices, site }: Licence) {
  // Only the year directly before: a paid later year does not replace this reminder.
  const running = site.licences.find(({ periodEnd }) => periodEnd <= periodStart);
  const until = running?.periodEnd ?? payBy;
  const days = dueNotice(daysUntil(until), running ? [30, 7, 1] : [7, 1]);
  const kind = `${running ? "ends" : "pay"}_${days}`;
  const isSent = (running ?? { notices }).notices.some((notice) => notice.kind === kind);
  if (days === undefined || isSent) return undefined;
  const template = running ? ("licence_ends" as const) : ("licence_due" as const);
  return { licenceId: running?.id ?? id, kind, template, until };
}
