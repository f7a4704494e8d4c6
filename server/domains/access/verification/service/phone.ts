import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { canReceiveTexts } from "@/server/core/phone";
import { formatText } from "@/server/core/texts";
import { fromNow, toIsoMicros } from "@/server/core/time";
import {
  buildSmsSentResponse,
  limitSentCodes,
  SENT_CODE_LIFETIME_MS,
  sendCodeBySms,
} from "@/server/domains/access/two-factor/service/sms";
import { withWrongCodeLimit } from "@/server/domains/access/two-factor/service/wrong-codes";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { createSixDigitCode, hashCode } from "@/server/infrastructure/secrets/tokens";
import type { confirmPhone, getPhone, sendPhoneCode } from "../contract";

export async function getPhoneState({ db, actor }: Context<UserActor>): Promise<Output<typeof getPhone>> {
  const { phone, phoneVerifiedAt } = await loadPhone({ db }, actor.id);
  return {
    success: true,
    phone,
    verified_at: toIsoMicros(phoneVerifiedAt),
    sms_offered: Boolean(env().canSendSms),
    receives_texts: canReceiveTexts(phone),
  };
}

/** Needs a verified address, so that messages cannot be triggered in bulk. */
export async function sendPhoneVerificationCode(
  ctx: Context<UserActor>,
): Promise<Output<typeof sendPhoneCode>> {
  if (!env().canSendSms) throw createError("sms_unavailable");
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  const { id } = ctx.actor;
  const { phone } = await loadPhone(ctx, id);
  if (!phone) throw createError("phone_missing");
  if (!canReceiveTexts(phone)) throw createError("phone_invalid");
  await limitSentCodes(id, phone);
  const code = createSixDigitCode();
  await withTransaction(ctx, async (tx) => {
    const storedCode = {
      codeHash: digestPhoneCode(code, id, phone),
      expiresAt: fromNow(SENT_CODE_LIFETIME_MS),
    };
    await tx.db.phoneCode.upsert({
      where: { userId: id },
      create: { userId: id, ...storedCode },
      update: storedCode,
      select: { userId: true },
    });
    await sendCodeBySms(tx, { id, phone }, code);
  });
  return buildSmsSentResponse(ctx, phone);
}

export async function confirmPhoneNumber(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmPhone>,
): Promise<Output<typeof confirmPhone>> {
  const { id } = ctx.actor;
  const verifiedAt = await withWrongCodeLimit(ctx, { userId: id, purpose: "set_up" }, () =>
    withLockedOwnAccount(ctx, async (tx) => {
      const { phone } = await loadPhone(tx, id);
      const codeHash = digestPhoneCode(body.code, id, phone ?? "");
      const deletion = await tx.db.phoneCode.deleteMany({
        where: { userId: id, codeHash, expiresAt: { gt: new Date() } },
      });
      if (deletion.count === 0) return undefined;
      const now = new Date();
      await updateUser(tx, { id }, { phoneVerifiedAt: now });
      await audit(tx, { action: "profile.phone_verified", object: { type: "User", id } });
      return now;
    }),
  );
  if (!verifiedAt) throw createError("code_wrong");
  return {
    success: true,
    message: formatText(ctx.locale, "responses.phone_verified"),
    verified_at: toIsoMicros(verifiedAt),
  };
}

async function loadPhone({ db }: Pick<DbAccess, "db">, id: number) {
  const user = await db.user.findUnique({ where: { id }, select: { phone: true, phoneVerifiedAt: true } });
  if (!user) throw createError("unauthenticated");
  return user;
}

function digestPhoneCode(code: string, userId: number, phone: string): Buffer<ArrayBuffer> {
  return hashCode(code, `phone:${userId}:${phone}`);
}
