import { Secret } from "otpauth";
import { renderSVG } from "uqr";
import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/audit/service";
import { notifyOwner } from "@/server/domains/profile/service";
import { endInterims, endTrustedDevices, requireProof } from "@/server/domains/tokens/service/tokens";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { confirmTotp, enableEmailFactor, FactorKind, removeFactor, startTotp } from "../contract";
import { activeFactors, countRecoveryCodes } from "./factors";
import { makeRecoveryCodes } from "./recovery";
import { authenticator, spendTotp, TOTP_PURPOSE } from "./verify";
import { countWrongCode } from "./wrong-codes";

type Tx = Context<UserActor>;

/** Makes a seed. Refused while an app is active: that one has to be removed first. */
export async function start(ctx: Context<UserActor>): Promise<Answer<typeof startTotp>> {
  await requireProof(ctx);
  const { base32 } = new Secret({ size: 20 });
  const rows = await ctx.sql<{ email: string }>`
    with pending as (
      insert into factors (user_id, kind, secret_sealed) values (${ctx.actor.id}, 'totp', ${Buffer.from(seal(base32, TOTP_PURPOSE))})
      on conflict (user_id, kind) do update
        set secret_sealed = excluded.secret_sealed, last_step = null, created_at = now()
      where factors.confirmed_at is null
      returning id
    )
    select email from users where id = ${ctx.actor.id} and exists (select from pending)`;
  if (!rows[0]) throw refuse("two_factor_on");
  const url = authenticator(base32, rows[0].email, env().APP_NAME).toString();
  return { success: true, secret: base32, otpauth_url: url, qr_svg: renderSVG(url, { border: 2 }) };
}

/** Makes the app a factor by its first code. */
export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmTotp>,
): Promise<Answer<typeof confirmTotp>> {
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  const done = await countWrongCode(ctx, { userId, at: "set_up" }, () =>
    withTransaction(ctx, async (tx) => {
      const fits = await spendTotp(tx, { userId, code: body.code, confirm: true });
      return fits ? switchedOn(tx, "totp") : undefined;
    }),
  );
  if (!done) throw refuse("code_wrong");
  return done;
}

/** Makes mailed codes a factor. */
export async function enableEmail(ctx: Context<UserActor>): Promise<Answer<typeof enableEmailFactor>> {
  await requireProof(ctx);
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  return withTransaction(ctx, async (tx) => {
    await tx.sql`
      insert into factors (user_id, kind, confirmed_at) values (${ctx.actor.id}, 'email', now())
      on conflict (user_id, kind) do nothing`;
    return switchedOn(tx, "email");
  });
}

/** What every factor does once it is on: recovery codes when there are none, an entry, a mail. */
export async function switchedOn(tx: Tx, method: FactorKind) {
  const userId = tx.actor.id;
  const codes = (await countRecoveryCodes(tx, userId)) > 0 ? null : await makeRecoveryCodes(tx, userId);
  await audit(tx, {
    action: "two_factor.enabled",
    object: { type: "User", id: userId },
    details: { method },
  });
  await notifyOwner(tx, userId, "two_factor_enabled");
  return { success: true as const, message: text(tx.locale, "answers.two_factor_on"), recovery_codes: codes };
}

/** Takes a factor away; with the last one everything that stood in for it goes too. */
export async function remove(
  ctx: Context<UserActor>,
  { params }: Input<typeof removeFactor>,
): Promise<Answer<typeof removeFactor>> {
  await requireProof(ctx);
  const userId = ctx.actor.id;
  return withTransaction(ctx, async (tx) => {
    if (!(await dropFactor(tx, userId, params.method)))
      throw refuse("record_not_found", { params: { model: "TwoFactorMethod", id: params.method } });
    return { success: true as const, message: text(ctx.locale, "answers.two_factor_removed") };
  });
}

/**
 * Takes a factor away in the caller's transaction, with what hung on it, and tells the owner. False when there was
 * none. The caller has seen a fresh proof of identity.
 */
export async function dropFactor(tx: Context, userId: number, method: FactorKind): Promise<boolean> {
  const removed =
    await tx.sql`delete from factors where user_id = ${userId} and kind = ${method} returning id`;
  if (removed.length === 0) return false;
  await endInterims(tx, userId);
  if ((await activeFactors(tx, userId)).length === 0) {
    await tx.sql`delete from recovery_codes where user_id = ${userId}`;
    await endTrustedDevices(tx, userId);
  }
  await audit(tx, {
    action: "two_factor.removed",
    object: { type: "User", id: userId },
    details: { method },
  });
  await notifyOwner(tx, userId, "two_factor_removed");
  return true;
}
