import type { Context } from "@/server/core/context";
import { beginsOrHas, escaped, fold, patternsOf, searchWords } from "@/server/core/fold";
import { phoneText } from "@/server/core/normalise";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { findNewest } from "../statements";

interface Found {
  name: string;
  email: string;
  phone: string | null;
}

/** What an account is found by: its name, its address, and its telephone's digits as they are dialled from anywhere. */
export function searchTextOf({ name, email, phone }: Found): string {
  return fold([name, email, ...dialled(phone ?? "")].join(" "));
}

/** The digits of a number; a Turkish one also as it is dialled within Turkey. */
function dialled(phone: string): string[] {
  const digits = phone.replace(/\D/g, "");
  if (!digits) return [];
  return /^\+90/.test(phone) ? [digits, `0${digits.slice(2)}`] : [digits];
}

/** A telephone number as people write it, at least three digits of it. */
const NUMBER = /^(?=(?:\D*\d){3})[\d\s()+./-]+$/;

/** What somebody searches accounts for, all of which has to be found; a telephone number is one word, however it is written. */
export function accountWords(query: string | null | undefined): string[] {
  // `+90 (0) 532` is not dialled with the 0.
  const asked = phoneText(query ?? "").replace(/(?<=^\+[\d ]{1,5})\(0\)/, "");
  return NUMBER.test(asked) ? [asked.replace(/\D/g, "").replace(/^00/, "")] : searchWords(query);
}

/** The same as patterns of `like`. */
export function searchPatterns(query: string | null | undefined): string[] {
  return accountWords(query).map((word) => `%${escaped(word)}%`);
}

/**
 * Changes what an account is found by together with what it is found as, in one write: a row that is written twice asks
 * for the accounts above it. Returns false when there is none, or its address is no longer `emailKey`.
 */
export async function writeFound(
  { db }: Pick<Work, "db">,
  account: { id: number; emailKey?: string },
  changes: Omit<Prisma.UserUncheckedUpdateManyInput, "name" | "email" | "phone"> & Partial<Found>,
): Promise<boolean> {
  const select = { name: true, email: true, phone: true, searchText: true } as const;
  const found = await db.user.findUnique({ where: { ...account, anonymisedAt: null }, select });
  if (!found) return false;
  const { searchText: folded, ...before } = found;
  const { name = before.name, email = before.email, phone = before.phone } = changes;
  const searchText = searchTextOf({ name, email, phone });
  const write = (data: Prisma.UserUncheckedUpdateManyInput, where: Prisma.UserWhereInput) =>
    db.user.updateMany({ where: { ...account, ...where }, data });
  const { count } = await write({ ...changes, searchText }, before);
  const same = name === before.name && email === before.email && phone === before.phone;
  // The database takes what is folded alike for a writer that does not fold, and empties it.
  if (count === 1 && searchText === folded && !same) await write({ searchText }, { name, email, phone });
  if (count === 1) return true;
  // Somebody changed it in between: a job folds it as it is then.
  return (await write({ ...changes, searchText: null }, {})).count === 1;
}

/** The newest accounts that have all words, at most `take`, of one reseller where one is given. */
export async function findUsers(
  ctx: Pick<Context, "db" | "sql">,
  q: string,
  { resellerId }: { resellerId?: number },
  take: number,
): Promise<Array<{ id: number; name: string; email: string }>> {
  const words = accountWords(q);
  const patterns = patternsOf(words);
  // A reseller's customers have an index of their own.
  if (patterns && resellerId === undefined) return findNewest(ctx, { ...patterns, take });
  return ctx.db.user.findMany({
    where: {
      resellerId,
      anonymisedAt: null,
      AND: words.map((word) => ({ OR: beginsOrHas(word).map((searchText) => ({ searchText })) })),
    },
    orderBy: { id: "desc" },
    take,
    select: { id: true, name: true, email: true },
  });
}
