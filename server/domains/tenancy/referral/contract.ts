import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, flag, line, message, recordId, success, timestamp } from "@/server/core/schema";
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
  .meta({ example: "ARSLAN34" });

const Referral = z
  .object({
    /** Since when the reseller takes part; null: does not. */
    joined_at: timestamp.nullable(),
    code: code.nullable(),
    display_name: displayName.nullable(),
    city: city.nullable(),
    /** Whether people who sign up find the reseller. */
    public: z.boolean(),
    /** Where people sign up with the code. */
    link: z.string().meta({ example: "https://app.example.com/sign-up?ref=ARSLAN34" }).nullable(),
    /** Percent of a payment without VAT that is earned now. */
    rate_percent: z.int().meta({ example: 10 }),
    /** Customers who came in each of the last twelve months, oldest first. */
    months: z.array(z.object({ month: z.string().meta({ example: "2026-11" }), sign_ups: count })),
    /** The newest 500. */
    earnings: z.array(
      z.object({
        id: recordId,
        amount: z.number().meta({ example: 833.25 }),
        currency: z.string().meta({ example: "TRY" }),
        rate_percent: z.int().meta({ example: 10 }),
        /** `void`: the payment was taken back. */
        state: z.enum(["earned", "void"]),
        /** Taken back after that, it makes the next pay-out smaller. */
        paid_out: z.boolean(),
        /** The day of the customer's payment. */
        paid_at: z.string().meta({ example: "2026-11-20" }),
        created_at: timestamp,
      }),
    ),
    /** By currency: what was paid out, and what the next pay-out has; below zero when more was taken back than earned. */
    sums: z.array(
      z.object({
        currency: z.string().meta({ example: "TRY" }),
        paid: z.number().meta({ example: 2500 }),
        open: z.number().meta({ example: 833.25 }),
      }),
    ),
    /** The newest 200. */
    payouts: z.array(Payout),
  })
  .meta({ id: "Referral" });

const output = z.object({ success, referral: Referral });

export const getReferral = operation({
  id: "getReferral",
  method: "GET",
  path: "/api/reseller/referral",
  tag: "Resellers",
  summary: "Get the caller's place in the referral programme, with sign-ups and earnings",
  access: "token",
  ability: "reseller:read",
  status: 200,
  output,
  errors: ["agreement_unsigned"],
});

export const putReferral = operation({
  id: "putReferral",
  method: "PUT",
  path: "/api/reseller/referral",
  tag: "Resellers",
  summary: "Join or leave the referral programme, choose a code, be listed or not",
  description:
    "Missing fields stay unchanged. Leaving ends the listing; the code goes on making people the reseller's customers. Being " +
    "listed needs `display_name` and `city`.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    joined: flag.nullish(),
    code: typedCode.nullish(),
    display_name: line({ max: 80 }).meta({ example: "Arslan Ajans" }).nullish(),
    city: line({ max: 60 }).meta({ example: "Ankara" }).nullish(),
    public: flag.nullish(),
  }),
  labels: { code: "referral_code" },
  status: 200,
  output: output.extend({ message }),
  errors: ["agreement_unsigned"],
});

export const checkReferralCode = operation({
  id: "checkReferralCode",
  method: "GET",
  path: "/api/reseller/referral/code",
  tag: "Resellers",
  summary: "Tell whether a referral code is free",
  description: "The caller's own code is. Whoever saves it first has it.",
  access: "token",
  ability: "reseller:read",
  limit: { points: 60, per: 60, by: "account" },
  query: z.object({ code: typedCode }),
  labels: { code: "referral_code" },
  status: 200,
  output: z.object({ success, free: z.boolean() }),
  errors: ["agreement_unsigned"],
});
