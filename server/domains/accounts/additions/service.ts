import type { Context } from "@/server/core/context";
import { type Addition, type AdditionKind, type Additions, registeredDomains } from "@/server/core/domain";
import { text } from "@/server/core/texts";
import { fromNow, HOUR } from "@/server/core/time";
import type { RecipientLocale } from "@/server/domains/accounts/users/service/notify";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { ADDITION_HOURS } from "./contract";

const MAIL_INTERVAL = HOUR;
/** Maximum number of additions that a mail names; it counts the rest. */
const NAMED_MAX = 30;

export type NamedAddition = Omit<Addition, "id"> & { kind: AdditionKind };
export type FoundAddition = Addition & { kind: AdditionKind };

const kinds = () =>
  registeredDomains().flatMap(
    ({ additions = {} }) => Object.entries(additions) as Array<[AdditionKind, Additions]>,
  );

/** Start of the period in which additions are suspect. */
export function suspectSince(): Date {
  return fromNow(-ADDITION_HOURS * HOUR);
}

/** Revokes additions since a time, except kinds the owner decides on (`requiresSelection`). Lock the account first. */
export async function revokeAdditions(tx: Context, userId: number, since: Date): Promise<FoundAddition[]> {
  const revoked: FoundAddition[] = [];
  for (const [kind, { find, end, requiresSelection }] of kinds()) {
    if (requiresSelection) continue;
    const additions = await find(tx, userId, since);
    if (additions.length === 0) continue;
    await end(
      tx,
      userId,
      additions.map(({ id }) => id),
    );
    revoked.push(...additions.map((each) => ({ kind, ...each })));
  }
  return revoked;
}

/** Finds additions since a time whose revocation the owner decides on. */
export async function findOptionalAdditions(
  work: Pick<DbAccess, "db">,
  userId: number,
  since: Date,
): Promise<FoundAddition[]> {
  const choices: FoundAddition[] = [];
  for (const [kind, { find, requiresSelection }] of kinds())
    if (requiresSelection)
      choices.push(...(await find(work, userId, since)).map((each) => ({ kind, ...each })));
  return choices;
}

/** Revokes the selected results of {@link findOptionalAdditions}. Lock the account first. */
export async function revokeSelected(
  tx: Context,
  userId: number,
  choices: readonly FoundAddition[],
): Promise<void> {
  for (const [kind, { end }] of kinds()) {
    const ids = choices.filter((each) => each.kind === kind).map(({ id }) => id);
    if (ids.length > 0) await end(tx, userId, ids);
  }
}

export function nameAdditions(
  additions: readonly NamedAddition[],
  { locale, digits, moment }: RecipientLocale,
): string {
  const remaining = additions.length - NAMED_MAX;
  const items = additions.slice(0, NAMED_MAX).map(({ kind, name, at }) =>
    text(locale, "additions.item", {
      what: text(locale, `additions.kinds.${kind}`, { name }),
      time: moment(at),
    }),
  );
  if (remaining > 0) items.push(text(locale, "additions.more", { count: remaining }));
  return new Intl.ListFormat(digits, { type: "conjunction" }).format(items);
}

/** Records an addition and queues a mail to the owner, at most one an hour. Lock the account first. */
export async function recordAddition(
  tx: Pick<DbAccess, "db" | "sql">,
  userId: number,
  { kind, name }: { kind: AdditionKind; name: string },
): Promise<void> {
  await tx.db.accountAddition.create({ data: { userId, kind, name }, select: { id: true } });
  const last = await tx.db.accountAddition.findFirst({
    where: { userId, mailedAt: { not: null } },
    orderBy: { mailedAt: "desc" },
    select: { mailedAt: true },
  });
  const next = (last?.mailedAt?.getTime() ?? 0) + MAIL_INTERVAL;
  const runAt = new Date(Math.max(Date.now(), next));
  await addJob(tx, "mail_additions", { userId }, { key: `additions:${userId}`, runAt });
}
