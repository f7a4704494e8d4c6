import type { Context } from "@/server/core/context";
import { throttled } from "@/server/core/errors";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  addressBucket,
  type Counter,
  type CounterState,
  resetCounter,
  secondsUntilAllowed,
} from "@/server/infrastructure/rate-limit/limiter";
import { consumeSequentially, settleCounters } from "@/server/infrastructure/rate-limit/sequential";

const shared = { isDocumented: true, limitsGuessing: true };
const PAIR: Counter = { name: "login_pair", points: 5, per: 15 * 60, ...shared };
const ADDRESS: Counter = { name: "login_address", points: 20, per: 15 * 60, ...shared };
const ACCOUNT: Counter = { name: "login_account", points: 100, per: 24 * 3600, ...shared };

export interface Attempt {
  /** Resets the counter of address and client, returns the points of the others. */
  succeeded(tx: Pick<Context, "sql">): Promise<void>;
}

/**
 * Counts before the password is checked, so that concurrent calls cannot exceed the limit. Throws
 * `sign_in_throttled`. Networks that signed the account in within 90 days are exempt from its own limit:
 * guessing from elsewhere must not lock the owner out.
 */
export async function countAttempt(ctx: Context, key: string): Promise<Attempt> {
  const from = addressBucket(ctx.ip);
  const pair = `${key}|${from}`;
  const refusal = await firstRefusal(ctx, { key, from, pair });
  if (refusal) {
    // Once per window: refusals must not flood the audit log.
    if (refusal.isFirstRejection) await audit(ctx, { action: "sign_in.throttled" });
    throw throttled("sign_in_throttled", { retryAfter: refusal.retryAfter, limit: PAIR.points });
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
 * A refused attempt does not reach the next counter: an attack on one account must not use up the points of
 * its owner or of others behind the same address.
 */
async function firstRefusal(
  ctx: Context,
  { key, from, pair }: { key: string; from: string; pair: string },
): Promise<CounterState | undefined> {
  const [byPair, byAddress, byAccount] = await consumeSequentially(
    [PAIR, pair],
    [ADDRESS, from],
    [ACCOUNT, key],
  );
  if (!byAccount) return byAddress ?? byPair;
  return byAccount.allowed || (await isKnownAddress(ctx, key)) ? undefined : byAccount;
}

const KNOWN_FOR = 90 * DAY;

/** Reads the audit log, because tokens end with a sign-out. */
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

export interface ThrottleState {
  /** Number of refused networks. */
  addresses: number;
  /** True when all networks are refused that have not signed the account in before. */
  unknown: boolean;
  /** Whole seconds until the last refusal ends; 0 for none. */
  seconds: number;
}

/** Reads the current refusals of an account without counting an attempt. */
export async function readThrottle(ctx: Pick<Context, "db">, { id, key }: Account): Promise<ThrottleState> {
  const everywhere = await secondsUntilAllowed(ACCOUNT, key);
  const from = await Promise.all(
    (await failedFrom(ctx, id)).map(async (address) =>
      Math.max(
        await secondsUntilAllowed(PAIR, `${key}|${address}`),
        await secondsUntilAllowed(ADDRESS, address),
      ),
    ),
  );
  return {
    addresses: from.filter((seconds) => seconds > 0).length,
    unknown: everywhere > 0,
    seconds: Math.max(everywhere, ...from),
  };
}

export async function resetAttempts(ctx: Pick<Context, "db">, { id, key }: Account): Promise<void> {
  await resetCounter(ACCOUNT, key);
  for (const address of await failedFrom(ctx, id)) {
    await resetCounter(PAIR, `${key}|${address}`);
    await resetCounter(ADDRESS, address);
  }
}

interface Account {
  id: number;
  key: string;
}

async function failedFrom({ db }: Pick<Context, "db">, actorId: number): Promise<string[]> {
  const at = { gt: fromNow(-PAIR.per * SECOND) };
  const failed = await db.auditEvent.groupBy({
    by: ["ip"],
    where: { actorId, action: "sign_in.failed", at },
  });
  return [...new Set(failed.flatMap(({ ip }) => (ip ? [addressBucket(ip)] : [])))];
}
