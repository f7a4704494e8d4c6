import type { Context } from "@/server/core/context";
import {
  buildLikePatterns,
  buildWordConditions,
  escapeLike,
  foldText,
  splitIntoWords,
} from "@/server/core/fold";
import { normalisePhoneInput } from "@/server/core/normalise";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findNewestUsers } from "../statements";

interface SearchFields {
  name: string;
  email: string;
  phone: string | null;
}

export function buildUserSearchText({ name, email, phone }: SearchFields): string {
  return foldText([name, email, ...listPhoneVariants(phone ?? "")].join(" "));
}

function listPhoneVariants(phone: string): string[] {
  const digits = phone.replace(/\D/g, "");
  if (!digits) return [];
  return /^\+90/.test(phone) ? [digits, `0${digits.slice(2)}`] : [digits];
}

const PHONE_PATTERN = /^(?=(?:\D*\d){3})[\d\s()+./-]+$/;

/** Splits a query into words. A phone number in any notation is one word. */
export function splitSearchWords(query: string | null | undefined): string[] {
  // `+90 (0) 532` is not dialled with the 0.
  const phone = normalisePhoneInput(query ?? "").replace(/(?<=^\+[\d ]{1,5})\(0\)/, "");
  return PHONE_PATTERN.test(phone) ? [phone.replace(/\D/g, "").replace(/^00/, "")] : splitIntoWords(query);
}

export function buildSearchPatterns(query: string | null | undefined): string[] {
  return splitSearchWords(query).map((word) => `%${escapeLike(word)}%`);
}

/**
 * Writes fields and search text in one update: a second one would lock parent and reseller, too. Returns
 * false if the account is gone or has another `emailKey`.
 */
export async function updateSearchableFields(
  { db }: Pick<DbAccess, "db">,
  account: { id: number; emailKey?: string },
  changes: Omit<Prisma.UserUncheckedUpdateManyInput, "name" | "email" | "phone"> & Partial<SearchFields>,
): Promise<boolean> {
  const select = { name: true, email: true, phone: true, searchText: true } as const;
  const user = await db.user.findUnique({ where: { ...account, anonymisedAt: null }, select });
  if (!user) return false;
  const { searchText: storedSearchText, ...currentFields } = user;
  const { name = currentFields.name, email = currentFields.email, phone = currentFields.phone } = changes;
  const searchText = buildUserSearchText({ name, email, phone });
  const updateRow = (data: Prisma.UserUncheckedUpdateManyInput, where: Prisma.UserWhereInput) =>
    db.user.updateMany({ where: { ...account, ...where }, data });
  const { count } = await updateRow({ ...changes, searchText }, currentFields);
  const isUnchanged =
    name === currentFields.name && email === currentFields.email && phone === currentFields.phone;
  // A trigger (for older releases) empties a search text that did not change: write it again.
  if (count === 1 && searchText === storedSearchText && !isUnchanged)
    await updateRow({ searchText }, { name, email, phone });
  if (count === 1) return true;
  // A concurrent write has changed the row: clear the text, `computeSearchTextsJob` computes it.
  return (await updateRow({ ...changes, searchText: null }, {})).count === 1;
}

/** Finds the newest accounts that contain all words, optionally of one reseller. */
export async function findUsers(
  ctx: Pick<Context, "db" | "sql">,
  query: string,
  { resellerId }: { resellerId?: number },
  take: number,
): Promise<Array<{ id: number; name: string; email: string }>> {
  const words = splitSearchWords(query);
  const patterns = buildLikePatterns(words);
  if (patterns && resellerId === undefined) return findNewestUsers(ctx, { ...patterns, take });
  return ctx.db.user.findMany({
    where: {
      resellerId,
      anonymisedAt: null,
      AND: words.map((word) => ({ OR: buildWordConditions(word).map((searchText) => ({ searchText })) })),
    },
    orderBy: { id: "desc" },
    take,
    select: { id: true, name: true, email: true },
  });
}
