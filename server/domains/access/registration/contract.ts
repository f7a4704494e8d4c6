import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import {
  count,
  email,
  letterCode,
  mapSchema,
  message,
  password,
  personName,
  phone,
  samePasswords,
  searchLine,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { Consents, MANDATORY_CONSENTS_EXAMPLE } from "@/server/domains/accounts/consents/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { REFERRAL_SEARCH_MIN_LENGTH, REFUSAL_RETENTION_DAYS, SIGN_UP_PROBLEMS } from "./policy";

const RegisterInput = z
  .object({
    name: personName.meta({ description: "Name of the user." }),
    phone: phone.meta({
      description:
        "Phone number, international or Turkish. A valid number is stored in E.164 format, any other as " +
        "written.",
    }),
    email,
    password,
    password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    consents: f.nullish(
      mapSchema(Consents),
      "Consents that the user gives, by key. All mandatory ones must be true (`consents_missing`).",
    ),
    timezone: f.nullish(timezone, "IANA time zone, such as `Europe/Istanbul`."),
    referral_code: f.nullish(
      letterCode({ max: 64 }),
      "Referral code of the reseller whose customer the account becomes. When omitted on a reseller's " +
        "portal, that reseller is used.",
      "KAHVE1",
    ),
    company_fax: f.nullish(z.string(), "Honeypot: leave it empty.", null),
  })
  .refine(...samePasswords("password", "password_confirmation"))
  .meta({
    example: {
      name: "Ayşe Kaya",
      phone: "+905321234567",
      email: "ayse@example.com",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: MANDATORY_CONSENTS_EXAMPLE,
    },
  });

export const register = operation({
  id: "register",
  method: "POST",
  path: "/api/auth/register",
  tag: "Registration",
  summary: "Create an account",
  description:
    "The account starts with 1000 credits and an unverified email address; a verification email is " +
    "sent. The returned token works immediately; every later sign-in needs a verified address. Sign-up " +
    "can be closed (`sign_up_closed`) or need a referral code or portal (`sign_up_by_invitation`).",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: RegisterInput,
  labels: { name: "full_name" },
  status: 201,
  output: f.success({
    user: User.pick({
      id: true,
      name: true,
      email: true,
      role: true,
      credits: true,
      email_verified_at: true,
    })
      .extend({
        email_verified_at: User.shape.email_verified_at.meta({
          description: "When the email address was verified; null if not yet.",
          example: null,
        }),
      })
      .meta({ description: "The new account." }),
    token: f.text("Access token, `dsu_…`.", "dsu_…"),
    message,
  }),
  errors: ["consents_missing", "sign_up_refused", "sign_up_closed", "sign_up_by_invitation"],
});

const ReferralReseller = f.namedObject("ReferralReseller", "A reseller to choose at sign-up.", {
  display_name: f.text("Public name of the reseller.", "Arslan Ajans"),
  city: f.text("City of the reseller.", "Ankara"),
  code: f.text("Referral code.", "ARSLAN34"),
});

export const listReferralResellers = operation({
  id: "listReferralResellers",
  method: "GET",
  path: "/api/public/referral-resellers",
  tag: "Resellers",
  summary: "Find a reseller by name, city or code",
  description:
    "Lists resellers who joined the referral programme and agreed to be listed, by name, at most 50.",
  access: "public",
  limit: { points: 30, per: 60, by: "ip" },
  query: z.object({
    q: f.nullish(
      searchLine({ min: REFERRAL_SEARCH_MIN_LENGTH, max: 100 }),
      "Words to find in name, city or code; every word must match. At least 2 characters.",
      "ankara",
    ),
  }),
  output: z.object({
    data: f.list(ReferralReseller, "Matching resellers, at most 50."),
  }),
});

const Refusal = f.namedObject("SignUpRefusal", "A domain whose sign-ups were refused.", {
  domain: f.text("Domain of the email address, in punycode.", "example.com"),
  reason: f.oneOf(
    SIGN_UP_PROBLEMS,
    "Why it was refused. `honeypot`: a bot filled in a hidden field. `unknown_suffix`: no such top-level " +
      "domain. `public_suffix`: a suffix such as `co.uk`, not a domain. `disposable`: a throw-away mail " +
      "service. `no_mail`: the domain accepts no email.",
    "no_mail",
  ),
  attempts: count.meta({ description: "Number of refused attempts." }),
  networks: count.meta({ description: "Number of networks that the attempts came from." }),
  last_at: timestamp.meta({ description: "When the last attempt was made." }),
  allowed: f.boolean("True when administrators now allow the domain.", false),
});

export const listSignUpRefusals = operation({
  id: "listSignUpRefusals",
  method: "GET",
  path: "/api/admin/sign-up-refusals",
  tag: "Administration",
  summary: "List the domains of refused sign-ups",
  description:
    "Covers the last 30 days, latest first, at most 200. Only domains are stored, not addresses. To " +
    "allow a domain, add it to the setting `allowed_domains`.",
  access: "token",
  ability: "admin:*",
  output: listOutput("refusals", Refusal, "Refused sign-ups, by domain."),
});

export const SIGN_UP_PERIODS = ["30d", "24h", "7d", "90d", "12m"] as const;

export const getSignUpSeries = operation({
  id: "getSignUpSeries",
  method: "GET",
  path: "/api/admin/sign-ups/series",
  tag: "Administration",
  summary: "Get sign-ups and refusals over time",
  description:
    "Counts accounts by the time of their sign-up, also through an identity provider or an invitation of a reseller, but " +
    "not agents, whom a team adds. Deleted and anonymised accounts are not counted. Refusals are deleted after " +
    `${REFUSAL_RETENTION_DAYS} days.`,
  access: "token",
  ability: "admin:*",
  query: seriesQuery({ periods: SIGN_UP_PERIODS }),
  output: f.success({
    data: series("SignUpSeries", "Sign-ups and refusals over time.", {
      signed_up: "accounts that signed up.",
      refused: "refused attempts to sign up.",
    }),
  }),
});
