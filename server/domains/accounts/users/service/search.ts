import type { Context } from "@/server/core/context";
import { beginsOrHas, escaped, fold, searchWords } from "@/server/core/fold";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";

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
  const asked = query ?? "";
  return NUMBER.test(asked) ? [asked.replace(/\D/g, "").replace(/^00/, "")] : searchWords(asked);
}

/** The same as patterns of `like`. */
export function searchPatterns(query: string | null | undefined): string[] {
  return accountWords(query).map((word) => `%${escaped(word)}%`);
}

/** Folds an account as it is now, in the transaction that changed it. */
export async function refold({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  const user = await db.user.findUnique({
    where: { id: userId, anonymisedAt: null },
    select: { name: true, email: true, phone: true },
  });
  if (user)
    await db.user.updateMany({ where: { id: userId, ...user }, data: { searchText: searchTextOf(user) } });
}

/** The newest accounts that have all words, at most `take`, among those that `within` describes. */
export function findUsers(
  { db }: Pick<Context, "db">,
  q: string,
  within: Prisma.UserWhereInput,
  take: number,
): Promise<Array<{ id: number; name: string; email: string }>> {
  return db.user.findMany({
    where: {
      ...within,
      anonymisedAt: null,
      AND: accountWords(q).map((word) => ({
        OR: beginsOrHas(word).map((searchText) => ({ searchText })),
      })),
    },
    orderBy: { id: "desc" },
    take,
    select: { id: true, name: true, email: true },
  });
}
