import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  domainName,
  email,
  flag,
  line,
  password,
  pathId,
  samePasswords,
  success,
} from "@/server/core/schema";
import { FactorKind } from "@/server/domains/access/two-factor/contract";
import { Modules, SignedInUser, User } from "@/server/domains/accounts/profile/contract";

/** Whom to contact about a passive account (docs/contract.md 4.2). */
export const Contact = z.strictObject({
  source: z.enum(["parent", "reseller", "site", "system"]),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  message: z.string(),
});
export type Contact = z.infer<typeof Contact>;

/** Output of every sign-in that passes all gates. */
export const SignedIn = z.object({ success, user: SignedInUser, token: z.string(), modules: Modules });
export type SignedIn = z.infer<typeof SignedIn>;

/** Output of a sign-in when the account has a second factor. */
export const SecondFactorDue = z.object({
  success,
  requires_2fa: z.literal(true),
  interim_token: z.string(),
  available_methods: z.array(FactorKind),
});

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
    password: z.string().max(1024),
    /** From a challenge with `remember_device`: the second factor is not asked on this device. */
    device_token: z.string().max(255).nullish(),
  }),
  status: 200,
  output: z.union([SignedIn, SecondFactorDue]),
  errors: ["credentials_wrong", "sign_in_throttled", "email_unverified", "account_disabled", "portal_locked"],
});

/** Life of a reset link. */
export const RESET_MINUTES = 60;

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
  output: z.object({ success, message: z.string() }),
});

const Changed = { success, message: z.string() };

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
    .object({ token: z.string().max(255), email, password, password_confirmation: z.string() })
    .refine(...samePasswords("password", "password_confirmation")),
  status: 200,
  output: z.union([
    z.object({
      ...Changed,
      auto_login: z.literal(true),
      user: User.pick({ id: true, name: true, email: true, role: true }),
      token: z.string(),
      modules: Modules,
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      requires_2fa: z.literal(true),
      method: FactorKind,
      interim_token: z.string(),
      has_totp: z.boolean(),
      has_email_fallback: z.boolean(),
      masked_email: z.string(),
      has_recovery_codes: z.boolean(),
    }),
    z.object({
      ...Changed,
      auto_login: z.literal(false),
      requires_verification: z.literal(true),
      email: z.string(),
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
      portal_url: z.string(),
    }),
  ]),
  errors: ["reset_invalid"],
});

/** A gate between an account and the panel. */
const ExplainedGate = z.object({
  gate: z.enum(["email_verified", "account_active", "portal", "second_factor"]),
  open: z.boolean(),
  /** The text that the person sees; null when the gate is open. */
  reason: z.string().nullable(),
  /** Who can open it; nobody needs to when it is open. */
  lifted_by: z.array(z.enum(["owner", "parent", "reseller", "administrator"])),
});

export const explainGates = operation({
  id: "explainGates",
  method: "GET",
  path: "/api/admin/users/{id}/gates",
  tag: "Administration",
  summary: "Explain what blocks an account's sign-in, and who can change that",
  description:
    "The checks are listed in the order in which a sign-in makes them; the first closed one decides. The portal is checked " +
    "for `host`, or for the platform's own address. Nothing is changed.",
  access: "token",
  ability: "admin:*",
  record: "User",
  params: z.object({ id: pathId }),
  query: z.object({ host: domainName.nullish() }),
  status: 200,
  output: z.object({
    success,
    user_id: z.int(),
    gates: z.array(ExplainedGate),
    /** The first closed gate after the right password; null if none is closed. */
    stopped_by: ExplainedGate.shape.gate.nullable(),
  }),
  errors: ["record_not_found"],
});

const interimToken = z.string().max(255);

/** Finished sign-in; the device token is shown once, when it was asked for. */
const Finished = SignedIn.extend({
  recovery_codes_remaining: z.int(),
  device_token: z.string().nullable(),
});

export const sendTwoFactorCode = operation({
  id: "sendTwoFactorCode",
  method: "POST",
  path: "/api/auth/2fa/send-code",
  tag: "Second factor",
  summary: "Send the code of a pending sign-in",
  description: "In production once a minute and five times an hour per account. Not needed for `totp`.",
  access: "public",
  wayIn: true,
  body: z.object({ interim_token: interimToken, method: FactorKind }),
  status: 200,
  output: z.object({
    success,
    message: z.string(),
    method: FactorKind,
    masked_destination: z.string().nullable(),
    expires_in: z.int(),
    resend_after: z.int(),
  }),
  errors: ["interim_invalid"],
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
    interim_token: interimToken,
    method: FactorKind,
    code: line({ max: 20 }),
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
    interim_token: interimToken,
    recovery_code: line({ max: 64 }),
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
  ability: "*",
  body: z.object({ method: z.enum(["email", "sms"]).nullish() }),
  status: 200,
  output: z.object({
    success,
    interim_token: z.string(),
    methods: z.array(FactorKind),
    masked_destination: z.string().nullable(),
  }),
  errors: ["two_factor_off"],
});

export const confirmIdentity = operation({
  id: "confirmIdentity",
  method: "POST",
  path: "/api/auth/confirm-identity",
  tag: "Second factor",
  summary: "Prove the caller's identity, for sensitive changes",
  description: "With a second factor, the password is not enough. The proof is valid for ten minutes.",
  access: "token",
  ability: "*",
  limit: { points: 10, per: 900, by: "account", durable: true },
  body: z.object({
    method: z.enum(["password", "totp", "email", "sms", "recovery"]),
    value: z.string().min(1).max(1024),
    interim_token: interimToken.nullish(),
  }),
  status: 200,
  output: z.object({ success, message: z.string(), expires_in: z.int() }),
  errors: ["proof_wrong"],
});
