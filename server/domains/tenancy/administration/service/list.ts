import { endOfDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { csvFile, inBatches } from "@/server/core/csv";
import { escapeLike } from "@/server/core/fold";
import { orderOf, pageOf } from "@/server/core/list";
import { MAX_ID } from "@/server/core/schema";
import { accountWords } from "@/server/domains/accounts/users/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { downloadUsers, listUsers } from "../contract";
import { countsOf, USER_ROW, userRow } from "../dto";

type Query = Input<typeof downloadUsers>["query"];

export async function list(
  ctx: Context<UserActor>,
  { query }: Input<typeof listUsers>,
): Promise<Output<typeof listUsers>> {
  requireAdministrator(ctx.actor);
  const where = toWhere(query);
  const { rows, ...page } = pageOf(query);
  const orderBy = toOrderBy(query);
  const [total, users] = await Promise.all([
    ctx.db.user.count({ where }),
    // A join would look up the relations of all rows before paging.
    ctx.db.user.findMany({ where, ...rows, orderBy, select: USER_ROW, relationLoadStrategy: "query" }),
  ]);
  const counts = await countsOf(ctx, users);
  return { data: users.map((user) => userRow(user, counts)), meta: { ...page, total } };
}

const COLUMNS = [
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
const CSV_ROW = { ...USER_ROW, resellerId: true, parentUserId: true } satisfies Prisma.UserSelect;

export async function download(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadUsers>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const [where, orderBy] = [toWhere(query), toOrderBy(query)];
  const rows = inBatches(async (batch) => {
    const users = await db.user.findMany({
      where,
      ...batch,
      orderBy,
      select: CSV_ROW,
      relationLoadStrategy: "join",
    });
    const counts = await countsOf({ db }, users);
    return users.map((user) => ({
      ...userRow(user, counts),
      reseller_id: user.resellerId,
      parent_user_id: user.parentUserId,
    }));
  });
  return csvFile(rows, { name: "users.csv", columns: COLUMNS, locale });
}

function toOrderBy({ sort }: Query) {
  const { by, direction } = orderOf(sort ?? "-created_at");
  return by === "email" ? { emailKey: direction } : { id: direction };
}

function toWhere(query: Query): Prisma.UserWhereInput {
  const { q, role, is_active, verified, two_factor, reseller_id, created_from, created_to } = query;
  const { protected: isProtected } = query;
  const factor = { confirmedAt: { not: null } };
  return {
    anonymisedAt: query.anonymised ? { not: null } : null,
    AND: accountWords(q).map(hasWord),
    ...(role != null && { role }),
    ...(is_active != null && { isActive: is_active }),
    ...(verified != null && { emailVerifiedAt: verified ? { not: null } : null }),
    ...(two_factor != null && { factors: two_factor ? { some: factor } : { none: factor } }),
    ...(isProtected != null &&
      (isProtected
        ? { OR: [{ factors: { some: factor } }, { passkeys: { some: {} } }] }
        : { factors: { none: factor }, passkeys: { none: {} } })),
    ...(reseller_id != null && { resellerId: reseller_id }),
    createdAt: {
      ...(created_from != null && { gt: endOfDay(created_from, { plus: -1 }) }),
      ...(created_to != null && { lte: endOfDay(created_to, { plus: 0 }) }),
    },
  };
}

function hasWord(word: string): Prisma.UserWhereInput {
  const contains = escapeLike(word);
  // `search_text` is null until a job folds accounts of older releases.
  const parts = [{ searchText: { contains } }, { searchText: null, emailKey: { contains } }];
  const id = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
  return { OR: id > 0 && id <= MAX_ID ? [...parts, { id }] : parts };
}
