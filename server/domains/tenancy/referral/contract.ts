import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, createdAt, flag, line, message, recordId, success, timestamp } from "@/server/core/schema";
import { Payout } from "@/server/domains/billing/payouts/contract";

/** A referral code, as it is typed; it is compared in capitals. Letters of other alphabets are refused, never folded. */
const REFERRAL_CODE = /^[A-Za-z0-9]{4,16}$/;

const displayName = z.string().meta({ example: "Arslan Ajans" });
const city = z.string().meta({ example: "Ankara" });
const code = z.string().meta({ example: "ARSLAN34" });

const typedCode = z
  .string()
  .regex(REFERRAL_CODE, { error: "validation.referral_code_form" })
  .transform((value) => value.toUpperCase())
  .meta({ description: "Referral code to check.", example: "ARSLAN34" });

const Referral = z
  .object({
    joined_at: timestamp
      .nullable()
      .meta({ description: "When the reseller joined the programme; null if not a member." }),
    code: code.nullable().meta({ description: "Referral code; null if none." }),
    display_name: displayName.nullable().meta({ description: "Public name of the reseller; null if none." }),
    city: city.nullable().meta({ description: "City of the reseller; null if none." }),
    public: z.boolean().meta({ description: "True when people can find the reseller at sign-up." }),
    link: z.string().nullable().meta({
      description: "Sign-up link with the code; null without a code.",
      example: "https://app.example.com/sign-up?ref=ARSLAN34",
    }),
    rate_percent: z
      .int()
      .meta({ description: "Current share of each payment without VAT, in per cent.", example: 10 }),
    months: z
      .array(
        z.object({
          month: z.string().meta({ description: "Month as `YYYY-MM`.", example: "2026-11" }),
          sign_ups: count.meta({ description: "Number of new customers." }),
        }),
      )
      .meta({ description: "New customers in each of the last twelve months, oldest first." }),
    earnings: z
      .array(
        z.object({
          id: recordId,
          amount: z.number().meta({ description: "Amount earned.", example: 833.25 }),
          currency: z.string().meta({ description: "ISO 4217 currency code.", example: "TRY" }),
          rate_percent: z
            .int()
            .meta({ description: "Share of the payment without VAT, in per cent.", example: 10 }),
          state: z
            .enum(["earned", "void"])
            .meta({ description: "State of the earning. `void`: the payment was reversed." }),
          paid_out: z
            .boolean()
            .meta({ description: "True when it was paid out; a later reversal reduces the next pay-out." }),
          paid_at: z.string().meta({ description: "Day of the customer's payment.", example: "2026-11-20" }),
          created_at: createdAt,
        }),
      )
      .meta({ description: "Newest 500 earnings." }),
    sums: z
      .array(
        z.object({
          currency: z.string().meta({ description: "ISO 4217 currency code.", example: "TRY" }),
          paid: z.number().meta({ description: "Total of all pay-outs.", example: 2500 }),
          open: z.number().meta({
            description: "Amount of the next pay-out; negative when more was reversed than earned.",
            example: 833.25,
          }),
        }),
      )
      .meta({ description: "Totals by currency." }),
    payouts: z.array(Payout).meta({ description: "Newest 200 pay-outs." }),
  })
  .meta({ id: "Referral", description: "A reseller's membership in the referral programme." });

const output = z.object({ success, referral: Referral });

export const getReferral = operation({
  id: "getReferral",
  method: "GET",
  path: "/api/reseller/referral",
  tag: "Resellers",
  summary: "Get the caller's sign-ups and earnings of the referral programme",
  access: "token",
  ability: "reseller:read",
  output,
  errors: ["agreement_unsigned"],
});

export const putReferral = operation({
  id: "putReferral",
  method: "PUT",
  path: "/api/reseller/referral",
  tag: "Resellers",
  summary: "Change the caller's membership in the referral programme",
  description:
    "Joins or leaves the programme, sets the code, and lists the reseller or not. Omitted fields stay unchanged. Leaving " +
    "ends the listing; people who use the code still become the reseller's customers. Being listed needs `display_name` " +
    "and `city`.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    joined: flag.nullish().meta({ description: "True to join, false to leave." }),
    code: typedCode.nullish().meta({ description: "New referral code." }),
    display_name: line({ max: 80 })
      .nullish()
      .meta({ description: "Public name; null to remove it.", example: "Arslan Ajans" }),
    city: line({ max: 60 }).nullish().meta({ description: "City; null to remove it.", example: "Ankara" }),
    public: flag.nullish().meta({ description: "True to be listed for people who sign up." }),
  }),
  labels: { code: "referral_code" },
  output: output.extend({ message }),
  errors: ["agreement_unsigned"],
});

export const checkReferralCode = operation({
  id: "checkReferralCode",
  method: "GET",
  path: "/api/reseller/referral/code",
  tag: "Resellers",
  summary: "Check whether a referral code is available",
  description: "The caller's own code counts as available. A code is only taken once it is saved.",
  access: "token",
  ability: "reseller:read",
  limit: { points: 60, per: 60, by: "account" },
  query: z.object({ code: typedCode }),
  labels: { code: "referral_code" },
  output: z.object({ success, free: z.boolean().meta({ description: "True when the code is available." }) }),
  errors: ["agreement_unsigned"],
});
