import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { deviceName } from "@/server/core/device";
import { kept } from "@/server/core/kept";
import type { SqlText } from "@/server/core/sql";
import { text } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import type { Unread } from "@/server/core/unread";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { endPendingAddress } from "@/server/domains/accounts/users/service/change";
import { outside, type Work, withTransaction } from "@/server/infrastructure/database/transaction";
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
  noteTokenUse,
  type TokenJson,
} from "../statements";

export type FoundToken = z.output<typeof TokenJson>;
export type TokenWithOutput = FoundToken & { output?: Unread | null };
export type TokenKind = FoundToken["kind"];

/** A sign-in lasts 30 days from its last use. */
export const SIGN_IN_LIFE = 30 * DAY;
/** A sign-in ends after so many days, however often it is used. */
const SIGN_IN_DAYS = 180;
/** Live sign-ins of an account; a further one ends the least recently used. */
const SIGN_INS_MAX = 200;
/** How long a new sign-in token may be exchanged for the panel's cookie. */
const EXCHANGE_SECONDS = 120;

/** An output that is read together with the token, unless its owner has used up a limit. */
export interface Along {
  sql: SqlText;
  isSpent(userId: number): Promise<boolean>;
}

/**
 * Finds a token by its digest, with the current state of its owner: a revoked token, a changed role or a deactivated
 * account takes effect on the next request. `output` is JSON of the same snapshot.
 */
export async function findToken(
  token: string,
  kinds: TokenKind[],
  along?: Along,
): Promise<TokenWithOutput | undefined> {
  const tokenHash = digest(token);
  const [row] = await lookUp(tokenHash, along);
  const found = row && (JSON.parse(row.found) as FoundToken);
  if (!found || !kinds.includes(found.kind)) return undefined;
  return Object.assign(found, { output: row.output });
}

const statements = new WeakMap<SqlText, ReturnType<typeof findTokenWith>>();
/** Owners of the tokens that were read along last: whoever is beyond a limit must not make the database work in vain. */
const ownersByToken = kept(() => new Map<string, number>());
const OWNERS_MAX = 10_000;

async function lookUp(
  tokenHash: Buffer,
  along: Along | undefined,
): Promise<Array<{ found: string; output?: Unread | null }>> {
  if (!along) return findTokenJson(outside(), { tokenHash });
  const key = tokenHash.toString("base64");
  const owners = ownersByToken();
  const owner = owners.get(key);
  if (owner !== undefined && (await along.isSpent(owner))) return findTokenJson(outside(), { tokenHash });
  const find = statements.get(along.sql) ?? findTokenWith(along.sql);
  statements.set(along.sql, find);
  const rows = await find(outside(), { tokenHash });
  if (owner === undefined && rows[0]) {
    owners.set(key, (JSON.parse(rows[0].found) as FoundToken).user_id);
    if (owners.size > OWNERS_MAX) owners.delete(owners.keys().next().value!);
  }
  return rows;
}

/** Records the use of a token, at most once a minute; a sign-in then lives another 30 days, but never over 180. */
export function touchToken({ id, is_fresh }: FoundToken, ip: string): Promise<unknown> | undefined {
  if (is_fresh) return undefined;
  return noteTokenUse(outside(), { id, ip, expiresAt: fromNow(SIGN_IN_LIFE), days: SIGN_IN_DAYS });
}

/**
 * Issues the token of a sign-in. Only the gates may call this; see `sign-in/service/gates.ts`. `proven` says that the
 * person has just presented every factor of the account, which allows sensitive changes for a while. `devices` are the
 * user agents of the sign-ins before it, the last first.
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

/** Has a job look at a sign-in, unless its device is one of the last; the first sign-in of all is no news. */
export async function noticeNewDevice(
  { sql, userAgent }: Pick<Context, "sql" | "userAgent">,
  { id, devices }: { id: number; devices: Array<string | null> },
): Promise<void> {
  if (devices.length === 0 || devices.includes(userAgent)) return;
  const device = deviceName(userAgent);
  if (!devices.some((each) => deviceName(each) === device))
    await addJob({ sql }, "notice_sign_in", { tokenId: id });
}

/**
 * Exchanges a new sign-in token for the panel's cookie secret. The token ends with it, in one conditional update, so
 * it works once. Returns null for any other token.
 */
export async function exchangeForSession(
  work: Pick<Work, "sql">,
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

/** Revokes the token of the current request. */
export async function logout(ctx: Context<UserActor>): Promise<Output<typeof logoutOperation>> {
  await withTransaction(ctx, async (tx) => {
    await revokeToken(tx, ctx.actor.token.id);
    await audit(tx, { action: "session.ended", object: { type: "User", id: ctx.actor.id } });
  });
  return { success: true, message: text(ctx.locale, "responses.signed_out") };
}

/** Ends one token or session. */
async function revokeToken({ db }: Pick<Work, "db">, id: number): Promise<void> {
  await db.accessToken.deleteMany({ where: { id } });
}

/** Ends a panel session by its cookie's secret. */
export async function revokeSession({ db }: Pick<Work, "db">, secret: string): Promise<void> {
  await db.accessToken.deleteMany({ where: { tokenHash: digest(secret), kind: "session" } });
}

/**
 * Ends everything that opens the account without the password, or would: tokens, sessions, sign-ins under way, devices,
 * and the change of address that they asked for.
 */
export async function revokeAll(tx: Context, userId: number): Promise<void> {
  await tx.db.accessToken.deleteMany({ where: { userId } });
  await endRest(tx, userId);
}

/** The same, except for the token of the current request. */
export async function revokeOthers(tx: Context, userId: number, current: number): Promise<void> {
  await tx.db.accessToken.deleteMany({ where: { userId, id: { not: current } } });
  await endRest(tx, userId, { not: current });
}

/** The same, except for API keys. Returns how many sign-ins ended. */
export async function endSignIns(tx: Context, userId: number): Promise<number> {
  const { count } = await tx.db.accessToken.deleteMany({ where: { userId, kind: { not: "api_key" } } });
  await endRest(tx, userId);
  return count;
}

/** What opens the account besides tokens; a change of address that the token `not` asked for stays. */
async function endRest(tx: Context, userId: number, kept?: { not: number }): Promise<void> {
  await endPendingAddress(tx, userId, kept);
  await endInterims(tx, userId);
  await endTrustedDevices(tx, userId);
}

/** Ends sign-ins that wait for their second factor. */
export async function endInterims({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.interimToken.deleteMany({ where: { userId } });
}

/** Deletes the trusted devices. */
export async function endTrustedDevices({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.trustedDevice.deleteMany({ where: { userId } });
}

/** Records that the caller has just proved their identity. */
export async function noteProof({ db }: Pick<Work, "db">, tokenId: number): Promise<void> {
  await db.accessToken.updateMany({ where: { id: tokenId }, data: { provenAt: new Date() } });
}
