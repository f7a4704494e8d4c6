import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { escapeLike, splitIntoWords } from "@/server/core/fold";
import { parsePage } from "@/server/core/list";
import { toAmount, toMinor } from "@/server/core/money";
import { parseSort } from "@/server/core/sort";
import { toIsoMicros } from "@/server/core/time";
import { sumDueLicences } from "@/server/domains/sites/slots/service";
import { getLicenceDomain } from "@/server/domains/sites/slots/service/licences";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { toSeries, toSumLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { getSetting } from "@/server/infrastructure/settings";
import {
  type getBilling,
  type getLicencesDueSeries,
  LICENCE_PERIODS,
  LICENCES_MAX,
  type listBilledLicences,
} from "../contract";
import { requireBillingOwner } from "./access";

type BilledLicence = Output<typeof getBilling>["licences"][number];

const BILLED_LICENCE_SELECT = {
  id: true,
  site: {
    select: {
      id: true,
      name: true,
      domain: true,
      userId: true,
      deletedAt: true,
      owner: { select: { name: true } },
    },
  },
  userId: true,
  status: true,
  reference: true,
  priceTry: true,
  periodStart: true,
  periodEnd: true,
  payBy: true,
  domains: true,
} as const satisfies Prisma.SiteLicenceSelect;

const buildBilledFilter = (userId: number) =>
  ({ userId, status: { in: ["pending", "active"] } }) satisfies Prisma.SiteLicenceWhereInput;

/** Pending licences come first because of the enum's order in the database. */
const buildDueOrder = (direction: "asc" | "desc") => [
  { status: direction },
  { payBy: direction },
  { id: direction },
];

/** Lists the licences that an account pays for. Agents get `billing_of_owner`. */
export async function listBilledLicencePage(
  ctx: Context<UserActor>,
  { query }: Input<typeof listBilledLicences>,
): Promise<Output<typeof listBilledLicences>> {
  const { id: userId } = ctx.actor;
  await requireBillingOwner(ctx);
  const where = {
    ...buildBilledFilter(userId),
    ...(query.status && { status: query.status }),
    AND: splitIntoWords(query.q).map(buildWordFilter),
  } satisfies Prisma.SiteLicenceWhereInput;
  const { by, direction } = parseSort(query.sort ?? "due");
  const orderBy = by === "due" ? buildDueOrder(direction) : [{ periodEnd: direction }, { id: direction }];
  const { range, ...page } = parsePage(query);
  const [total, bank, records] = await Promise.all([
    ctx.db.siteLicence.count({ where }),
    getSetting(ctx, "bank"),
    ctx.db.siteLicence.findMany({ where, orderBy, ...range, select: BILLED_LICENCE_SELECT }),
  ]);
  const data = records.map(toBilledLicence);
  return { success: true, licences: data, data, count: data.length, meta: { ...page, total }, bank };
}

export async function listFirstLicences(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<{ licences: BilledLicence[]; licences_count: number }> {
  const where = buildBilledFilter(userId);
  const [licences_count, rows] = await Promise.all([
    db.siteLicence.count({ where }),
    db.siteLicence.findMany({
      where,
      orderBy: buildDueOrder("asc"),
      take: LICENCES_MAX,
      select: BILLED_LICENCE_SELECT,
    }),
  ]);
  return { licences: rows.map(toBilledLicence), licences_count };
}

export async function sumLicencesDue(
  ctx: Context<UserActor>,
  { query }: Input<typeof getLicencesDueSeries>,
): Promise<Output<typeof getLicencesDueSeries>> {
  await requireBillingOwner(ctx);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: LICENCE_PERIODS[0] });
  const rows = await sumDueLicences(ctx, { userId: ctx.actor.id, limits: range.limits });
  return toSeries(range, [
    toSumLine(range, rows, "licences", { key: "licences" }),
    toSumLine(range, rows, "amount", { key: "amount", unit: "minor" }),
  ]);
}

function buildWordFilter(word: string): Prisma.SiteLicenceWhereInput {
  const contains = escapeLike(word);
  return {
    OR: [
      { site: { searchText: { contains } } },
      { domains: { has: word } },
      { site: { owner: { searchText: { contains } } } },
      { reference: { contains, mode: "insensitive" } },
    ],
  };
}

function toBilledLicence({
  site: { owner, userId: ownerId, deletedAt, ...site },
  userId,
  domains,
  ...row
}: Prisma.SiteLicenceGetPayload<{ select: typeof BILLED_LICENCE_SELECT }>): BilledLicence {
  return {
    id: row.id,
    site: deletedAt ? null : site,
    domain: getLicenceDomain({ domains, site: { ...site, deletedAt } }),
    customer: ownerId === userId ? null : owner.name,
    status: row.status as BilledLicence["status"],
    reference: row.reference,
    amount: toAmount(toMinor(row.priceTry)),
    currency: "TRY",
    period_start: toIsoMicros(row.periodStart),
    period_end: toIsoMicros(row.periodEnd),
    pay_by: toIsoMicros(row.payBy),
  };
}
