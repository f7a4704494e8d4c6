import { getEndOfDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { createCsvFile, readInBatches } from "@/server/core/csv";
import { escapeLike } from "@/server/core/fold";
import { parsePage, parseSort } from "@/server/core/list";
import { MAX_ID } from "@/server/core/schema";
import { splitSearchWords } from "@/server/domains/accounts/users/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { downloadUsers, listUsers } from "../contract";
import { countSitesAndFactors, toUserRow, USER_ROW_SELECT } from "../dto";
import { POSSIBLE_PARENT } from "./parent";

type Query = Input<typeof downloadUsers>["query"];

export async function listAccounts(
  ctx: Context<UserActor>,
  { query }: Input<typeof listUsers>,
): Promise<Output<typeof listUsers>> {
  requireAdministrator(ctx.actor);
  const where = toWhere(query);
  const { range, ...page } = parsePage(query);
  const orderBy = toOrderBy(query);
  const [total, users] = await Promise.all([
    ctx.db.user.count({ where }),
    // A join would look up the relations of all rows before paging.
    ctx.db.user.findMany({
      where,
      ...range,
      orderBy,
      select: USER_ROW_SELECT,
      relationLoadStrategy: "query",
    }),
  ]);
  const counts = await countSitesAndFactors(ctx, users);
  return { data: users.map((user) => toUserRow(user, counts)), meta: { ...page, total } };
}

const CSV_COLUMNS = [
  ...[
    "id",
    "name",
    "email",
    "phone",
    "role",
    "is_active",
    "is_agent_only",
    "email_verified_at",
    "two_factor",
    "enrol_by",
  ],
  ...["reseller_id", "parent_user_id", "sites_count", "created_at"],
];
const CSV_ROW_SELECT = {
  ...USER_ROW_SELECT,
  resellerId: true,
  parentUserId: true,
} satisfies Prisma.UserSelect;

export async function downloadAccounts(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadUsers>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const [where, orderBy] = [toWhere(query), toOrderBy(query)];
  const rows = readInBatches(async (batch) => {
    const users = await db.user.findMany({
      where,
      ...batch,
      orderBy,
      select: CSV_ROW_SELECT,
      relationLoadStrategy: "join",
    });
    const counts = await countSitesAndFactors({ db }, users);
    return users.map((user) => ({
      ...toUserRow(user, counts),
      reseller_id: user.resellerId,
      parent_user_id: user.parentUserId,
    }));
  });
  return createCsvFile(rows, { name: "users.csv", columns: CSV_COLUMNS, locale });
}

function toOrderBy({ sort }: Query) {
  const { by, direction } = parseSort(sort ?? "-created_at");
  return by === "email" ? { emailKey: direction } : { id: direction };
}

const USABLE_AS_FILTERS: Record<"customer" | "parent", Prisma.UserWhereInput> = {
  customer: { role: { not: "admin" }, isAgentOnly: false },
  parent: POSSIBLE_PARENT,
};

function toWhere(query: Query): Prisma.UserWhereInput {
  const { q, role, is_active, verified, two_factor, reseller_id, created_from, created_to } = query;
  const { protected: isProtected, usable_as } = query;
  const confirmedFactor = { confirmedAt: { not: null } };
  return {
    anonymisedAt: query.anonymised ? { not: null } : null,
    AND: [
      ...splitSearchWords(q).map(toWordFilter),
      ...(usable_as != null ? [USABLE_AS_FILTERS[usable_as]] : []),
    ],
    ...(role != null && { role }),
    ...(is_active != null && { isActive: is_active }),
    ...(verified != null && { emailVerifiedAt: verified ? { not: null } : null }),
    ...(two_factor != null && {
      factors: two_factor ? { some: confirmedFactor } : { none: confirmedFactor },
    }),
    ...(isProtected != null &&
      (isProtected
        ? { OR: [{ factors: { some: confirmedFactor } }, { passkeys: { some: {} } }] }
        : { factors: { none: confirmedFactor }, passkeys: { none: {} } })),
    ...(reseller_id != null && { resellerId: reseller_id }),
    createdAt: {
      ...(created_from != null && { gt: getEndOfDay(created_from, { plusDays: -1 }) }),
      ...(created_to != null && { lte: getEndOfDay(created_to, { plusDays: 0 }) }),
    },
  };
}

function toWordFilter(word: string): Prisma.UserWhereInput {
  const contains = escapeLike(word);
  // `search_text` is null until a job folds accounts of older releases.
  const conditions = [{ searchText: { contains } }, { searchText: null, emailKey: { contains } }];
  const id = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
  return { OR: id > 0 && id <= MAX_ID ? [...conditions, { id }] : conditions };
}
