import { dayOf } from "@/server/core/calendar";
import { systemContext } from "@/server/core/context";
import { formatMoney, ofWhole } from "@/server/core/money";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { setting, transferText } from "@/server/domains/platform/settings/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { inTransaction, outside, type Work } from "@/server/infrastructure/database/transaction";
import { RENEWAL_DAYS } from "../contract";

/** Where one sees what is to be paid, and how. */
export const BILLING_PAGE = "/billing";

/** How many midnights in Turkey are left until a moment. */
export function daysUntil(moment: Date): number {
  return (Date.parse(dayOf(moment)) - Date.parse(dayOf(new Date()))) / DAY;
}

/** The notice that is due this many days before: the nearest one, so that what was missed is not made up for. */
export function dueNotice<const N extends number>(days: number, notices: readonly N[]): N | undefined {
  return days < 0 ? undefined : notices.toSorted((a, b) => a - b).find((each) => days <= each);
}

const LICENCE = {
  id: true,
  userId: true,
  priceTry: true,
  reference: true,
  payBy: true,
  site: {
    select: { name: true, licences: { where: { status: "active" }, select: { id: true, periodEnd: true } } },
  },
} as const satisfies Prisma.SiteLicenceSelect;
type Licence = Prisma.SiteLicenceGetPayload<{ select: typeof LICENCE }>;

/** Notes a notice about a licence; false when it was sent before. */
async function isFirst({ db }: Pick<Work, "db">, licenceId: number, kind: string): Promise<boolean> {
  const { count } = await db.licenceNotice.createMany({ data: { licenceId, kind }, skipDuplicates: true });
  return count === 1;
}

async function tell(
  tx: Work,
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
      amount: formatMoney(ofWhole(priceTry), { currency: "TRY", locale: digits }),
      transfer: transferText(locale, bank, reference),
    }),
  });
}

/** Tells once that a site was suspended, with what brings it back. */
export async function tellSuspended(tx: Work, licenceId: number): Promise<void> {
  if (!(await isFirst(tx, licenceId, "suspended"))) return;
  const licence = await tx.db.siteLicence.findUniqueOrThrow({ where: { id: licenceId }, select: LICENCE });
  await tell(tx, licence, "licence_suspended", {});
}

/** Reminds of each licence that waits for its payment, once at each of its times. */
export async function remindOfLicences(): Promise<void> {
  const waiting = await outside().db.siteLicence.findMany({
    where: { status: "pending", payBy: { gt: new Date(), lt: fromNow((RENEWAL_DAYS + 1) * DAY) } },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  for (const { id } of waiting) await inTransaction((tx) => remindOf(tx, id));
}

/** The next year of a licence is reminded of by the end of the running one, a first one by its last day to pay. */
async function remindOf(tx: Work, id: number): Promise<void> {
  const licence = await tx.db.siteLicence.findUnique({ where: { id, status: "pending" }, select: LICENCE });
  if (!licence) return;
  const [running] = licence.site.licences;
  const until = running?.periodEnd ?? licence.payBy;
  const days = dueNotice(daysUntil(until), running ? [30, 7, 1] : [7, 1]);
  if (days === undefined) return;
  if (await isFirst(tx, running?.id ?? id, `${running ? "ends" : "pay"}_${days}`))
    await tell(tx, licence, running ? "licence_ends" : "licence_due", { until });
}
