import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { escaped } from "@/server/core/fold";
import { orderOf, pageOf } from "@/server/core/list";
import { MAX_ID } from "@/server/core/schema";
import { requireAdministrator } from "@/server/domains/accounts/users/service/administrator";
import { accountWords } from "@/server/domains/accounts/users/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listUsers } from "../contract";
import { ROW, userRow } from "../dto";

type Query = Input<typeof listUsers>["query"];

/** One page of all accounts. Administrators only. */
export async function list(
  ctx: Context<UserActor>,
  { query }: Input<typeof listUsers>,
): Promise<Output<typeof listUsers>> {
  requireAdministrator(ctx.actor);
  const where = matching(query);
  const { rows, ...page } = pageOf(query);
  const { by, direction } = orderOf(query.sort ?? "-created_at");
  const orderBy = by === "email" ? { emailKey: direction } : { id: direction };
  const [total, found] = await Promise.all([
    ctx.db.user.count({ where }),
    ctx.db.user.findMany({ where, ...rows, orderBy, select: ROW, relationLoadStrategy: "join" }),
  ]);
  return { data: found.map(userRow), meta: { ...page, total } };
}

function matching({ q, role, is_active }: Query): Prisma.UserWhereInput {
  return {
    anonymisedAt: null,
    AND: accountWords(q).map(hasWord),
    ...(role != null && { role }),
    ...(is_active != null && { isActive: is_active }),
  };
}

/** A word is a part of the name, the address or the telephone number, or it is the account's number. */
function hasWord(word: string): Prisma.UserWhereInput {
  const contains = escaped(word);
  // A job folds accounts that an older release made.
  const parts = [{ searchText: { contains } }, { searchText: null, emailKey: { contains } }];
  const id = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
  return { OR: id > 0 && id <= MAX_ID ? [...parts, { id }] : parts };
}
