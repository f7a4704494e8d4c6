import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { outOfReach, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { notifyOwner } from "@/server/domains/profile/service";
import { requireProof } from "@/server/domains/tokens/service/tokens";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import type {
  connectIdentity,
  IdentityProvider,
  listIdentities,
  removeIdentity,
  startConnecting,
} from "../contract";
import { link } from "./account";
import { availableProviders } from "./providers";
import { spendToken, verifyIdToken } from "./verify";

interface Row {
  id: number;
  provider: IdentityProvider;
  email: string;
  created_at: Date;
  last_used_at: Date | null;
}

function identityOf({ id, provider, email, created_at, last_used_at }: Row) {
  return {
    id,
    provider,
    email,
    created_at: isoMicros(created_at),
    last_used_at: last_used_at && isoMicros(last_used_at),
  };
}

export async function list({ sql, actor }: Context<UserActor>): Promise<Answer<typeof listIdentities>> {
  const rows = await sql<Row>`
    select id, provider, email, created_at, last_used_at from external_identities
     where user_id = ${actor.id} order by id`;
  return {
    success: true,
    data: rows.map(identityOf),
    available: availableProviders(),
    other_way_in: await hasOtherWayIn({ sql }, actor.id),
  };
}

/** A password or a passkey: what opens the account without any identity. */
async function hasOtherWayIn({ sql }: Pick<Work, "sql">, userId: number): Promise<boolean> {
  const rows = await sql`
    select 1 from users
     where id = ${userId} and (password_hash is not null or exists (select from passkeys where user_id = users.id))`;
  return rows.length === 1;
}

/** Says now what {@link connect} would say after the way to the provider and back. */
export async function start(ctx: Context<UserActor>): Promise<Answer<typeof startConnecting>> {
  await requireProof(ctx);
  return { success: true, available: availableProviders() };
}

/** Connects one more identity to the caller's account; its address may be another one. */
export async function connect(
  ctx: Context<UserActor>,
  { body }: Input<typeof connectIdentity>,
): Promise<Answer<typeof connectIdentity>> {
  await requireProof(ctx);
  const identity = await verifyIdToken(body.provider, body.id_token);
  return withTransaction(ctx, async (tx) => {
    await spendToken(tx, identity);
    const id = await link(tx, identity, ctx.actor.id);
    await notifyOwner(tx, ctx.actor.id, "identity_connected");
    const [row] = await tx.sql<Row>`
      select id, provider, email, created_at, last_used_at from external_identities where id = ${id}`;
    const message = text(ctx.locale, "answers.identity_connected");
    return { success: true as const, message, identity: identityOf(row!) };
  });
}

/** Removes an identity, unless nothing else would open the account. */
export async function remove(
  ctx: Context<UserActor>,
  { params }: Input<typeof removeIdentity>,
): Promise<Answer<typeof removeIdentity>> {
  const userId = ctx.actor.id;
  const { id } = params;
  const held = await ctx.db.externalIdentity.findUnique({ where: { id }, select: { userId: true } });
  if (held?.userId !== userId) throw outOfReach(held, "ExternalIdentity", id);
  await requireProof(ctx);
  await withTransaction(ctx, async (tx) => {
    // Two removals at once must not each take the other's identity for the way in that is left.
    await tx.sql`select 1 from users where id = ${userId} for update`;
    const rows = await tx.sql<{ id: number; provider: IdentityProvider }>`
      select id, provider from external_identities where user_id = ${userId}`;
    const gone = rows.find((row) => row.id === id);
    if (!gone) throw outOfReach(undefined, "ExternalIdentity", id);
    if (rows.length === 1 && !(await hasOtherWayIn(tx, userId))) throw refuse("last_way_in");
    await tx.sql`delete from external_identities where id = ${gone.id}`;
    await audit(tx, {
      action: "identity.removed",
      object: { type: "User", id: userId },
      details: { provider: gone.provider },
    });
    await notifyOwner(tx, userId, "identity_removed");
  });
  return { success: true, message: text(ctx.locale, "answers.identity_removed") };
}
