import type { Context } from "@/server/core/context";
import type { Notice } from "@/server/core/domain";
import { refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import type { Work } from "@/server/infrastructure/database/transaction";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { lockRow } from "./statements";

/**
 * Locks an account until the transaction ends: its changes come one after the other, each from what the one before it
 * has left. Read the account after it. Throws `unauthenticated` when the account is gone.
 */
export async function lockUser(tx: Pick<Work, "sql">, userId: number): Promise<void> {
  const [locked] = await lockRow(tx, { userId });
  if (!locked) throw refuse("unauthenticated");
}

/**
 * Whether an address still belongs to somebody else's change that can be undone: whoever takes over an
 * account must not be able to put a new account in the way of its owner's return.
 */
export async function isHeld(
  { db }: Pick<Work, "db">,
  { email, by }: { email: string; by: number },
): Promise<boolean> {
  const change = await db.emailChange.findFirst({
    where: {
      oldEmailKey: emailKey(email),
      userId: { not: by },
      appliedAt: { not: null },
      undoneAt: null,
      expiresAt: { gt: new Date() },
      user: { anonymisedAt: null },
    },
    select: { id: true },
  });
  return change !== null;
}

/**
 * Mails the owner that something about getting in has changed, with the page where it is undone. Moments among
 * the parameters are written in the owner's language and time zone.
 */
export async function notifyOwner(
  tx: Pick<Context, "db" | "sql" | "locale">,
  userId: number,
  template: Notice,
  {
    path = "/forgot-password",
    params = {},
  }: { path?: string; params?: Record<string, string | number | Date> } = {},
): Promise<void> {
  const owner = await tx.db.user.findUnique({
    where: { id: userId },
    select: { name: true, email: true, locale: true, timezone: true },
  });
  if (!owner) return;
  const locale = isLocale(owner.locale) ? owner.locale : tx.locale;
  const moments = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: owner.timezone ?? "Europe/Istanbul",
  });
  const written = Object.entries(params).map(([name, value]) => [
    name,
    value instanceof Date ? moments.format(value) : value,
  ]);
  await queueMail(
    tx,
    { userId, address: owner.email },
    {
      template,
      locale,
      params: { name: owner.name, ...Object.fromEntries(written) },
      path,
    },
  );
}
