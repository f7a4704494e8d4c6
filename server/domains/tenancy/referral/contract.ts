import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { count, createdAt, flag, message, recordId, textLine, timestamp } from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { EarningSum, Payout } from "@/server/domains/billing/payouts/contract";

/** Codes are stored in upper case. components/tenancy/referral/code-availability.tsx has the same pattern. */
const REFERRAL_CODE_PATTERN = /^[A-Za-z0-9]{4,16}$/;

const displayName = z.string().meta({ example: "Arslan Ajans" });
const city = z.string().meta({ example: "Ankara" });
const code = z.string().meta({ example: "ARSLAN34" });

const typedCode = z
  .string()
  .regex(REFERRAL_CODE_PATTERN, { error: "validation.referral_code_form" })
  .transform((value) => value.toUpperCase())
  .meta({ description: "Referral code to check.", example: "ARSLAN34" });

const Referral = f.namedObject("Referral", "A reseller's membership in the referral programme.", {
  joined_at: f.nullable(timestamp, "When the reseller joined the programme; null while not a member."),
  code: f.nullable(code, "Referral code; null if none."),
  display_name: f.nullable(displayName, "Public name of the reseller; null if none."),
  city: f.nullable(city, "City of the reseller; null if none."),
  public: f.boolean("True when people can find the reseller at sign-up."),
  link: f.nullable(
    z.string(),
    "Sign-up link with the code, on the reseller's portal if there is one; null without a code.",
    "https://app.example.com/sign-up?ref=ARSLAN34",
  ),
  rate_percent: f.integer("Reseller's current share of each payment before VAT, in per cent.", 10),
  months: f.list(
    z.object({
      month: f.text("Month as `YYYY-MM`.", "2027-11"),
      sign_ups: count.meta({ description: "Number of new customers." }),
    }),
    "New customers in each of the last twelve months, oldest first.",
  ),
  earnings: f.list(
    z.object({
      id: recordId,
      amount: z.number().meta({ description: "Amount earned, in `currency`.", example: 833.25 }),
      currency: f.text("ISO 4217 currency code.", "TRY"),
      rate_percent: f.integer("Reseller's share of the payment before VAT, in per cent.", 10),
      state: f.oneOf(["earned", "void"], "`earned`, or `void` after the payment was reversed."),
      paid_out: f.boolean(
        "True when it was paid out. A reversal afterwards reduces the next pay-out.",
        false,
      ),
      paid_at: f.text("Day of the customer's payment.", "2027-11-20"),
      created_at: createdAt,
    }),
    "Newest 500 earnings.",
  ),
  sums: f.list(EarningSum, "Totals per currency."),
  payouts: f.list(Payout, "Newest 200 pay-outs."),
});

const output = f.success({ referral: Referral });

const READ_OPERATION = { tag: "Resellers", access: "token", ability: "reseller:read" } as const;

export const getReferral = operation({
  id: "getReferral",
  method: "GET",
  path: "/api/reseller/referral",
  ...READ_OPERATION,
  summary: "Get the caller's sign-ups and earnings in the referral programme",
  output,
  errors: ["agreement_unsigned"],
});

export const EARNING_PERIODS = ["12m", "90d", "30d"] as const;

export const getEarningSeries = operation({
  id: "getEarningSeries",
  method: "GET",
  path: "/api/reseller/referral/series",
  ...READ_OPERATION,
  summary: "Get the caller's earnings in the referral programme over time",
  description:
    "Adds up amounts in kuruş, because all payments are in TRY: earnings by the time at which they were recorded, pay-outs by their " +
    "day. A reversal voids an earning also in earlier intervals. All earnings are kept.",
  query: seriesQuery({ periods: EARNING_PERIODS }),
  output: f.success({
    data: series("EarningSeries", "Earnings of a reseller over time.", {
      earned: "earnings that were not voided.",
      voided: "earnings whose payment was reversed.",
      paid_out: "pay-outs.",
    }),
  }),
  errors: ["agreement_unsigned"],
});

export const putReferral = operation({
  id: "putReferral",
  method: "PUT",
  path: "/api/reseller/referral",
  tag: "Resellers",
  summary: "Change the caller's membership in the referral programme",
  description:
    "Joins or leaves the programme, changes the code, or changes the public listing. Omitted fields stay " +
    "unchanged. Leaving ends the listing, but people who use the code still become the reseller's " +
    "customers. A listing needs membership, `display_name` and `city`; 422 if one is missing. 422 also if " +
    "another reseller has the code.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    joined: f.nullish(flag, "True to join, false to leave."),
    code: f.nullish(typedCode, "New referral code: 4 to 16 letters and digits, stored in upper case."),
    display_name: f.nullish(textLine({ max: 80 }), "Public name; null to remove it.", "Arslan Ajans"),
    city: f.nullish(textLine({ max: 60 }), "City; null to remove it.", "Ankara"),
    public: f.nullish(
      flag,
      "True to show the reseller to people who sign up, false to hide it. True needs membership.",
    ),
  }),
  labels: { code: "referral_code" },
  output: output.extend({ message }),
  errors: ["agreement_unsigned"],
});

export const checkReferralCode = operation({
  id: "checkReferralCode",
  method: "GET",
  path: "/api/reseller/referral/code",
  ...READ_OPERATION,
  summary: "Check whether a referral code is available",
  description: "The caller's own code counts as available. The check does not reserve the code.",
  limit: { points: 60, per: 60, by: "account" },
  query: z.object({ code: typedCode }),
  labels: { code: "referral_code" },
  output: f.success({ free: f.boolean("True when the code is available.") }),
  errors: ["agreement_unsigned"],
});
