import type { Context } from "@/server/core/context";
import { throttleError } from "@/server/core/errors";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  type CounterState,
  getSecondsUntilAllowed,
  type RateLimitCounter,
  resetCounter,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import { consumeSequentially, resetAndReturnPoints } from "@/server/infrastructure/rate-limit/sequential";

const counterFlags = { isDocumented: true, limitsGuessing: true };
const ACCOUNT_NETWORK_COUNTER: RateLimitCounter = {
  name: "login_pair",
  points: 5,
  per: 15 * 60,
  ...counterFlags,
};
const NETWORK_COUNTER: RateLimitCounter = {
  name: "login_address",
  points: 20,
  per: 15 * 60,
  ...counterFlags,
};
const ACCOUNT_COUNTER: RateLimitCounter = {
  name: "login_account",
  points: 100,
  per: 24 * 3600,
  ...counterFlags,
};

export interface PasswordAttempt {
  /** Resets the counter of account and network, and returns the points of the other counters. */
  recordSuccess(tx: Pick<Context, "sql">): Promise<void>;
}

/**
 * Counts before the password is checked: concurrent calls cannot exceed the limit. Networks that signed the
 * account in within 90 days skip the account's limit: guessing from elsewhere must not lock the owner out.
 */
export async function countPasswordAttempt(ctx: Context, emailKey: string): Promise<PasswordAttempt> {
  const network = toIpBucket(ctx.ip);
  const pairKey = `${emailKey}|${network}`;
  const refusal = await consumeUntilRefused(ctx, { emailKey, network, pairKey });
  if (refusal) {
    // Once per window: refusals must not flood the audit log.
    if (refusal.isFirstRejection) await audit(ctx, { action: "sign_in.throttled" });
    throw throttleError("sign_in_throttled", {
      retryAfter: refusal.retryAfter,
      limit: ACCOUNT_NETWORK_COUNTER.points,
    });
  }
  return {
    recordSuccess: (tx) =>
      resetAndReturnPoints(
        tx,
        [ACCOUNT_NETWORK_COUNTER, pairKey],
        [
          [NETWORK_COUNTER, network],
          [ACCOUNT_COUNTER, emailKey],
        ],
      ),
  };
}

/** Stops at the first refusal: an attack must not use up the points of other users of the network. */
async function consumeUntilRefused(
  ctx: Context,
  { emailKey, network, pairKey }: { emailKey: string; network: string; pairKey: string },
): Promise<CounterState | undefined> {
  const [byPair, byNetwork, byAccount] = await consumeSequentially(
    [ACCOUNT_NETWORK_COUNTER, pairKey],
    [NETWORK_COUNTER, network],
    [ACCOUNT_COUNTER, emailKey],
  );
  if (!byAccount) return byNetwork ?? byPair;
  return byAccount.allowed || (await isKnownNetwork(ctx, emailKey)) ? undefined : byAccount;
}

const KNOWN_NETWORK_MS = 90 * DAY;

/** Reads the audit log, because a sign-out deletes the token. */
async function isKnownNetwork({ db, ip }: Context, emailKey: string): Promise<boolean> {
  const account = await db.user.findUnique({ where: { emailKey }, select: { id: true } });
  if (!account) return false;
  const signIns = await db.auditEvent.findMany({
    where: { actorId: account.id, action: "sign_in.succeeded", at: { gt: fromNow(-KNOWN_NETWORK_MS) } },
    orderBy: { id: "desc" },
    take: 1000,
    select: { ip: true },
  });
  return signIns.some((signIn) => signIn.ip && toIpBucket(signIn.ip) === toIpBucket(ip));
}

export interface ThrottleState {
  refusedNetworkCount: number;
  refusesUnknownNetworks: boolean;
  /** Whole seconds until the last refusal ends; 0 for none. */
  secondsUntilAllowed: number;
}

export async function readPasswordThrottle(
  ctx: Pick<Context, "db">,
  { id, emailKey }: ThrottledAccount,
): Promise<ThrottleState> {
  const accountSeconds = await getSecondsUntilAllowed(ACCOUNT_COUNTER, emailKey);
  const networkSeconds = await Promise.all(
    (await listFailedNetworks(ctx, id)).map(async (network) =>
      Math.max(
        await getSecondsUntilAllowed(ACCOUNT_NETWORK_COUNTER, `${emailKey}|${network}`),
        await getSecondsUntilAllowed(NETWORK_COUNTER, network),
      ),
    ),
  );
  return {
    refusedNetworkCount: networkSeconds.filter((seconds) => seconds > 0).length,
    refusesUnknownNetworks: accountSeconds > 0,
    secondsUntilAllowed: Math.max(accountSeconds, ...networkSeconds),
  };
}

export async function resetPasswordAttempts(
  ctx: Pick<Context, "db">,
  { id, emailKey }: ThrottledAccount,
): Promise<void> {
  await resetCounter(ACCOUNT_COUNTER, emailKey);
  for (const network of await listFailedNetworks(ctx, id)) {
    await resetCounter(ACCOUNT_NETWORK_COUNTER, `${emailKey}|${network}`);
    await resetCounter(NETWORK_COUNTER, network);
  }
}

interface ThrottledAccount {
  id: number;
  emailKey: string;
}

async function listFailedNetworks({ db }: Pick<Context, "db">, actorId: number): Promise<string[]> {
  const at = { gt: fromNow(-ACCOUNT_NETWORK_COUNTER.per * SECOND) };
  const failures = await db.auditEvent.groupBy({
    by: ["ip"],
    where: { actorId, action: "sign_in.failed", at },
  });
  return [...new Set(failures.flatMap(({ ip }) => (ip ? [toIpBucket(ip)] : [])))];
}
