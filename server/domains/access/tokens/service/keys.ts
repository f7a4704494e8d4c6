import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, refuse } from "@/server/core/errors";
import { pageOf } from "@/server/core/list";
import { text } from "@/server/core/texts";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { readUse, recentUseOf } from "@/server/domains/accounts/key-use/service";
import { lockOwnAccount, withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { createUserToken, deleteUserToken, getTokenUse, listUserTokens } from "../contract";

const DEFAULT_DAYS = 90;
/** "No expiry": every token has a date, so that one lookup fits all. */
const NEVER = new Date("9999-12-31T00:00:00Z");

export const KEY = {
  id: true,
  name: true,
  abilities: true,
  lastFour: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  ip: true,
} as const satisfies Prisma.AccessTokenSelect;

export function describeKey(row: Prisma.AccessTokenGetPayload<{ select: typeof KEY }>) {
  return {
    id: row.id,
    name: row.name,
    abilities: row.abilities,
    last_four: row.lastFour,
    created_at: isoMicros(row.createdAt),
    expires_at: row.expiresAt.getTime() === NEVER.getTime() ? null : isoMicros(row.expiresAt),
    last_used_at: isoMicros(row.lastUsedAt),
    last_used_ip: row.lastUsedAt && row.ip,
  };
}

export async function list(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listUserTokens>,
): Promise<Output<typeof listUserTokens>> {
  const where = { userId: actor.id, kind: "api_key", expiresAt: { gt: new Date() } } as const;
  const { rows, ...page } = pageOf(query);
  const [total, keys] = await Promise.all([
    db.accessToken.count({ where }),
    db.accessToken.findMany({ where, ...rows, orderBy: { id: "desc" }, select: KEY }),
  ]);
  const recent = await recentUseOf(
    { db },
    "tokenId",
    keys.map(({ id }) => id),
  );
  const tokens = keys.map((row) => ({ ...describeKey(row), ...recent(row.id) }));
  return { success: true, tokens, data: tokens, count: tokens.length, meta: { ...page, total } };
}

export async function use(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getTokenUse>,
): Promise<Output<typeof getTokenUse>> {
  const where = { id, userId: ctx.actor.id, kind: "api_key", expiresAt: { gt: new Date() } } as const;
  const key = await ctx.db.accessToken.findUnique({ where, select: { id: true } });
  if (!key) throw await inaccessibleKey(ctx, id);
  const usage = await readUse(ctx, { tokenId: id });
  return { success: true, use: usage, data: usage };
}

export async function create(
  ctx: Context<UserActor>,
  { body }: Input<typeof createUserToken>,
): Promise<Output<typeof createUserToken>> {
  await requireProof(ctx);
  const days = body.expires_in_days === undefined ? DEFAULT_DAYS : body.expires_in_days;
  if (days === null && !ctx.actor.emailVerified) throw refuse("email_needs_verification");
  const token = newToken("dsu");
  return withIdempotency(ctx, async (tx) => {
    await lockOwnAccount(tx);
    const row = await tx.db.accessToken.create({
      data: {
        userId: ctx.actor.id,
        kind: "api_key",
        name: body.name,
        tokenHash: digest(token),
        lastFour: token.slice(-4),
        abilities: [...new Set(body.abilities ?? ["*"])],
        ip: ctx.ip,
        expiresAt: days === null ? NEVER : fromNow(days * DAY),
      },
      select: KEY,
    });
    await audit(tx, {
      action: "api_key.created",
      object: { type: "AccessToken", id: row.id },
      details: { name: body.name },
    });
    return { success: true as const, token, access_token: describeKey(row) };
  });
}

export async function remove(
  ctx: Context<UserActor>,
  { params }: Input<typeof deleteUserToken>,
): Promise<Output<typeof deleteUserToken>> {
  const { id } = params;
  const isDeleted = await withOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.accessToken.deleteMany({
      where: { id, userId: ctx.actor.id, kind: "api_key" },
    });
    if (count > 0) await audit(tx, { action: "api_key.revoked", object: { type: "AccessToken", id } });
    return count > 0;
  });
  if (!isDeleted) throw await inaccessibleKey(ctx, id);
  return { success: true, message: text(ctx.locale, "responses.key_revoked") };
}

async function inaccessibleKey({ db, actor }: Context<UserActor>, id: number) {
  const others = await db.accessToken.findUnique({
    where: { id, kind: "api_key", userId: { not: actor.id } },
    select: { id: true },
  });
  return inaccessibleRecord(others, "AccessToken", id);
}
