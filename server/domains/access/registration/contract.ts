import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, line, mapOf, password, phone, samePasswords, success } from "@/server/core/schema";
import { Consents } from "@/server/domains/accounts/consents/contract";
import { User } from "@/server/domains/accounts/profile/contract";

export const RegisterInput = z
  .object({
    name: line({ max: 255 }),
    /** Stored in E.164 when it is a number, read internationally or else as a Turkish one; as written otherwise. */
    phone,
    email,
    password,
    password_confirmation: z.string(),
    consents: mapOf(Consents).nullish(),
    timezone: z.string().max(64).nullish(),
    referral_code: line({ max: 64 }).nullish(),
    /** A field that people do not see; only bots fill it in. */
    company_fax: z.string().nullish(),
  })
  .refine(...samePasswords("password", "password_confirmation"));

export const register = operation({
  id: "register",
  method: "POST",
  path: "/api/auth/register",
  tag: "Registration",
  summary: "Create an account",
  description:
    "The account starts with 1000 credits and an unverified e-mail address; a verification mail is sent. The token works " +
    "at once; the next sign-in needs the verified address.",
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
    }),
    token: z.string(),
    message: z.string(),
  }),
  errors: ["consents_missing", "sign_up_refused"],
});
