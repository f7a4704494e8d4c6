import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  Done,
  email,
  flag,
  maskedEmail,
  message,
  password,
  samePasswords,
  sixDigits,
  success,
  typedPassword,
} from "@/server/core/schema";
import { FactorKind, recoveryCode } from "@/server/domains/access/two-factor/contract";
import { Modules, SignedInUser, User } from "@/server/domains/accounts/profile/contract";

export { RESET_MINUTES } from "./policy";

/** Whom to contact about a passive account (docs/contract.md 4.2). */
export const Contact = z
  .strictObject({
    source: z.enum(["parent", "reseller", "site", "system"]),
    name: User.shape.name.nullable(),
    email: User.shape.email.nullable(),
    phone: User.shape.phone,
    message: z.string().meta({ example: "Please contact the person who manages your account." }),
  })
  .meta({ id: "Contact" });
export type Contact = z.infer<typeof Contact>;

/** Where the customers of a reseller sign in. */
export const portalAddress = z.string().meta({ example: "https://panel.example.com" });

/** The token of a sign-in. */
export const userToken = z.string().meta({ example: "dsu_…" });

/** The token of a sign-in that waits for its second factor. */
const interimToken = z.string().meta({ example: "dsi_…" });

/** Output of every sign-in that passes all gates. */
export const SignedIn = z
  .object({ success, user: SignedInUser, token: userToken, modules: Modules })
  .meta({ id: "SignedIn" });
export type SignedIn = z.infer<typeof SignedIn>;

/** Output of a sign-in when the account has a second factor. */
export const SecondFactorDue = z
  .object({
    success,
    requires_2fa: z.literal(true),
    interim_token: interimToken,
    available_methods: z.array(FactorKind),
  })
  .meta({ id: "SecondFactorDue" });

const deviceToken = z.string().meta({ example: "dst_…" });

export const login = operation({
  id: "login",
  method: "POST",
  path: "/api/auth/login",
  tag: "Sign-in",
  summary: "Sign in with e-mail and password",
  description:
    "After the password, these are checked in order: verified e-mail, active account, portal lock, second factor.",
  access: "public",
  wayIn: true,
  body: z.object({
    email,
    password: typedPassword.min(1).max(1024),
    /** From a challenge with `remember_device`: the second factor is not asked on this device. */
    device_token: deviceToken.max(255).nullish(),
  }),
  status: 200,
  output: z.union([SignedIn, SecondFactorDue]),
  errors: [
    "credentials_wrong",
    "sign_in_throttled",
    "email_unverified",
    "account_disabled",
    "employer_disabled",
    "portal_locked",
  ],
});

export const forgotPassword = operation({
  id: "forgotPassword",
  method: "POST",
  path: "/api/auth/forgot-password",
  tag: "Sign-in",
  summary: "Send a link to choose a new password",
  description: "The response is the same for every address, whether it has an account or not.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: z.object({ email }),
  status: 200,
  output: Done,
});

const Changed = { success, message };

export const resetPassword = operation({
  id: "resetPassword",
  method: "POST",
  path: "/api/auth/reset-password",
  tag: "Sign-in",
  summary: "Choose a new password with a mailed link",
  description:
    "Changes the password, then attempts a sign-in with the same checks as a login. If a check refuses it, `auto_login` " +
    "is false and the response says why. Every older token, session and link of the account ends.",
  access: "public",
  limit: { points: 8, per: 900, by: "ip", named: true, durable: true },
  body: z
    .object({
      token: z.string().max(255).meta({ example: "dsr_…" }),
      email,
      password,
      password_confirmation: typedPassword,
    })
    .refine(...samePasswords("password", "password_confirmation")),
  status: 200,
  output: z.union([
    z.object({
      ...Changed,
      auto_login: z.literal(true),
      user: User.pick({ id: true, name: true, email: true, role: true }),
      token: userToken,
      modules: Modules,
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      requires_2fa: z.literal(true),
      method: FactorKind,
      interim_token: interimToken,
      has_totp: z.boolean(),
      has_email_fallback: z.boolean(),
      masked_email: maskedEmail,
      has_recovery_codes: z.boolean(),
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      requires_verification: z.literal(true),
      email: User.shape.email,
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      account_disabled: z.literal(true),
      contact: Contact,
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      portal_locked: z.literal(true),
      portal_url: portalAddress,
    }),
  ]),
  errors: ["reset_invalid"],
});

const givenToken = interimToken.max(255);

/** Finished sign-in; the device token is shown once, when it was asked for. */
const Finished = SignedIn.extend({
  recovery_codes_remaining: z.int().meta({ example: 9 }),
  device_token: deviceToken.nullable(),
}).meta({ id: "SignInFinished" });

export const sendTwoFactorCode = operation({
  id: "sendTwoFactorCode",
  method: "POST",
  path: "/api/auth/2fa/send-code",
  tag: "Second factor",
  summary: "Send the code of a pending sign-in",
  description: "In production once a minute and five times an hour per account. Not needed for `totp`.",
  access: "public",
  wayIn: true,
  body: z.object({ interim_token: givenToken, method: FactorKind.meta({ example: "email" }) }),
  status: 200,
  output: z.object({
    success,
    message,
    method: FactorKind.meta({ example: "email" }),
    masked_destination: maskedEmail.nullable(),
    expires_in: z.int().meta({ example: 600 }),
    resend_after: z.int().meta({ example: 60 }),
  }),
  errors: ["interim_invalid", "phone_invalid"],
});

export const challengeTwoFactor = operation({
  id: "challengeTwoFactor",
  method: "POST",
  path: "/api/auth/2fa/challenge",
  tag: "Second factor",
  summary: "Finish a sign-in with a code",
  description: "A pending sign-in allows five wrong codes, counted together with wrong recovery codes.",
  access: "public",
  wayIn: true,
  body: z.object({
    interim_token: givenToken,
    method: FactorKind,
    code: sixDigits,
    remember_device: flag.nullish(),
  }),
  status: 200,
  output: Finished,
  errors: [
    "interim_invalid",
    "factor_code_wrong",
    "factor_throttled",
    "email_unverified",
    "account_disabled",
    "employer_disabled",
    "portal_locked",
  ],
});

export const recoverTwoFactor = operation({
  id: "recoverTwoFactor",
  method: "POST",
  path: "/api/auth/2fa/recovery",
  tag: "Second factor",
  summary: "Finish a sign-in with a recovery code",
  description: "A recovery code works once.",
  access: "public",
  wayIn: true,
  body: z.object({
    interim_token: givenToken,
    recovery_code: recoveryCode,
    remember_device: flag.nullish(),
  }),
  status: 200,
  output: Finished,
  errors: [
    "interim_invalid",
    "factor_code_wrong",
    "factor_throttled",
    "email_unverified",
    "account_disabled",
    "employer_disabled",
    "portal_locked",
  ],
});

export const startIdentityCheck = operation({
  id: "startIdentityCheck",
  method: "POST",
  path: "/api/auth/confirm-identity/start",
  tag: "Second factor",
  summary: "Send a code that proves the caller's identity",
  description: "By e-mail, unless `method` is `sms`.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  body: z.object({ method: z.enum(["email", "sms"]).nullish() }),
  status: 200,
  output: z.object({
    success,
    interim_token: interimToken,
    methods: z.array(FactorKind).meta({ example: ["email"] }),
    masked_destination: maskedEmail.nullable(),
  }),
  errors: ["two_factor_off", "phone_invalid"],
});

/** How long a proof of identity counts, in seconds. */
export const IdentityConfirmed = z
  .object({ success, message, expires_in: z.int().meta({ example: 600 }) })
  .meta({ id: "IdentityConfirmed" });

export const confirmIdentity = operation({
  id: "confirmIdentity",
  method: "POST",
  path: "/api/auth/confirm-identity",
  tag: "Second factor",
  summary: "Prove the caller's identity, for sensitive changes",
  description: "With a second factor, the password is not enough. The proof is valid for ten minutes.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  limit: { points: 10, per: 900, by: "account", guards: true },
  body: z.object({
    method: z.enum(["password", "totp", "email", "sms", "recovery"]),
    value: typedPassword.min(1).max(1024),
    interim_token: givenToken.nullish(),
  }),
  status: 200,
  output: IdentityConfirmed,
  errors: ["proof_wrong"],
});
