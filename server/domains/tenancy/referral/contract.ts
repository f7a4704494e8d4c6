import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, flag, line, message, recordId, success, timestamp } from "@/server/core/schema";
import { REFERRAL_CODE, REFERRAL_QUERY_MIN } from "./policy";

const displayName = z.string().meta({ example: "Arslan Ajans" });
const city = z.string().meta({ example: "Ankara" });
const code = z.string().meta({ example: "ARSLAN34" });

/** A reseller that people who sign up can choose (docs/contract.md 2.5). */
const ReferralReseller = z.object({ display_name: displayName, city, code }).meta({ id: "ReferralReseller" });

export const listReferralResellers = operation({
  id: "listReferralResellers",
  method: "GET",
  path: "/api/public/referral-resellers",
  tag: "Resellers",
  summary: "Find a reseller by name, city or code",
  description:
    "Resellers who joined the referral programme and agreed to be listed, at most 50, by name. `q` has at least two characters; " +
    "without it, the first 50.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  query: z.object({ q: line({ min: REFERRAL_QUERY_MIN, max: 100 }).meta({ example: "ankara" }).nullish() }),
  status: 200,
  output: z.object({ data: z.array(ReferralReseller) }),
});

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
        /** The day of the customer's payment. */
        paid_at: z.string().meta({ example: "2026-11-20" }),
        created_at: timestamp,
      }),
    ),
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
    code: z
      .string()
      .regex(REFERRAL_CODE, { error: "validation.referral_code_form" })
      .transform((value) => value.toUpperCase())
      .meta({ example: "ARSLAN34" })
      .nullish(),
    display_name: line({ max: 80 }).meta({ example: "Arslan Ajans" }).nullish(),
    city: line({ max: 60 }).meta({ example: "Ankara" }).nullish(),
    public: flag.nullish(),
  }),
  status: 200,
  output: output.extend({ message }),
  errors: ["agreement_unsigned"],
});
