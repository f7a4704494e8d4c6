import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError } from "@/server/core/errors";
import { parsePage } from "@/server/core/list";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { loadRecentUseLookup, readKeyUse } from "@/server/domains/accounts/key-use/service/read";
import { lockOwnAccount, withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { createUserToken, deleteUserToken, getTokenUse, listUserTokens } from "../contract";

/* API keys are access tokens of kind `api_key`; the contract calls them tokens. */

const DEFAULT_LIFETIME_DAYS = 90;
/** Stored for keys that never expire, so that queries need only compare `expiresAt`. */
const NO_EXPIRY = new Date("9999-12-31T00:00:00Z");

export const KEY_SELECT = {
  id: true,
  name: true,
  abilities: true,
  lastFour: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  ip: true,
} as const satisfies Prisma.AccessTokenSelect;

export function toKeyDto(row: Prisma.AccessTokenGetPayload<{ select: typeof KEY_SELECT }>) {
  return {
    id: row.id,
    name: row.name,
    abilities: row.abilities,
    last_four: row.lastFour,
    created_at: toIsoMicros(row.createdAt),
    expires_at: row.expiresAt.getTime() === NO_EXPIRY.getTime() ? null : toIsoMicros(row.expiresAt),
    last_used_at: toIsoMicros(row.lastUsedAt),
    // Until the first use, `ip` is the creator's.
    last_used_ip: row.lastUsedAt && row.ip,
  };
}

export async function listOwnKeys(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listUserTokens>,
): Promise<Output<typeof listUserTokens>> {
  const where = { userId: actor.id, kind: "api_key", expiresAt: { gt: new Date() } } as const;
  const { range, ...page } = parsePage(query);
  const [total, keys] = await Promise.all([
    db.accessToken.count({ where }),
    db.accessToken.findMany({ where, ...range, orderBy: { id: "desc" }, select: KEY_SELECT }),
  ]);
  const getRecentUse = await loadRecentUseLookup(
    { db },
    "tokenId",
    keys.map(({ id }) => id),
  );
  const tokens = keys.map((row) => ({ ...toKeyDto(row), ...getRecentUse(row.id) }));
  return { success: true, tokens, data: tokens, count: tokens.length, meta: { ...page, total } };
}

export async function getOwnKeyUse(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getTokenUse>,
): Promise<Output<typeof getTokenUse>> {
  await requireOwnKey(ctx, id);
  const usage = await readKeyUse(ctx, { tokenId: id });
  return { success: true, use: usage, data: usage };
}

export async function requireOwnKey(ctx: Context<UserActor>, id: number): Promise<void> {
  const where = { id, userId: ctx.actor.id, kind: "api_key", expiresAt: { gt: new Date() } } as const;
  const key = await ctx.db.accessToken.findUnique({ where, select: { id: true } });
  if (!key) throw await findInaccessibleKeyError(ctx, id);
}

export async function createOwnKey(
  ctx: Context<UserActor>,
  { body }: Input<typeof createUserToken>,
): Promise<Output<typeof createUserToken>> {
  await requireProof(ctx);
  const lifetimeDays = body.expires_in_days === undefined ? DEFAULT_LIFETIME_DAYS : body.expires_in_days;
  if (lifetimeDays === null && !ctx.actor.emailVerified) throw createError("email_needs_verification");
  const token = createToken("dsu");
  return withIdempotency(ctx, async (tx) => {
    await lockOwnAccount(tx);
    const row = await tx.db.accessToken.create({
      data: {
        userId: ctx.actor.id,
        kind: "api_key",
        name: body.name,
        tokenHash: hashSecret(token),
        lastFour: token.slice(-4),
        abilities: [...new Set(body.abilities ?? ["*"])],
        ip: ctx.ip,
        expiresAt: lifetimeDays === null ? NO_EXPIRY : fromNow(lifetimeDays * DAY),
      },
      select: KEY_SELECT,
    });
    await audit(tx, {
      action: "api_key.created",
      object: { type: "AccessToken", id: row.id },
      details: { name: body.name },
    });
    return { success: true as const, token, access_token: toKeyDto(row) };
  });
}

export async function revokeOwnKey(
  ctx: Context<UserActor>,
  { params }: Input<typeof deleteUserToken>,
): Promise<Output<typeof deleteUserToken>> {
  const { id } = params;
  const isDeleted = await withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.accessToken.deleteMany({
      where: { id, userId: ctx.actor.id, kind: "api_key" },
    });
    if (count > 0) await audit(tx, { action: "api_key.revoked", object: { type: "AccessToken", id } });
    return count > 0;
  });
  if (!isDeleted) throw await findInaccessibleKeyError(ctx, id);
  return { success: true, message: formatText(ctx.locale, "responses.key_revoked") };
}

async function findInaccessibleKeyError({ db, actor }: Context<UserActor>, id: number) {
  const otherAccountsKey = await db.accessToken.findUnique({
    where: { id, kind: "api_key", userId: { not: actor.id } },
    select: { id: true },
  });
  return createInaccessibleError(otherAccountsKey, "AccessToken", id);
}
