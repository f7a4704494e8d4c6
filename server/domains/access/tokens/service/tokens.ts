import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toDeviceKey } from "@/server/core/device";
import { lazyValue } from "@/server/core/lazy-value";
import type { RawUtf8 } from "@/server/core/raw-utf8";
import type { SqlText } from "@/server/core/sql";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { cancelPendingEmail } from "@/server/domains/accounts/users/service/change";
import {
  type DbAccess,
  withoutTransaction,
  withTransaction,
} from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { logout as logoutOperation } from "../contract";
import {
  buildTokenQuery,
  deleteOldestSignIns,
  exchangeSignInToken,
  findTokenJson,
  insertSignInToken,
  lockSignIns,
  type TokenJson,
  updateTokenUse,
} from "../statements";

export type TokenWithOwner = z.output<typeof TokenJson>;
export type TokenWithOutput = TokenWithOwner & { output?: RawUtf8 | null };
export type TokenKind = TokenWithOwner["kind"];

/** Lifetime since the last use; also in the text of `accessTokenField` (sign-in/contract.ts). */
export const SIGN_IN_LIFETIME_MS = 30 * DAY;
/** Maximum lifetime since the sign-in, however often the token is used. */
const MAX_SIGN_IN_DAYS = 180;
/** Per account; a further sign-in ends the least recently used one. */
const MAX_SIGN_INS = 200;
/** Time in which a new sign-in token can be exchanged for a session. */
const SESSION_EXCHANGE_SECONDS = 120;

/** Output to read in the same query as the token, unless the owner has used up a limit. */
export interface BundledOutput {
  sql: SqlText;
  isLimitReached(userId: number): Promise<boolean>;
}

/** Reads the owner's current state: a revocation, new role or deactivation affects the next request. */
export async function findToken(
  token: string,
  kinds: TokenKind[],
  bundledOutput?: BundledOutput,
): Promise<TokenWithOutput | undefined> {
  const tokenHash = hashSecret(token);
  const [row] = await queryToken(tokenHash, bundledOutput);
  const caller = row && (JSON.parse(row.tokenJson) as TokenWithOwner);
  if (!caller || !kinds.includes(caller.kind)) return undefined;
  return Object.assign(caller, { output: row.output });
}

const queriesByOutput = new WeakMap<SqlText, ReturnType<typeof buildTokenQuery>>();
/** Owner ids by token digest, to check the limit before the query: callers over it then cost little. */
const getOwnerIdsByToken = lazyValue(() => new Map<string, number>());
const MAX_CACHED_OWNERS = 10_000;

async function queryToken(
  tokenHash: Buffer,
  bundledOutput: BundledOutput | undefined,
): Promise<Array<{ tokenJson: string; output?: RawUtf8 | null }>> {
  if (!bundledOutput) return findTokenJson(withoutTransaction(), { tokenHash });
  const cacheKey = tokenHash.toString("base64");
  const ownerIds = getOwnerIdsByToken();
  const ownerId = ownerIds.get(cacheKey);
  if (ownerId !== undefined && (await bundledOutput.isLimitReached(ownerId)))
    return findTokenJson(withoutTransaction(), { tokenHash });
  const findWithOutput = queriesByOutput.get(bundledOutput.sql) ?? buildTokenQuery(bundledOutput.sql);
  queriesByOutput.set(bundledOutput.sql, findWithOutput);
  const rows = await findWithOutput(withoutTransaction(), { tokenHash });
  if (ownerId === undefined && rows[0]) {
    ownerIds.set(cacheKey, (JSON.parse(rows[0].tokenJson) as TokenWithOwner).user_id);
    if (ownerIds.size > MAX_CACHED_OWNERS) ownerIds.delete(ownerIds.keys().next().value!);
  }
  return rows;
}

export function recordTokenUse({ id, is_fresh }: TokenWithOwner, ip: string): Promise<unknown> | undefined {
  if (is_fresh) return undefined;
  return updateTokenUse(withoutTransaction(), {
    id,
    ip,
    expiresAt: fromNow(SIGN_IN_LIFETIME_MS),
    maxDays: MAX_SIGN_IN_DAYS,
  });
}

/**
 * Call it only from the gates and the registration. `isProven`: every factor was presented, which counts as a
 * proof of identity. Returns the user agents of earlier sign-ins as `devices`, latest first.
 */
export async function issueSignInToken(
  { sql, ip, userAgent }: Pick<Context, "sql" | "ip" | "userAgent">,
  userId: number,
  { isProven }: { isProven: boolean },
): Promise<{ id: number; token: string; devices: Array<string | null> }> {
  const token = createToken("dsu");
  await lockSignIns.sendWithoutWaiting({ sql }, { userId });
  await deleteOldestSignIns.sendWithoutWaiting({ sql }, { userId, keptCount: MAX_SIGN_INS - 1 });
  const [row] = await insertSignInToken(
    { sql },
    {
      userId,
      tokenHash: hashSecret(token),
      lastFour: token.slice(-4),
      ip,
      userAgent: userAgent?.slice(0, 500) ?? null,
      expiresAt: fromNow(SIGN_IN_LIFETIME_MS),
      isProven,
    },
  );
  return { ...row!, token };
}

/** Skips the first sign-in and known devices. */
export async function queueDeviceNotice(
  { sql, userAgent }: Pick<Context, "sql" | "userAgent">,
  { id, devices: earlierUserAgents }: { id: number; devices: Array<string | null> },
): Promise<void> {
  if (earlierUserAgents.length === 0 || earlierUserAgents.includes(userAgent)) return;
  const device = toDeviceKey(userAgent);
  if (!earlierUserAgents.some((earlierUserAgent) => toDeviceKey(earlierUserAgent) === device))
    await addJob({ sql }, "notice_sign_in", { tokenId: id });
}

/** Exchanges a new sign-in token, once, for the panel's cookie secret. Null for any other token. */
export async function exchangeForSession(
  access: Pick<DbAccess, "sql">,
  token: string,
): Promise<{ secret: string; userId: number } | null> {
  const secret = createToken("dss");
  const [row] = await exchangeSignInToken(access, {
    tokenHash: hashSecret(token),
    secretHash: hashSecret(secret),
    lastFour: secret.slice(-4),
    maxAgeSeconds: SESSION_EXCHANGE_SECONDS,
  });
  return row ? { secret, userId: row.userId } : null;
}

export async function logout(ctx: Context<UserActor>): Promise<Output<typeof logoutOperation>> {
  await withTransaction(ctx, async (tx) => {
    await revokeToken(tx, ctx.actor.token.id);
    await audit(tx, { action: "session.ended", object: { type: "User", id: ctx.actor.id } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.signed_out") };
}

async function revokeToken({ db }: Pick<DbAccess, "db">, id: number): Promise<void> {
  await db.accessToken.deleteMany({ where: { id } });
}

export async function revokeSession({ db }: Pick<DbAccess, "db">, secret: string): Promise<void> {
  await db.accessToken.deleteMany({ where: { tokenHash: hashSecret(secret), kind: "session" } });
}

/** Ends all tokens, API keys, pending sign-ins and trusted devices, and a pending change of address. */
export async function revokeAllAccess(tx: Context, userId: number): Promise<void> {
  await tx.db.accessToken.deleteMany({ where: { userId } });
  await endPendingAccess(tx, userId);
}

/** Like {@link revokeAllAccess}, but keeps the current token and the change of address it requested. */
export async function revokeOtherAccess(tx: Context, userId: number, currentTokenId: number): Promise<void> {
  await tx.db.accessToken.deleteMany({ where: { userId, id: { not: currentTokenId } } });
  await endPendingAccess(tx, userId, { not: currentTokenId });
}

/** Like {@link revokeAllAccess}, but keeps API keys. Returns the number of ended sign-ins. */
export async function endSignIns(tx: Context, userId: number): Promise<number> {
  const { count } = await tx.db.accessToken.deleteMany({ where: { userId, kind: { not: "api_key" } } });
  await endPendingAccess(tx, userId);
  return count;
}

async function endPendingAccess(tx: Context, userId: number, exceptToken?: { not: number }): Promise<void> {
  await cancelPendingEmail(tx, userId, exceptToken);
  await deleteInterimTokens(tx, userId);
  await deleteTrustedDevices(tx, userId);
}

export async function deleteInterimTokens({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.interimToken.deleteMany({ where: { userId } });
}

export async function deleteTrustedDevices({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.trustedDevice.deleteMany({ where: { userId } });
}

export async function recordIdentityProof({ db }: Pick<DbAccess, "db">, tokenId: number): Promise<void> {
  await db.accessToken.updateMany({ where: { id: tokenId }, data: { provenAt: new Date() } });
}
