import type { Context } from "@/server/core/context";
import { type Input, type Output, RawJson } from "@/server/core/contract";
import { AppError, invalidCounted } from "@/server/core/errors";
import { escapeLike, searchWords } from "@/server/core/fold";
import { mailLocale } from "@/server/core/locale";
import { normalisePhone } from "@/server/core/phone";
import { text } from "@/server/core/texts";
import { timeZone } from "@/server/core/time";
import { checkNewPassword } from "@/server/domains/access/sign-in/service/passwords";
import { issueSignInToken } from "@/server/domains/access/tokens/service/tokens";
import { sendVerification } from "@/server/domains/access/verification/service/mail";
import { missingConsents } from "@/server/domains/accounts/consents/contract";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { findPortalReseller } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import type { listReferralResellers, register as registerOperation } from "../contract";
import { listReferralResellerRows } from "../statements";
import { guardSignUp } from "./guard";
import { precheckSignUp, requireSignUp } from "./sign-up-mode";

/** Checks last whether the address is free: only that reveals something about others. */
export async function register(
  ctx: Context,
  { body }: Input<typeof registerOperation>,
): Promise<Output<typeof registerOperation>> {
  await checkNewPassword(body.password, { email: body.email });
  const resellerId = (await resellerOf(ctx, body.referral_code)) ?? (await findPortalReseller(ctx));
  await precheckSignUp(resellerId);
  const missing = missingConsents(body.consents);
  if (missing.length > 0) throw new AppError("consents_missing", { missing_consents: missing });
  await guardSignUp({ email: body.email, honeypot: body.company_fax }, ctx);

  const passwordHash = await hashPassword(body.password);
  return withTransaction(ctx, async (tx) => {
    await requireSignUp(tx, resellerId);
    const { name, email } = body;
    const account = {
      name,
      email,
      phone: normalisePhone(body.phone),
      passwordHash,
      timezone: body.timezone ? timeZone(body.timezone) : null,
      resellerId,
    };
    const id = await openAccount(tx, account, {
      consents: body.consents ?? {},
      source: "register",
      credits: WELCOME_CREDITS,
      entry: { action: "account.registered" },
    });
    if (!id) throw invalidCounted("email", "unique_email");
    const user = { id, name, email };
    await sendVerification({ ...tx, locale: mailLocale(ctx) }, { ...user, locale: null });
    return {
      success: true as const,
      user: { ...user, role: "user" as const, credits: WELCOME_CREDITS, email_verified_at: null },
      // The only token issued without the gates: the contract requires it.
      token: (await issueSignInToken(tx, user.id, { proven: true })).token,
      message: text(ctx.locale, "responses.registered"),
    };
  });
}

/** Throws `validation` unless the reseller is active and has signed the agreement. */
async function resellerOf({ db }: Context, code: string | null | undefined): Promise<number | null> {
  if (code === null || code === undefined) return null;
  const reseller = await db.reseller.findFirst({
    where: {
      referralCode: code,
      agreementSignedAt: { not: null },
      user: { isActive: true, role: "reseller" },
    },
    select: { userId: true },
  });
  if (!reseller) throw invalidCounted("referral_code", "referral_code");
  return reseller.userId;
}

export async function listResellers(
  ctx: Context,
  { query }: Input<typeof listReferralResellers>,
): Promise<RawJson> {
  const words = searchWords(query.q);
  const [row] = await listReferralResellerRows(ctx, {
    patterns: words.map((word) => `%${escapeLike(word)}%`),
  });
  return new RawJson(row!.body);
}
