import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { canReceiveTexts } from "@/server/core/phone";
import { text } from "@/server/core/texts";
import { fromNow, isoMicros } from "@/server/core/time";
import {
  CODE_LIFE,
  codeTexted,
  countSending,
  textCode,
} from "@/server/domains/access/two-factor/service/sms";
import { countWrongCode } from "@/server/domains/access/two-factor/service/wrong-codes";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { codeDigest, newCode } from "@/server/infrastructure/secrets/tokens";
import type { confirmPhone, getPhone, sendPhoneCode } from "../contract";

export async function get({ db, actor }: Context<UserActor>): Promise<Output<typeof getPhone>> {
  const { phone, phoneVerifiedAt } = await load({ db }, actor.id);
  return {
    success: true,
    phone,
    verified_at: isoMicros(phoneVerifiedAt),
    sms_offered: Boolean(env().sms),
    receives_texts: canReceiveTexts(phone),
  };
}

/** Needs a verified address, so that messages cannot be triggered in bulk. */
export async function sendCode(ctx: Context<UserActor>): Promise<Output<typeof sendPhoneCode>> {
  if (!env().sms) throw refuse("sms_unavailable");
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  const { id } = ctx.actor;
  const { phone } = await load(ctx, id);
  if (!phone) throw refuse("phone_missing");
  if (!canReceiveTexts(phone)) throw refuse("phone_invalid");
  await countSending(id, phone);
  const code = newCode();
  await withTransaction(ctx, async (tx) => {
    const sent = { codeHash: digestOf(code, id, phone), expiresAt: fromNow(CODE_LIFE) };
    await tx.db.phoneCode.upsert({
      where: { userId: id },
      create: { userId: id, ...sent },
      update: sent,
      select: { userId: true },
    });
    await textCode(tx, { id, phone }, code);
  });
  return codeTexted(ctx, phone);
}

export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmPhone>,
): Promise<Output<typeof confirmPhone>> {
  const { id } = ctx.actor;
  const verifiedAt = await countWrongCode(ctx, { userId: id, at: "set_up" }, () =>
    withOwnAccount(ctx, async (tx) => {
      const { phone } = await load(tx, id);
      const codeHash = digestOf(body.code, id, phone ?? "");
      const deleted = await tx.db.phoneCode.deleteMany({
        where: { userId: id, codeHash, expiresAt: { gt: new Date() } },
      });
      if (deleted.count === 0) return undefined;
      const verified = new Date();
      await updateUser(tx, { id }, { phoneVerifiedAt: verified });
      await audit(tx, { action: "profile.phone_verified", object: { type: "User", id } });
      return verified;
    }),
  );
  if (!verifiedAt) throw refuse("code_wrong");
  return {
    success: true,
    message: text(ctx.locale, "responses.phone_verified"),
    verified_at: isoMicros(verifiedAt),
  };
}

async function load({ db }: Pick<DbAccess, "db">, id: number) {
  const user = await db.user.findUnique({ where: { id }, select: { phone: true, phoneVerifiedAt: true } });
  if (!user) throw refuse("unauthenticated");
  return user;
}

/** A code is void once the profile's phone number changes. */
function digestOf(code: string, userId: number, phone: string): Buffer<ArrayBuffer> {
  return codeDigest(code, `phone:${userId}:${phone}`);
}
