import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { maskPhone } from "@/server/core/mask";
import { canReceiveTexts, countryOf } from "@/server/core/phone";
import { text } from "@/server/core/texts";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { brandFor, senderName } from "@/server/infrastructure/brand/brand";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { codeDigest, newCode } from "@/server/infrastructure/secrets/tokens";
import { queueSms } from "@/server/infrastructure/sms/outbox";
import type { CodeTexted, confirmSms, startSms } from "../contract";
import { upsertUnconfirmedFactor } from "../statements";
import { finishActivation } from "./set-up";
import { countWrongCode } from "./wrong-codes";

export const CODE_LIFE = 5 * MINUTE;
/** Per account, for e-mail and SMS together. */
export const SEND_PER_MINUTE: Counter = { name: "2fa_send", points: 1, per: 60, durable: true };
const SEND_HOURLY: Counter = { name: "2fa_send_hourly", points: 5, per: 3600, limitsGuessing: true };

/** `phone` counts against the SMS limits, too. Throws `too_many_requests`, `phone_invalid`. */
export async function countSending(userId: number, phone?: string | null): Promise<void> {
  for (const counter of [SEND_PER_MINUTE, SEND_HOURLY]) await requirePoint(counter, String(userId));
  if (phone) await countText(phone);
}

/** Text messages cost money: daily limits per number, per country and in total. */
async function countText(phone: string): Promise<void> {
  if (!canReceiveTexts(phone)) throw refuse("phone_invalid");
  const { SMS_PER_NUMBER, SMS_PER_COUNTRY, SMS_PER_DAY } = env();
  const caps = [
    ["number", SMS_PER_NUMBER, phone],
    ["country", SMS_PER_COUNTRY, countryOf(phone)],
    ["day", SMS_PER_DAY, ""],
  ] as const;
  for (const [name, points, key] of caps) {
    const counter = { name: `sms_${name}`, points, per: 86_400, limitsGuessing: true };
    await requirePoint(counter, key, async () =>
      log.warn({ event: "sms.capped", cap: name, country: countryOf(phone) }),
    );
  }
}

/** The last line binds the code to our domain for browsers' autofill. */
export async function textCode(
  { sql, locale }: Pick<Context, "sql" | "locale">,
  to: { id: number; phone: string },
  code: string,
): Promise<void> {
  const brand = await brandFor({ sql }, to.id);
  const words = text(locale, "sms.code", { code, brand: senderName(brand) });
  await queueSms(
    { sql },
    { userId: to.id, number: to.phone, locale },
    `${words}\n\n@${new URL(brand.url).hostname} #${code}`,
  );
}

export function codeTexted({ locale }: Pick<Context, "locale">, phone: string): z.output<typeof CodeTexted> {
  return {
    success: true,
    message: text(locale, "responses.code_texted"),
    masked_destination: maskPhone(phone),
    expires_in: CODE_LIFE / SECOND,
    resend_after: SEND_PER_MINUTE.per,
  };
}

export async function start(ctx: Context<UserActor>): Promise<Output<typeof startSms>> {
  await requireProof(ctx);
  if (!env().sms) throw refuse("sms_unavailable");
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  const { id: userId } = ctx.actor;
  const phone = await phoneOf(ctx, userId);
  if (!phone) throw refuse("phone_missing");
  if (!canReceiveTexts(phone)) throw refuse("phone_invalid");
  await countSending(userId, phone);
  const code = newCode();
  await withOwnAccount(ctx, async (tx) => {
    const rows = await upsertUnconfirmedFactor(tx, {
      userId,
      kind: "sms",
      secret: setUpDigest(code, userId, phone),
    });
    if (rows.length === 0) throw refuse("two_factor_on");
    await textCode(tx, { id: userId, phone }, code);
  });
  return codeTexted(ctx, phone);
}

export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmSms>,
): Promise<Output<typeof confirmSms>> {
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  const result = await countWrongCode(ctx, { userId, at: "set_up" }, () =>
    withOwnAccount(ctx, async (tx) => {
      const phone = await phoneOf(tx, userId);
      const now = new Date();
      const confirmed = await tx.db.factor.updateMany({
        where: {
          userId,
          kind: "sms",
          confirmedAt: null,
          createdAt: { gt: fromNow(-CODE_LIFE) },
          secretSealed: setUpDigest(body.code, userId, phone ?? ""),
        },
        data: { confirmedAt: now, secretSealed: null },
      });
      if (confirmed.count === 0) return undefined;
      await updateUser(tx, { id: userId }, { phoneVerifiedAt: now });
      return finishActivation(tx, "sms");
    }),
  );
  if (!result) throw refuse("code_wrong");
  return result;
}

/** A code is void once the profile's phone number changes. */
function setUpDigest(code: string, userId: number, phone: string): Buffer<ArrayBuffer> {
  return codeDigest(code, `sms-set-up:${userId}:${phone}`);
}

async function phoneOf({ db }: Pick<DbAccess, "db">, userId: number): Promise<string | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { phone: true } });
  return user?.phone ?? null;
}
