import type { Context } from "@/server/core/context";
import { type Input, type Output, RawJson } from "@/server/core/contract";
import { AppError, countedInvalidField } from "@/server/core/errors";
import { escapeLike, splitIntoWords } from "@/server/core/fold";
import { chooseMailLocale } from "@/server/core/locale";
import { normalisePhone } from "@/server/core/phone";
import { formatText } from "@/server/core/texts";
import { toCanonicalZone } from "@/server/core/time";
import { checkNewPassword } from "@/server/domains/access/sign-in/service/passwords";
import { issueSignInToken } from "@/server/domains/access/tokens/service/tokens";
import { sendVerificationMail } from "@/server/domains/access/verification/service/verification-mail";
import { findMissingConsents } from "@/server/domains/accounts/consents/contract";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { findPortalResellerId } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import type { listReferralResellers, register as registerOperation } from "../contract";
import { buildReferralResellersJson } from "../statements";
import { refuseSpamAddress } from "./refuse-spam-address";
import { precheckSignUpAllowed, requireSignUpAllowed } from "./sign-up-mode";

/** Checks last whether the address is free: only that check reveals accounts of others. */
export async function register(
  ctx: Context,
  { body }: Input<typeof registerOperation>,
): Promise<Output<typeof registerOperation>> {
  await checkNewPassword(body.password, { email: body.email });
  const resellerId =
    (await findReferralReseller(ctx, body.referral_code)) ?? (await findPortalResellerId(ctx));
  await precheckSignUpAllowed(resellerId);
  const missingConsents = findMissingConsents(body.consents);
  if (missingConsents.length > 0)
    throw new AppError("consents_missing", { missing_consents: missingConsents });
  await refuseSpamAddress({ email: body.email, honeypot: body.company_fax }, ctx);

  const passwordHash = await hashPassword(body.password);
  return withTransaction(ctx, async (tx) => {
    await requireSignUpAllowed(tx, resellerId);
    const { name, email } = body;
    const account = {
      name,
      email,
      phone: normalisePhone(body.phone),
      passwordHash,
      timezone: body.timezone ? toCanonicalZone(body.timezone) : null,
      resellerId,
    };
    const id = await openAccount(tx, account, {
      consents: body.consents ?? {},
      source: "register",
      credits: WELCOME_CREDITS,
      auditEntry: { action: "account.registered" },
    });
    if (!id) throw countedInvalidField("email", "unique_email");
    const user = { id, name, email };
    await sendVerificationMail(tx, { ...user, locale: null, signUpLocale: chooseMailLocale(ctx) });
    return {
      success: true as const,
      user: { ...user, role: "user" as const, credits: WELCOME_CREDITS, email_verified_at: null },
      // The only token issued without the gates: the contract requires it.
      token: (await issueSignInToken(tx, user.id, { isProven: true })).token,
      message: formatText(ctx.locale, "responses.registered"),
    };
  });
}

async function findReferralReseller(
  { db }: Context,
  code: string | null | undefined,
): Promise<number | null> {
  if (code === null || code === undefined) return null;
  const reseller = await db.reseller.findFirst({
    where: {
      referralCode: code,
      agreementSignedAt: { not: null },
      user: { isActive: true, role: "reseller" },
    },
    select: { userId: true },
  });
  if (!reseller) throw countedInvalidField("referral_code", "referral_code");
  return reseller.userId;
}

export async function searchReferralResellers(
  ctx: Context,
  { query }: Input<typeof listReferralResellers>,
): Promise<RawJson> {
  const words = splitIntoWords(query.q);
  const [row] = await buildReferralResellersJson(ctx, {
    patterns: words.map((word) => `%${escapeLike(word)}%`),
  });
  return new RawJson(row!.json);
}
