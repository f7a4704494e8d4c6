import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { amountOf, ofWhole } from "@/server/core/money";
import { text } from "@/server/core/texts";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { domainOf } from "@/server/domains/sites/slots/service/licences";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { DUE_MAX, type getDue } from "../contract";

type Due = Output<typeof getDue>["due"][number];
interface Found {
  rows: Due[];
  count: number;
}

/** A subscription is due this many days before its end. */
const SOON_DAYS = 7;

/** What the caller has to pay, or depends on: the most urgent first. */
export async function due(ctx: Context<UserActor>): Promise<Output<typeof getDue>> {
  const { userId, isAgent, onlySite } = ctx.actor.scope;
  const site = onlySite ?? 0;
  const found = await Promise.all([
    subscriptionsDue(ctx, userId, isAgent ? { sites: { some: { id: site } } } : { userId }),
    licencesDue(ctx, userId, isAgent ? { siteId: site } : { OR: [{ userId }, { site: { userId } }] }),
  ]);
  const data = found
    .flatMap(({ rows }) => rows)
    .sort((a, b) => Date.parse(a.until) - Date.parse(b.until))
    .slice(0, DUE_MAX);
  return { success: true, due: data, data, count: found.reduce((sum, { count }) => sum + count, 0) };
}

/** A payer is named only to who is not the payer; what is to be transferred, only to the payer. */
function paidBy(payer: { id: number; name: string; email: string }, readerId: number) {
  const own = payer.id === readerId;
  return { own, contact: own ? null : { name: payer.name, email: payer.email } };
}

const PAYER = { select: { id: true, name: true, email: true } } as const;

async function subscriptionsDue(
  { db }: Pick<Work, "db">,
  readerId: number,
  whose: Prisma.SubscriptionWhereInput,
): Promise<Found> {
  const where = {
    ...whose,
    OR: [
      { status: { in: ["past_due", "pending"] } },
      { status: "active", endsAt: { lt: fromNow(SOON_DAYS * DAY) } },
    ],
  } satisfies Prisma.SubscriptionWhereInput;
  const found = await db.subscription.findMany({
    where,
    orderBy: [{ endsAt: "asc" }, { id: "asc" }],
    take: DUE_MAX,
    select: {
      id: true,
      status: true,
      planName: true,
      priceMinor: true,
      currency: true,
      reference: true,
      endsAt: true,
      user: PAYER,
      plan: { select: { price: true } },
    },
  });
  const now = new Date();
  const rows = found.map(({ id, status, planName, priceMinor, currency, reference, endsAt, user, plan }) => {
    const { own, contact } = paidBy(user, readerId);
    const ordered = status === "pending";
    const ended = !ordered && endsAt <= now;
    return {
      kind: ordered ? ("order" as const) : ended ? ("past_due" as const) : ("ends" as const),
      id,
      name: planName,
      site_id: null,
      until: isoMicros(ended ? new Date(endsAt.getTime() + GRACE_DAYS * DAY) : endsAt),
      overdue: ended,
      // An order keeps its price; a renewal costs what the plan costs now.
      amount: own ? amountOf(ordered ? priceMinor : ofWhole(plan.price)) : null,
      currency,
      reference: own ? reference : null,
      contact,
    };
  });
  return { rows, count: found.length < DUE_MAX ? found.length : await db.subscription.count({ where }) };
}

/** What a deleted site left unpaid is its payer's matter alone. */
async function licencesDue(
  { db, locale }: Pick<Context, "db" | "locale">,
  readerId: number,
  whose: Prisma.SiteLicenceWhereInput,
): Promise<Found> {
  const where = {
    AND: [whose, { status: "pending", OR: [{ site: { deletedAt: null } }, { userId: readerId }] }],
  } satisfies Prisma.SiteLicenceWhereInput;
  const found = await db.siteLicence.findMany({
    where,
    orderBy: [{ payBy: "asc" }, { id: "asc" }],
    take: DUE_MAX,
    select: {
      id: true,
      priceTry: true,
      reference: true,
      payBy: true,
      user: PAYER,
      domains: true,
      site: { select: { id: true, name: true, domain: true, deletedAt: true } },
    },
  });
  const now = new Date();
  const rows = found.map(({ id, priceTry, reference, payBy, user, domains, site }) => {
    const { own, contact } = paidBy(user, readerId);
    return {
      kind: "licence" as const,
      id,
      name: site.deletedAt
        ? (domainOf({ domains, site }) ?? text(locale, "billing.licences.deletedSite"))
        : site.name,
      site_id: site.deletedAt ? null : site.id,
      until: isoMicros(payBy),
      overdue: payBy <= now,
      amount: own ? amountOf(ofWhole(priceTry)) : null,
      currency: "TRY",
      reference: own ? reference : null,
      contact,
    };
  });
  return { rows, count: found.length < DUE_MAX ? found.length : await db.siteLicence.count({ where }) };
}
