import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { maskPhone } from "@/server/core/mask";
import { canReceiveTexts, getPhoneCountry } from "@/server/core/phone";
import { formatText } from "@/server/core/texts";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { getAccountBrand, getSenderName } from "@/server/infrastructure/brand/brand";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { consumePointOrThrow, type RateLimitCounter } from "@/server/infrastructure/rate-limit/limiter";
import { createSixDigitCode, hashCode } from "@/server/infrastructure/secrets/tokens";
import { queueSms } from "@/server/infrastructure/sms/outbox";
import type { CodeTexted, confirmSms, startSms } from "../contract";
import { upsertUnconfirmedFactor } from "../statements";
import { finishFactorActivation } from "./set-up";
import { withWrongCodeLimit } from "./wrong-codes";

export const SENT_CODE_LIFETIME_MS = 5 * MINUTE;
/** Per account, across email and SMS. */
export const CODES_PER_MINUTE_COUNTER: RateLimitCounter = {
  name: "2fa_send",
  points: 1,
  per: 60,
  durable: true,
};
const CODES_PER_HOUR_COUNTER: RateLimitCounter = {
  name: "2fa_send_hourly",
  points: 5,
  per: 3600,
  limitsGuessing: true,
};

/** With `phone`, also counts against the SMS limits. Throws `too_many_requests`, `phone_invalid`. */
export async function limitSentCodes(userId: number, phone?: string | null): Promise<void> {
  for (const counter of [CODES_PER_MINUTE_COUNTER, CODES_PER_HOUR_COUNTER])
    await consumePointOrThrow(counter, String(userId));
  if (phone) await limitSms(phone);
}

/** Text messages cost money: daily limits per number, per country and in total. */
async function limitSms(phone: string): Promise<void> {
  if (!canReceiveTexts(phone)) throw createError("phone_invalid");
  const { SMS_PER_NUMBER, SMS_PER_COUNTRY, SMS_PER_DAY } = env();
  const dailyLimits = [
    ["number", SMS_PER_NUMBER, phone],
    ["country", SMS_PER_COUNTRY, getPhoneCountry(phone)],
    ["day", SMS_PER_DAY, ""],
  ] as const;
  for (const [name, points, key] of dailyLimits) {
    const counter = { name: `sms_${name}`, points, per: 86_400, limitsGuessing: true };
    await consumePointOrThrow(counter, key, async () =>
      log.warn({ event: "sms.capped", cap: name, country: getPhoneCountry(phone) }),
    );
  }
}

/** The last line lets browsers autofill the code on our domain only. */
export async function sendCodeBySms(
  { sql, locale }: Pick<Context, "sql" | "locale">,
  recipient: { id: number; phone: string },
  code: string,
): Promise<void> {
  const brand = await getAccountBrand({ sql }, recipient.id);
  const message = formatText(locale, "sms.code", { code, brand: getSenderName(brand) });
  await queueSms(
    { sql },
    { userId: recipient.id, number: recipient.phone, locale },
    `${message}\n\n@${new URL(brand.url).hostname} #${code}`,
  );
}

export function buildSmsSentResponse(
  { locale }: Pick<Context, "locale">,
  phone: string,
): z.output<typeof CodeTexted> {
  return {
    success: true,
    message: formatText(locale, "responses.code_texted"),
    masked_destination: maskPhone(phone),
    expires_in: SENT_CODE_LIFETIME_MS / SECOND,
    resend_after: CODES_PER_MINUTE_COUNTER.per,
  };
}

export async function startSmsFactor(ctx: Context<UserActor>): Promise<Output<typeof startSms>> {
  await requireProof(ctx);
  if (!env().canSendSms) throw createError("sms_unavailable");
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  const { id: userId } = ctx.actor;
  const phone = await findPhone(ctx, userId);
  if (!phone) throw createError("phone_missing");
  if (!canReceiveTexts(phone)) throw createError("phone_invalid");
  await limitSentCodes(userId, phone);
  const code = createSixDigitCode();
  await withLockedOwnAccount(ctx, async (tx) => {
    const rows = await upsertUnconfirmedFactor(tx, {
      userId,
      kind: "sms",
      secret: digestSetUpCode(code, userId, phone),
    });
    if (rows.length === 0) throw createError("two_factor_on");
    await sendCodeBySms(tx, { id: userId, phone }, code);
  });
  return buildSmsSentResponse(ctx, phone);
}

export async function confirmSmsFactor(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmSms>,
): Promise<Output<typeof confirmSms>> {
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  const result = await withWrongCodeLimit(ctx, { userId, purpose: "set_up" }, () =>
    withLockedOwnAccount(ctx, async (tx) => {
      const phone = await findPhone(tx, userId);
      const now = new Date();
      const update = await tx.db.factor.updateMany({
        where: {
          userId,
          kind: "sms",
          confirmedAt: null,
          createdAt: { gt: fromNow(-SENT_CODE_LIFETIME_MS) },
          secretSealed: digestSetUpCode(body.code, userId, phone ?? ""),
        },
        data: { confirmedAt: now, secretSealed: null },
      });
      if (update.count === 0) return undefined;
      await updateUser(tx, { id: userId }, { phoneVerifiedAt: now });
      return finishFactorActivation(tx, "sms");
    }),
  );
  if (!result) throw createError("code_wrong");
  return result;
}

/** Includes the phone number, so that a change of the number voids the code. */
function digestSetUpCode(code: string, userId: number, phone: string): Buffer<ArrayBuffer> {
  return hashCode(code, `sms-set-up:${userId}:${phone}`);
}

async function findPhone({ db }: Pick<DbAccess, "db">, userId: number): Promise<string | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { phone: true } });
  return user?.phone ?? null;
}
