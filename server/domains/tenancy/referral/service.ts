import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { countedInvalidField, invalidField } from "@/server/core/errors";
import { foldText } from "@/server/core/fold";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { listEarnings } from "@/server/domains/billing/payments/service/earnings";
import { listPayouts } from "@/server/domains/billing/payouts/service/list";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import { toSeries, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { getSetting } from "@/server/infrastructure/settings";
import {
  type checkReferralCode,
  EARNING_PERIODS,
  type getEarningSeries,
  type getReferral,
  type putReferral,
} from "./contract";
import { countSignUpsByMonth, sumEarnings } from "./statements";

export async function readReferral(ctx: Context<UserActor>): Promise<Output<typeof getReferral>> {
  await requireSignedReseller(ctx);
  return { success: true, referral: await describeReferral(ctx) };
}

export async function sumEarningsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getEarningSeries>,
): Promise<Output<typeof getEarningSeries>> {
  await requireSignedReseller(ctx);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: EARNING_PERIODS[0] });
  const { databaseZone: zone, limits } = range;
  const rows = await sumEarnings(ctx, { resellerId: ctx.actor.id, zone, limits });
  return toSeries(range, toSumLines(range, rows, ["earned", "voided", "paid_out"], "minor"));
}

export async function checkCodeAvailability(
  ctx: Context<UserActor>,
  { query }: Input<typeof checkReferralCode>,
): Promise<Output<typeof checkReferralCode>> {
  await requireSignedReseller(ctx);
  const codeOwner = await ctx.db.reseller.findUnique({
    where: { referralCode: query.code },
    select: { userId: true },
  });
  return { success: true, free: !codeOwner || codeOwner.userId === ctx.actor.id };
}

const MEMBERSHIP_SELECT = {
  referralCode: true,
  displayName: true,
  city: true,
  joinedAt: true,
  publicListingAt: true,
} as const;

async function describeReferral(ctx: Context<UserActor>): Promise<Output<typeof getReferral>["referral"]> {
  const { id } = ctx.actor;
  const [reseller, months, brand, rate, earnings, payouts] = await Promise.all([
    ctx.db.reseller.findUniqueOrThrow({ where: { userId: id }, select: MEMBERSHIP_SELECT }),
    countSignUpsByMonth(ctx, { resellerId: id }),
    getAccountBrand(ctx, id),
    getSetting(ctx, "referral_rate"),
    listEarnings(ctx, id),
    listPayouts(ctx, id),
  ]);
  return {
    joined_at: toIsoMicros(reseller.joinedAt),
    code: reseller.referralCode,
    display_name: reseller.displayName,
    city: reseller.city,
    public: reseller.publicListingAt !== null,
    link: reseller.referralCode && `${brand.url}/sign-up?ref=${reseller.referralCode}`,
    rate_percent: rate,
    months: months.map(({ month, signUps }) => ({ month, sign_ups: signUps })),
    earnings,
    ...payouts,
  };
}

export async function updateReferral(
  ctx: Context<UserActor>,
  { body }: Input<typeof putReferral>,
): Promise<Output<typeof putReferral>> {
  await requireSignedReseller(ctx);
  const { id } = ctx.actor;
  return withLockedOwnAccount(ctx, async (tx) => {
    const storedReferral = await tx.db.reseller.findUniqueOrThrow({
      where: { userId: id },
      select: MEMBERSHIP_SELECT,
    });
    const joinedAt =
      body.joined === false ? null : (storedReferral.joinedAt ?? (body.joined ? new Date() : null));
    const displayName = body.display_name === undefined ? storedReferral.displayName : body.display_name;
    const city = body.city === undefined ? storedReferral.city : body.city;
    const isListed = joinedAt !== null && (body.public ?? storedReferral.publicListingAt !== null);
    if (body.public && !joinedAt) throw invalidField("public", "referral_join_first");
    if (isListed && !displayName) throw invalidField("display_name", "required");
    if (isListed && !city) throw invalidField("city", "required");
    await tx.db.reseller.update({
      where: { userId: id },
      data: {
        joinedAt,
        referralCode: body.code ?? storedReferral.referralCode,
        displayName,
        displayFolded: displayName && foldText(displayName),
        city,
        cityFolded: city && foldText(city),
        publicListingAt: isListed ? (storedReferral.publicListingAt ?? new Date()) : null,
      },
      select: { userId: true },
    });
    await audit(tx, {
      action: "referral.changed",
      object: { type: "User", id },
      details: {
        joined: joinedAt !== null,
        public: isListed,
        code: body.code ?? storedReferral.referralCode,
      },
    });
    const message = formatText(ctx.locale, "responses.referral_saved");
    return { success: true as const, message, referral: await describeReferral(tx) };
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "referral_code")
      ? countedInvalidField("code", "referral_code_taken")
      : error;
  });
}
