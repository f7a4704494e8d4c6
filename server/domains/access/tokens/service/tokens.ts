import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { deviceName } from "@/server/core/device";
import { lazyValue } from "@/server/core/lazy-value";
import type { RawUtf8 } from "@/server/core/raw-utf8";
import type { SqlText } from "@/server/core/sql";
import { text } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { cancelPendingAddress } from "@/server/domains/accounts/users/service/change";
import {
  type DbAccess,
  withoutTransaction,
  withTransaction,
} from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { logout as logoutOperation } from "../contract";
import {
  endOldestSignIns,
  exchangeToken,
  findTokenJson,
  findTokenWith,
  insertSignInToken,
  lockSignIns,
  type TokenJson,
  updateTokenUse,
} from "../statements";

export type TokenWithOwner = z.output<typeof TokenJson>;
export type TokenWithOutput = TokenWithOwner & { output?: RawUtf8 | null };
export type TokenKind = TokenWithOwner["kind"];

/** Lifetime since the last use. */
export const SIGN_IN_LIFE = 30 * DAY;
/** Maximum age, however often a sign-in is used. */
const SIGN_IN_DAYS = 180;
/** A further sign-in ends the least recently used one. */
const SIGN_INS_MAX = 200;
/** Time to exchange a new sign-in token for the panel's cookie. */
const EXCHANGE_SECONDS = 120;

/** Output to read in the same query as the token, unless the owner has used up a limit. */
export interface BundledOutput {
  sql: SqlText;
  isSpent(userId: number): Promise<boolean>;
}

/**
 * Finds a token with the current state of its owner, so that revocation, a new role or a deactivation takes
 * effect on the next request.
 */
export async function findToken(
  token: string,
  kinds: TokenKind[],
  along?: BundledOutput,
): Promise<TokenWithOutput | undefined> {
  const tokenHash = digest(token);
  const [row] = await lookUp(tokenHash, along);
  const caller = row && (JSON.parse(row.found) as TokenWithOwner);
  if (!caller || !kinds.includes(caller.kind)) return undefined;
  return Object.assign(caller, { output: row.output });
}

const statements = new WeakMap<SqlText, ReturnType<typeof findTokenWith>>();
/** Owners by token digest: callers over a limit must not cost database work. */
const ownersByToken = lazyValue(() => new Map<string, number>());
const OWNERS_MAX = 10_000;

async function lookUp(
  tokenHash: Buffer,
  along: BundledOutput | undefined,
): Promise<Array<{ found: string; output?: RawUtf8 | null }>> {
  if (!along) return findTokenJson(withoutTransaction(), { tokenHash });
  const key = tokenHash.toString("base64");
  const owners = ownersByToken();
  const owner = owners.get(key);
  if (owner !== undefined && (await along.isSpent(owner)))
    return findTokenJson(withoutTransaction(), { tokenHash });
  const findWithOutput = statements.get(along.sql) ?? findTokenWith(along.sql);
  statements.set(along.sql, findWithOutput);
  const rows = await findWithOutput(withoutTransaction(), { tokenHash });
  if (owner === undefined && rows[0]) {
    owners.set(key, (JSON.parse(rows[0].found) as TokenWithOwner).user_id);
    if (owners.size > OWNERS_MAX) owners.delete(owners.keys().next().value!);
  }
  return rows;
}

/** Records the use at most once a minute and extends a sign-in to 30 days, up to 180 in total. */
export function recordTokenUse({ id, is_fresh }: TokenWithOwner, ip: string): Promise<unknown> | undefined {
  if (is_fresh) return undefined;
  return updateTokenUse(withoutTransaction(), {
    id,
    ip,
    expiresAt: fromNow(SIGN_IN_LIFE),
    days: SIGN_IN_DAYS,
  });
}

/**
 * Only for the gates and the registration. `proven` when every factor was presented: it counts as a proof of
 * identity. `devices` are the user agents of earlier sign-ins, latest first.
 */
export async function issueSignInToken(
  { sql, ip, userAgent }: Pick<Context, "sql" | "ip" | "userAgent">,
  userId: number,
  { proven }: { proven: boolean },
): Promise<{ id: number; token: string; devices: Array<string | null> }> {
  const token = newToken("dsu");
  await lockSignIns.later({ sql }, { userId });
  await endOldestSignIns.later({ sql }, { userId, kept: SIGN_INS_MAX - 1 });
  const [row] = await insertSignInToken(
    { sql },
    {
      userId,
      tokenHash: digest(token),
      lastFour: token.slice(-4),
      ip,
      userAgent: userAgent?.slice(0, 500) ?? null,
      expiresAt: fromNow(SIGN_IN_LIFE),
      proven,
    },
  );
  return { ...row!, token };
}

/** Queues a notice about an unknown device; never for the first sign-in. */
export async function queueDeviceNotice(
  { sql, userAgent }: Pick<Context, "sql" | "userAgent">,
  { id, devices }: { id: number; devices: Array<string | null> },
): Promise<void> {
  if (devices.length === 0 || devices.includes(userAgent)) return;
  const device = deviceName(userAgent);
  if (!devices.some((each) => deviceName(each) === device))
    await addJob({ sql }, "notice_sign_in", { tokenId: id });
}

/** Exchanges a new sign-in token, once, for the panel's cookie secret. Null for any other token. */
export async function exchangeForSession(
  work: Pick<DbAccess, "sql">,
  token: string,
): Promise<{ secret: string; userId: number } | null> {
  const secret = newToken("dss");
  const [row] = await exchangeToken(work, {
    tokenHash: digest(token),
    secretHash: digest(secret),
    lastFour: secret.slice(-4),
    seconds: EXCHANGE_SECONDS,
  });
  return row ? { secret, userId: row.userId } : null;
}

export async function logout(ctx: Context<UserActor>): Promise<Output<typeof logoutOperation>> {
  await withTransaction(ctx, async (tx) => {
    await revokeToken(tx, ctx.actor.token.id);
    await audit(tx, { action: "session.ended", object: { type: "User", id: ctx.actor.id } });
  });
  return { success: true, message: text(ctx.locale, "responses.signed_out") };
}

async function revokeToken({ db }: Pick<DbAccess, "db">, id: number): Promise<void> {
  await db.accessToken.deleteMany({ where: { id } });
}

export async function revokeSession({ db }: Pick<DbAccess, "db">, secret: string): Promise<void> {
  await db.accessToken.deleteMany({ where: { tokenHash: digest(secret), kind: "session" } });
}

/** Ends everything that opens the account without its password, and a pending change of address. */
export async function revokeAll(tx: Context, userId: number): Promise<void> {
  await tx.db.accessToken.deleteMany({ where: { userId } });
  await endRest(tx, userId);
}

/** Like {@link revokeAll}, but keeps the current token and the change of address it requested. */
export async function revokeOthers(tx: Context, userId: number, current: number): Promise<void> {
  await tx.db.accessToken.deleteMany({ where: { userId, id: { not: current } } });
  await endRest(tx, userId, { not: current });
}

/** Like {@link revokeAll}, but keeps API keys. Returns the number of ended sign-ins. */
export async function endSignIns(tx: Context, userId: number): Promise<number> {
  const { count } = await tx.db.accessToken.deleteMany({ where: { userId, kind: { not: "api_key" } } });
  await endRest(tx, userId);
  return count;
}

async function endRest(tx: Context, userId: number, except?: { not: number }): Promise<void> {
  await cancelPendingAddress(tx, userId, except);
  await endInterims(tx, userId);
  await endTrustedDevices(tx, userId);
}

export async function endInterims({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.interimToken.deleteMany({ where: { userId } });
}

export async function endTrustedDevices({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.trustedDevice.deleteMany({ where: { userId } });
}

export async function recordProof({ db }: Pick<DbAccess, "db">, tokenId: number): Promise<void> {
  await db.accessToken.updateMany({ where: { id: tokenId }, data: { provenAt: new Date() } });
}
