import type { Context } from "@/server/core/context";
import {
  type Addition,
  type AdditionKind,
  type AdditionSource,
  getRegisteredDomains,
} from "@/server/core/domain";
import { formatList } from "@/server/core/format";
import { formatText } from "@/server/core/texts";
import { fromNow, HOUR } from "@/server/core/time";
import type { RecipientLocale } from "@/server/domains/accounts/users/service/notify";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { SUSPECT_ADDITION_HOURS } from "./contract";

const MAIL_INTERVAL_MS = HOUR;
const MAX_LISTED_ADDITIONS = 30;

export type AdditionSummary = Omit<Addition, "id"> & { kind: AdditionKind };
export type AdditionWithKind = Addition & { kind: AdditionKind };

const listAdditionKinds = () =>
  getRegisteredDomains().flatMap(
    ({ additions = {} }) => Object.entries(additions) as Array<[AdditionKind, AdditionSource]>,
  );

export function getSuspectAdditionStart(): Date {
  return fromNow(-SUSPECT_ADDITION_HOURS * HOUR);
}

/** Revokes additions since a time, except kinds with `requiresSelection`. Lock the account first. */
export async function revokeAdditions(tx: Context, userId: number, since: Date): Promise<AdditionWithKind[]> {
  const revoked: AdditionWithKind[] = [];
  for (const [kind, { find, revoke, requiresSelection }] of listAdditionKinds()) {
    if (requiresSelection) continue;
    const additions = await find(tx, userId, since);
    if (additions.length === 0) continue;
    await revoke(
      tx,
      userId,
      additions.map(({ id }) => id),
    );
    revoked.push(...additions.map((addition) => ({ kind, ...addition })));
  }
  return revoked;
}

/** Finds additions since a time whose kind has `requiresSelection`: the owner selects which to revoke. */
export async function findSelectableAdditions(
  access: Pick<DbAccess, "db">,
  userId: number,
  since: Date,
): Promise<AdditionWithKind[]> {
  const selectableAdditions: AdditionWithKind[] = [];
  for (const [kind, { find, requiresSelection }] of listAdditionKinds())
    if (requiresSelection)
      selectableAdditions.push(
        ...(await find(access, userId, since)).map((addition) => ({ kind, ...addition })),
      );
  return selectableAdditions;
}

/** Revokes the selected results of {@link findSelectableAdditions}. Lock the account first. */
export async function revokeSelectedAdditions(
  tx: Context,
  userId: number,
  selected: readonly AdditionWithKind[],
): Promise<void> {
  for (const [kind, { revoke }] of listAdditionKinds()) {
    const ids = selected.filter((addition) => addition.kind === kind).map(({ id }) => id);
    if (ids.length > 0) await revoke(tx, userId, ids);
  }
}

export function formatAdditions(
  additions: readonly AdditionSummary[],
  { locale, formatMoment }: RecipientLocale,
): string {
  const remainingCount = additions.length - MAX_LISTED_ADDITIONS;
  const items = additions.slice(0, MAX_LISTED_ADDITIONS).map(({ kind, name, at }) =>
    formatText(locale, "additions.item", {
      what: formatText(locale, `additions.kinds.${kind}`, { name }),
      time: formatMoment(at),
    }),
  );
  if (remainingCount > 0) items.push(formatText(locale, "additions.more", { count: remainingCount }));
  return formatList(locale, items);
}

/** Records an addition and queues a mail to the owner, at most one an hour. Lock the account first. */
export async function recordAddition(
  tx: Pick<DbAccess, "db" | "sql">,
  userId: number,
  { kind, name }: { kind: AdditionKind; name: string },
): Promise<void> {
  await tx.db.accountAddition.create({ data: { userId, kind, name }, select: { id: true } });
  const lastMailedAddition = await tx.db.accountAddition.findFirst({
    where: { userId, mailedAt: { not: null } },
    orderBy: { mailedAt: "desc" },
    select: { mailedAt: true },
  });
  const nextMailTime = (lastMailedAddition?.mailedAt?.getTime() ?? 0) + MAIL_INTERVAL_MS;
  const runAt = new Date(Math.max(Date.now(), nextMailTime));
  await addJob(tx, "mail_additions", { userId }, { key: `additions:${userId}`, runAt });
}
