import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  count,
  email,
  letterCode,
  mapOf,
  message,
  password,
  personName,
  phone,
  samePasswords,
  searchLine,
  success,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { Consents, MANDATORY_GIVEN } from "@/server/domains/accounts/consents/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { REFERRAL_QUERY_MIN, SIGN_UP_PROBLEMS } from "./policy";

export const RegisterInput = z
  .object({
    name: personName,
    /** Stored in E.164 when it is a number, read internationally or else as a Turkish one; as written otherwise. */
    phone,
    email,
    password,
    password_confirmation: typedPassword,
    consents: mapOf(Consents).nullish(),
    timezone: timezone.nullish(),
    referral_code: letterCode({ max: 64 }).meta({ example: "KAHVE1" }).nullish(),
    /** A field that people do not see; only bots fill it in. */
    company_fax: z.string().nullish().meta({ example: null }),
  })
  .refine(...samePasswords("password", "password_confirmation"))
  .meta({
    example: {
      name: "Ayşe Kaya",
      phone: "+905321234567",
      email: "ayse@example.com",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: MANDATORY_GIVEN,
    },
  });

export const register = operation({
  id: "register",
  method: "POST",
  path: "/api/auth/register",
  tag: "Registration",
  summary: "Create an account",
  description:
    "The account starts with 1000 credits and an unverified e-mail address; a verification mail is sent. The token works " +
    "at once; the next sign-in needs the verified address. Where administrators closed sign-up, it is 403 for every address.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: RegisterInput,
  status: 201,
  output: z.object({
    success,
    user: User.pick({
      id: true,
      name: true,
      email: true,
      role: true,
      credits: true,
      email_verified_at: true,
    }).extend({ email_verified_at: User.shape.email_verified_at.meta({ example: null }) }),
    token: z.string().meta({ example: "dsu_…" }),
    message,
  }),
  errors: ["consents_missing", "sign_up_refused", "sign_up_closed", "sign_up_by_invitation"],
});

/** A reseller that people who sign up can choose (docs/contract.md 2.5). */
const ReferralReseller = z
  .object({
    display_name: z.string().meta({ example: "Arslan Ajans" }),
    city: z.string().meta({ example: "Ankara" }),
    code: z.string().meta({ example: "ARSLAN34" }),
  })
  .meta({ id: "ReferralReseller" });

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
  query: z.object({
    q: searchLine({ min: REFERRAL_QUERY_MIN, max: 100 }).meta({ example: "ankara" }).nullish(),
  }),
  status: 200,
  output: z.object({ data: z.array(ReferralReseller) }),
});

const Refusal = z
  .object({
    /** The domain of the address, in punycode. */
    domain: z.string().meta({ example: "example.com" }),
    /** `honeypot`: a program filled in a field that people do not see. `no_mail`: the domain takes no mail. */
    reason: z.enum(SIGN_UP_PROBLEMS).meta({ example: "no_mail" }),
    attempts: count,
    /** How many networks they came from. */
    networks: count,
    last_at: timestamp,
    /** Whether administrators have let the domain in since. */
    allowed: z.boolean().meta({ example: false }),
  })
  .meta({ id: "SignUpRefusal" });

export const listSignUpRefusals = operation({
  id: "listSignUpRefusals",
  method: "GET",
  path: "/api/admin/sign-up-refusals",
  tag: "Administration",
  summary: "List the domains of refused sign-ups",
  description:
    "Of the last 30 days, the last first, 200 at most. Addresses are not kept. `allowed_domains` of the settings lets a domain in.",
  access: "token",
  ability: "admin:*",
  status: 200,
  output: z.object({ success, refusals: z.array(Refusal), data: z.array(Refusal), count }),
});
