import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { receivesTexts } from "@/server/core/phone";
import { text } from "@/server/core/texts";
import { fromNow, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { CODE_LIFE, codeTexted, countSending, textCode } from "@/server/domains/two-factor/service/sms";
import { digits } from "@/server/domains/two-factor/service/verify";
import { countWrongCode } from "@/server/domains/two-factor/service/wrong-codes";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { codeDigest, newCode } from "@/server/infrastructure/secrets/tokens";
import type { confirmPhone, getPhone, sendPhoneCode } from "./contract";

/** The number, and since when it is known to be its owner's. */
export async function read({ sql, actor }: Context<UserActor>): Promise<Answer<typeof getPhone>> {
  const { phone, phone_verified_at: at } = await load({ sql }, actor.id);
  return {
    success: true,
    phone,
    verified_at: at && isoMicros(at),
    sms_offered: Boolean(env().sms),
    receives_texts: receivesTexts(phone),
  };
}

/** Texts a code; only to accounts with a verified address, so that messages cannot be had by the dozen. */
export async function sendCode(ctx: Context<UserActor>): Promise<Answer<typeof sendPhoneCode>> {
  if (!env().sms) throw refuse("sms_unavailable");
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  const { id } = ctx.actor;
  const { phone } = await load(ctx, id);
  if (!phone) throw refuse("phone_missing");
  if (!receivesTexts(phone)) throw refuse("phone_invalid");
  await countSending(id);
  const code = newCode();
  await withTransaction(ctx, async ({ sql }) => {
    const hash = digestOf(code, id, phone);
    await sql`
      insert into phone_codes (user_id, code_hash, expires_at) values (${id}, ${hash}, ${fromNow(CODE_LIFE)})
      on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`;
    await textCode({ sql, locale: ctx.locale }, { id, phone }, code);
  });
  return codeTexted(ctx, phone);
}

/** Consumes the code; the row of the account is locked, so the number cannot change in between. */
export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmPhone>,
): Promise<Answer<typeof confirmPhone>> {
  const { id } = ctx.actor;
  const verifiedAt = await countWrongCode(ctx, { userId: id, at: "set_up" }, () =>
    withTransaction(ctx, async (tx) => {
      const { phone } = await load(tx, id, true);
      const hash = digestOf(digits(body.code), id, phone ?? "");
      const spent = await tx.sql`
        delete from phone_codes where user_id = ${id} and code_hash = ${hash} and expires_at > now() returning user_id`;
      if (spent.length === 0) return undefined;
      const [row] = await tx.sql<{ at: Date }>`
        update users set phone_verified_at = now() where id = ${id} returning phone_verified_at as at`;
      await audit(tx, { action: "profile.phone_verified", object: { type: "User", id } });
      return row!.at;
    }),
  );
  if (!verifiedAt) throw refuse("code_wrong");
  return {
    success: true,
    message: text(ctx.locale, "answers.phone_verified"),
    verified_at: isoMicros(verifiedAt),
  };
}

interface Row {
  phone: string | null;
  phone_verified_at: Date | null;
}

async function load({ sql }: Pick<Work, "sql">, id: number, lock = false): Promise<Row> {
  const rows = lock
    ? await sql<Row>`select phone, phone_verified_at from users where id = ${id} for update`
    : await sql<Row>`select phone, phone_verified_at from users where id = ${id}`;
  if (!rows[0]) throw refuse("unauthenticated");
  return rows[0];
}

/** Bound to the number: a code dies when the profile's phone changes. */
function digestOf(code: string, userId: number, phone: string): Buffer {
  return codeDigest(code, `phone:${userId}:${phone}`);
}
