import type { Context } from "@/server/core/context";
import { escapeLike, fold, likePatterns, searchWords, wordConditions } from "@/server/core/fold";
import { phoneText } from "@/server/core/normalise";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findNewest } from "../statements";

interface SearchFields {
  name: string;
  email: string;
  phone: string | null;
}

/** Returns the search text of an account: name, e-mail address and digits of the phone number. */
export function searchTextOf({ name, email, phone }: SearchFields): string {
  return fold([name, email, ...dialled(phone ?? "")].join(" "));
}

/** Digits of a number; a Turkish one also in its national form. */
function dialled(phone: string): string[] {
  const digits = phone.replace(/\D/g, "");
  if (!digits) return [];
  return /^\+90/.test(phone) ? [digits, `0${digits.slice(2)}`] : [digits];
}

/** A phone number in any notation, with at least three digits. */
const NUMBER = /^(?=(?:\D*\d){3})[\d\s()+./-]+$/;

/** Splits a query into words. A phone number in any notation is one word. */
export function accountWords(query: string | null | undefined): string[] {
  // `+90 (0) 532` is not dialled with the 0.
  const phone = phoneText(query ?? "").replace(/(?<=^\+[\d ]{1,5})\(0\)/, "");
  return NUMBER.test(phone) ? [phone.replace(/\D/g, "").replace(/^00/, "")] : searchWords(query);
}

export function searchPatterns(query: string | null | undefined): string[] {
  return accountWords(query).map((word) => `%${escapeLike(word)}%`);
}

/**
 * Updates an account with its search text in one write: a second write of the row would lock the parent and
 * reseller, too. Returns false if the account is gone or has another address than `emailKey`.
 */
export async function updateSearchable(
  { db }: Pick<DbAccess, "db">,
  account: { id: number; emailKey?: string },
  changes: Omit<Prisma.UserUncheckedUpdateManyInput, "name" | "email" | "phone"> & Partial<SearchFields>,
): Promise<boolean> {
  const select = { name: true, email: true, phone: true, searchText: true } as const;
  const user = await db.user.findUnique({ where: { ...account, anonymisedAt: null }, select });
  if (!user) return false;
  const { searchText: folded, ...before } = user;
  const { name = before.name, email = before.email, phone = before.phone } = changes;
  const searchText = searchTextOf({ name, email, phone });
  const write = (data: Prisma.UserUncheckedUpdateManyInput, where: Prisma.UserWhereInput) =>
    db.user.updateMany({ where: { ...account, ...where }, data });
  const { count } = await write({ ...changes, searchText }, before);
  const isSame = name === before.name && email === before.email && phone === before.phone;
  // A trigger (for older releases) empties a search text that did not change: write it again.
  if (count === 1 && searchText === folded && !isSame) await write({ searchText }, { name, email, phone });
  if (count === 1) return true;
  return (await write({ ...changes, searchText: null }, {})).count === 1;
}

/** Finds the newest accounts that contain all words, optionally of one reseller. */
export async function findUsers(
  ctx: Pick<Context, "db" | "sql">,
  q: string,
  { resellerId }: { resellerId?: number },
  take: number,
): Promise<Array<{ id: number; name: string; email: string }>> {
  const words = accountWords(q);
  const patterns = likePatterns(words);
  if (patterns && resellerId === undefined) return findNewest(ctx, { ...patterns, take });
  return ctx.db.user.findMany({
    where: {
      resellerId,
      anonymisedAt: null,
      AND: words.map((word) => ({ OR: wordConditions(word).map((searchText) => ({ searchText })) })),
    },
    orderBy: { id: "desc" },
    take,
    select: { id: true, name: true, email: true },
  });
}
