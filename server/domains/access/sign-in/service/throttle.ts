import type { Context } from "@/server/core/context";
import { throttled } from "@/server/core/errors";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { consumeInTurn, settleCounters } from "@/server/infrastructure/rate-limit/in-turn";
import {
  addressBucket,
  type Counter,
  forget,
  type Standing,
  usedUpFor,
} from "@/server/infrastructure/rate-limit/limiter";

/** Allowed failed sign-ins; docs/contract.md 8 names these limits without numbers. */
const shared = { named: true, guards: true };
const PAIR: Counter = { name: "login_pair", points: 5, per: 15 * 60, ...shared };
const ADDRESS: Counter = { name: "login_address", points: 20, per: 15 * 60, ...shared };
const ACCOUNT: Counter = { name: "login_account", points: 100, per: 24 * 3600, ...shared };

/** An attempt that was counted before its password was checked. */
export interface Attempt {
  /** The password was right: resets the counter of address and client, returns the points of the others. */
  succeeded(tx: Pick<Context, "sql">): Promise<void>;
}

/**
 * Counts a sign-in before it is tried, so that concurrent calls cannot try more than allowed. Throws
 * `sign_in_throttled`. Unknown addresses count like known ones. The account's own limit exempts addresses
 * (of IPv6 the /64) that signed it in within 90 days: guessing from elsewhere cannot lock its owner out.
 */
export async function countAttempt(ctx: Context, key: string): Promise<Attempt> {
  const from = addressBucket(ctx.ip);
  const pair = `${key}|${from}`;
  const spent = await firstSpent(ctx, { key, from, pair });
  if (spent) {
    // Once per window: a flood of refusals must not become a flood of rows.
    if (spent.justSpent) await audit(ctx, { action: "sign_in.throttled" });
    throw throttled("sign_in_throttled", { retryAfter: spent.retryAfter, limit: PAIR.points });
  }
  return {
    succeeded: (tx) =>
      settleCounters(
        tx,
        [PAIR, pair],
        [
          [ADDRESS, from],
          [ACCOUNT, key],
        ],
      ),
  };
}

/**
 * Counts one counter after the other: an attempt that one of them refuses does not reach the next. Otherwise attacks
 * on one account would use up the points of its owner and of everyone behind the same address.
 */
async function firstSpent(
  ctx: Context,
  { key, from, pair }: { key: string; from: string; pair: string },
): Promise<Standing | undefined> {
  const [byPair, byAddress, byAccount] = await consumeInTurn([PAIR, pair], [ADDRESS, from], [ACCOUNT, key]);
  if (!byAccount) return byAddress ?? byPair;
  return byAccount.allowed || (await isKnownAddress(ctx, key)) ? undefined : byAccount;
}

/** How long an address counts as known after it signed the account in. */
const KNOWN_FOR = 90 * DAY;

/** Whether the account was signed in from this address before; tokens end with a sign-out, the audit entry stays. */
async function isKnownAddress({ db, ip }: Context, key: string): Promise<boolean> {
  const account = await db.user.findUnique({ where: { emailKey: key }, select: { id: true } });
  if (!account) return false;
  const earlier = await db.auditEvent.findMany({
    where: { actorId: account.id, action: "sign_in.succeeded", at: { gt: fromNow(-KNOWN_FOR) } },
    orderBy: { id: "desc" },
    take: 1000,
    select: { ip: true },
  });
  return earlier.some((entry) => entry.ip && addressBucket(entry.ip) === addressBucket(ip));
}

/** What wrong passwords have closed for an account. */
export interface Refused {
  /** Addresses (of IPv6 the /64) from which it is refused. */
  addresses: number;
  /** Whether every address is refused that has not signed the account in before. */
  unknown: boolean;
  /** Whole seconds until the last of it ends; 0 when nothing is refused. */
  seconds: number;
}

/** What the counters of sign-in refuse an account at the moment; counts nothing. */
export async function refusedFor(ctx: Pick<Context, "db">, { id, key }: Account): Promise<Refused> {
  const everywhere = await usedUpFor(ACCOUNT, key);
  const from = await Promise.all(
    (await failedFrom(ctx, id)).map(async (address) =>
      Math.max(await usedUpFor(PAIR, `${key}|${address}`), await usedUpFor(ADDRESS, address)),
    ),
  );
  return {
    addresses: from.filter((seconds) => seconds > 0).length,
    unknown: everywhere > 0,
    seconds: Math.max(everywhere, ...from),
  };
}

/** Lets an account be signed in to again at once, from wherever it failed. */
export async function forgetAttempts(ctx: Pick<Context, "db">, { id, key }: Account): Promise<void> {
  await forget(ACCOUNT, key);
  for (const address of await failedFrom(ctx, id)) {
    await forget(PAIR, `${key}|${address}`);
    await forget(ADDRESS, address);
  }
}

interface Account {
  id: number;
  /** The key of its address. */
  key: string;
}

/** From where the account failed to be signed in to while those counters last. */
async function failedFrom({ db }: Pick<Context, "db">, actorId: number): Promise<string[]> {
  const at = { gt: fromNow(-PAIR.per * SECOND) };
  const failed = await db.auditEvent.groupBy({
    by: ["ip"],
    where: { actorId, action: "sign_in.failed", at },
  });
  return [...new Set(failed.flatMap(({ ip }) => (ip ? [addressBucket(ip)] : [])))];
}
