import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import {
  byId,
  count,
  Done,
  domainName,
  email,
  expiry,
  flag,
  id,
  maskedEmail,
  message,
  password,
  recordId,
  samePasswords,
  sixDigits,
  success,
  typedPassword,
} from "@/server/core/schema";
import { FactorKind, recoveryCode } from "@/server/domains/access/two-factor/contract";
import { SUSPECT_ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";
import { portalUrlField } from "@/server/domains/accounts/portals/contract";
import { Modules, SignedInUser, User } from "@/server/domains/accounts/profile/contract";

import { INTERIM_TOKEN_MINUTES, RESET_LINK_MINUTES } from "./policy";

export { RESET_LINK_MINUTES } from "./policy";

export const Contact = z
  .strictObject({
    source: f.oneOf(
      ["parent", "reseller", "site", "system"],
      "Kind of contact: the parent account, the reseller, the owner of the agent's site, or the platform.",
    ),
    name: f.nullable(User.shape.name, "Name of the contact; null if none."),
    email: f.nullable(User.shape.email, "Email address of the contact; null if none."),
    phone: User.shape.phone,
    message: f.text("Text to show to the user.", "Please contact the person who manages your account."),
  })
  .meta({ id: "Contact", description: "Contact for a deactivated account." });
export type Contact = z.infer<typeof Contact>;

/** SIGN_IN_LIFETIME_MS and MAX_SIGN_IN_DAYS of tokens/service/tokens.ts set the two lifetimes. */
export const accessTokenField = f.text(
  "Access token, `dsu_…`. Expires 30 days after its last use, and 180 days after the sign-in at the latest.",
  "dsu_…",
);

const interimTokenField = f.text(
  `Interim token, \`dsi_…\`; expires after ${INTERIM_TOKEN_MINUTES} minutes.`,
  "dsi_…",
);

export const SignedIn = f.namedObject("SignedIn", "Result of a sign-in that passes all gates.", {
  success,
  user: SignedInUser,
  token: accessTokenField,
  modules: Modules,
});
export type SignedIn = z.infer<typeof SignedIn>;

export const SecondFactorDue = f.namedObject(
  "SecondFactorDue",
  "Result of a sign-in when the account has a second factor.",
  {
    success,
    requires_2fa: z.literal(true).meta({ description: "Always true: a second factor is needed." }),
    interim_token: interimTokenField,
    available_methods: f.list(
      FactorKind,
      "Methods that can finish the sign-in, default first: `totp` is a code from an authenticator app, " +
        "`email` and `sms` are codes to request with `POST /api/auth/2fa/send-code`.",
      ["totp", "email"],
    ),
  },
);

const deviceToken = z.string().meta({ example: "dst_…" });

export const GATE_ERRORS = [
  "email_unverified",
  "account_disabled",
  "employer_disabled",
  "portal_locked",
] as const;

export const login = operation({
  id: "login",
  method: "POST",
  path: "/api/auth/login",
  tag: "Sign-in",
  summary: "Sign in with email and password",
  description:
    "Checks in order: password, verified email address, active account, portal lock, second factor. If " +
    "the account has a second factor, the response contains an `interim_token` instead of an access " +
    "token: finish with `POST /api/auth/2fa/challenge`.",
  access: "public",
  isSignIn: true,
  body: z.object({
    email: email.meta({ description: "Email address of the account." }),
    password: typedPassword.min(1).max(1024).meta({ description: "Password of the account." }),
    device_token: f.nullish(
      deviceToken.max(255),
      "Token from a sign-in with `remember_device`; skips the second factor on this device for 30 days.",
    ),
  }),
  output: z.union([SignedIn, SecondFactorDue]),
  errors: ["credentials_wrong", "sign_in_throttled", ...GATE_ERRORS],
});

export const forgotPassword = operation({
  id: "forgotPassword",
  method: "POST",
  path: "/api/auth/forgot-password",
  tag: "Sign-in",
  summary: "Send a link to choose a new password",
  description:
    `The link works once, for ${RESET_LINK_MINUTES} minutes; a new link voids the previous one. The response ` +
    "is the same whether the address has an account or not.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: z.object({ email: email.meta({ description: "Email address of the account." }) }),
  output: Done,
});

const passwordChangedFields = { success, message };

export const resetPassword = operation({
  id: "resetPassword",
  method: "POST",
  path: "/api/auth/reset-password",
  tag: "Sign-in",
  summary: "Choose a new password with an emailed link",
  description:
    "Changes the password and ends all earlier tokens, API keys, sessions and links of the account. " +
    "Then attempts a sign-in with the same checks as a login. If a check fails, `auto_login` is false " +
    "and the response names the check; the new password stays.",
  access: "public",
  limit: { points: 8, per: 900, by: "ip", isDocumented: true, durable: true },
  body: z
    .object({
      token: z.string().max(255).meta({ description: "Token from the emailed link.", example: "dsr_…" }),
      email: email.meta({ description: "Email address of the account." }),
      password,
      password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    })
    .refine(...samePasswords("password", "password_confirmation")),
  output: z.union([
    z.object({
      ...passwordChangedFields,
      auto_login: z.literal(true).meta({ description: "Always true: the user is signed in." }),
      user: User.pick({ id: true, name: true, email: true, role: true }).meta({
        description: "The signed-in account.",
      }),
      token: accessTokenField,
      modules: Modules,
    }),
    z.object({
      ...passwordChangedFields,
      auto_login: z.literal(false).meta({ description: "Always false: the user is not signed in." }),
      requires_2fa: z.literal(true).meta({ description: "Always true: a second factor is needed." }),
      method: FactorKind.meta({ description: "Default second factor." }),
      interim_token: interimTokenField,
      has_totp: f.boolean("True when an authenticator app is set up."),
      has_email_fallback: f.boolean("True when codes by email can be used instead."),
      masked_email: maskedEmail.meta({ description: "Email address of the account, masked." }),
      has_recovery_codes: f.boolean("True when recovery codes are left."),
    }),
    z.object({
      ...passwordChangedFields,
      auto_login: z.literal(false).meta({ description: "Always false: the user is not signed in." }),
      requires_verification: z
        .literal(true)
        .meta({ description: "Always true: the email address must be verified first." }),
      email: User.shape.email,
    }),
    z.object({
      ...passwordChangedFields,
      auto_login: z.literal(false).meta({ description: "Always false: the user is not signed in." }),
      account_disabled: z.literal(true).meta({ description: "Always true: the account is deactivated." }),
      contact: Contact,
    }),
    z.object({
      ...passwordChangedFields,
      auto_login: z.literal(false).meta({ description: "Always false: the user is not signed in." }),
      portal_locked: z
        .literal(true)
        .meta({ description: "Always true: the account signs in at its reseller's portal." }),
      portal_url: portalUrlField,
    }),
  ]),
  errors: ["reset_invalid"],
});

const pendingInterimTokenField = interimTokenField
  .max(255)
  .meta({ description: "Interim token of the pending sign-in." });

const SignInFinished = SignedIn.extend({
  recovery_codes_remaining: f.integer("Number of recovery codes left.", 9),
  device_token: f.nullable(
    deviceToken,
    "Token that skips the second factor on this device for 30 days; shown once. Null without `remember_device`.",
  ),
}).meta({ id: "SignInFinished", description: "Result of a sign-in finished with a second factor." });

export const sendTwoFactorCode = operation({
  id: "sendTwoFactorCode",
  method: "POST",
  path: "/api/auth/2fa/send-code",
  tag: "Second factor",
  summary: "Send the code of a pending sign-in",
  description:
    "Sends a code by email or SMS and voids the previous one. For `totp` it sends nothing and succeeds " +
    "with a null `masked_destination`, because an authenticator app makes its own codes. A method that " +
    "the account does not have gets 422. In production, an account gets at most one code a minute and " +
    "five an hour.",
  access: "public",
  isSignIn: true,
  body: z.object({
    interim_token: pendingInterimTokenField,
    method: FactorKind.meta({ description: "Second factor to send a code for.", example: "email" }),
  }),
  output: f.changeOutput({
    method: FactorKind.meta({ description: "Second factor the code was sent for.", example: "email" }),
    masked_destination: f.nullable(
      maskedEmail,
      "Recipient of the code, masked; null for an authenticator app.",
    ),
    expires_in: f.integer("Seconds until the code expires.", 300),
    resend_after: f.integer("Seconds until another code can be requested.", 60),
  }),
  errors: ["interim_invalid", "phone_invalid"],
});

export const challengeTwoFactor = operation({
  id: "challengeTwoFactor",
  method: "POST",
  path: "/api/auth/2fa/challenge",
  tag: "Second factor",
  summary: "Finish a sign-in with a code",
  description:
    "A pending sign-in allows five wrong codes, wrong recovery codes included. After that it cannot be " +
    "finished: sign in again. An account allows 15 wrong codes an hour across all its pending sign-ins.",
  access: "public",
  isSignIn: true,
  body: z.object({
    interim_token: pendingInterimTokenField,
    method: FactorKind.meta({ description: "Second factor the code belongs to." }),
    code: sixDigits,
    remember_device: f.nullish(
      flag,
      "True to get a `device_token` that skips the second factor on this device.",
    ),
  }),
  output: SignInFinished,
  errors: ["interim_invalid", "factor_code_wrong", "factor_throttled", ...GATE_ERRORS],
});

export const recoverTwoFactor = operation({
  id: "recoverTwoFactor",
  method: "POST",
  path: "/api/auth/2fa/recovery",
  tag: "Second factor",
  summary: "Finish a sign-in with a recovery code",
  description: "A recovery code works once. Wrong codes count as in `POST /api/auth/2fa/challenge`.",
  access: "public",
  isSignIn: true,
  body: z.object({
    interim_token: pendingInterimTokenField,
    recovery_code: recoveryCode.meta({ description: "One of the recovery codes." }),
    remember_device: f.nullish(
      flag,
      "True to get a `device_token` that skips the second factor on this device.",
    ),
  }),
  output: SignInFinished,
  errors: ["interim_invalid", "factor_code_wrong", "factor_throttled", ...GATE_ERRORS],
});

const IDENTITY_PROOF_OPERATION = {
  tag: "Second factor",
  access: "token",
  ability: "*",
  isAllowedWithoutFactor: true,
} as const;

export const startIdentityCheck = operation({
  id: "startIdentityCheck",
  method: "POST",
  path: "/api/auth/confirm-identity/start",
  ...IDENTITY_PROOF_OPERATION,
  summary: "Send a code that proves the caller's identity",
  description:
    "Starts a proof of identity for an account with a second factor; finish with " +
    "`POST /api/auth/confirm-identity`. The code is sent by SMS if `method` is `sms`, otherwise by " +
    "email. If that method is not active, no code is sent: `methods` lists the active ones.",
  body: z.object({
    method: f.nullish(z.enum(["email", "sms"]), "Method to send the code; `email` when omitted."),
  }),
  output: f.success({
    interim_token: interimTokenField,
    methods: f.list(FactorKind, "Active second factors, default first.", ["totp", "email"]),
    masked_destination: f.nullable(maskedEmail, "Recipient of the code, masked; null if no code was sent."),
  }),
  errors: ["two_factor_off", "phone_invalid"],
});

export const IdentityConfirmed = f.namedObject("IdentityConfirmed", "A proof of identity and its lifetime.", {
  success,
  message,
  expires_in: f.integer("Seconds until the proof expires.", 600),
});

export const confirmIdentity = operation({
  id: "confirmIdentity",
  method: "POST",
  path: "/api/auth/confirm-identity",
  ...IDENTITY_PROOF_OPERATION,
  summary: "Prove the caller's identity for sensitive changes",
  description:
    "Allows sensitive changes for ten minutes, with the token or session of this request only. An " +
    "account with a second factor cannot use its password (`proof_wrong`). An account with neither " +
    "password nor second factor uses a passkey or signs in again. Each recovery code works once. An " +
    "account allows 15 wrong codes an hour, those at sign-in included; then it gets 429. A sign-in is a " +
    "proof, too, unless a trusted device skipped the second factor.",
  limit: { points: 10, per: 900, by: "account", limitsGuessing: true },
  body: z.object({
    method: f.oneOf(
      ["password", "totp", "email", "sms", "recovery"],
      "Method of the proof: the password, a code from an authenticator app, a code sent by email or SMS, " +
        "or a recovery code.",
    ),
    value: typedPassword.min(1).max(1024).meta({ description: "Password or code, depending on `method`." }),
    interim_token: f.nullish(
      pendingInterimTokenField,
      "`interim_token` from `POST /api/auth/confirm-identity/start`; required for `email` and `sms`.",
    ),
  }),
  output: IdentityConfirmed,
  errors: ["proof_wrong"],
});

export const reportIntrusion = operation({
  id: "reportIntrusion",
  method: "POST",
  path: "/api/profile/report-intrusion",
  tag: "Sessions",
  summary: "Report an intrusion into the account",
  description:
    `Undoes what was added in the last ${SUSPECT_ADDITION_HOURS} hours. Pending invitations and imports, the ` +
    "permission to view the panel and external keys end. Webhooks and connections are switched off. The " +
    "owner is emailed a list of them, with a link to deactivate members who joined in that time. " +
    "Sessions stay.",
  access: "token",
  isAllowedWithoutFactor: true,
  ability: "*",
  limit: { points: 5, per: 3600, by: "account" },
  output: f.changeOutput({ ended: count.meta({ description: "Number of additions that were ended." }) }),
});

export const reviewAdditions = operation({
  id: "reviewAdditions",
  method: "POST",
  path: "/api/auth/review-additions",
  tag: "Sessions",
  summary: "Deactivate recent members with an emailed link",
  description:
    "After a password reset, `undoEmailChange` or `reportIntrusion`, the owner is emailed a list of recent " +
    "additions to the account. The link is in that email if members joined in that time. It works once, " +
    `within ${SUSPECT_ADDITION_HOURS} hours. Signs out and deactivates the members in \`ids\` who joined in the ` +
    "period that the email covers; other members stay. Other IDs are ignored. An empty list uses up the " +
    "link, too.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ description: "Token from the emailed link.", example: "dsm_…" }),
    ids: z
      .array(id)
      .max(1000)
      .meta({ description: "IDs of the members to deactivate.", example: [12] }),
  }),
  output: f.changeOutput({ ended: count.meta({ description: "Number of members that were deactivated." }) }),
  errors: ["review_invalid"],
});

export const ExplainedGate = f.namedObject("ExplainedGate", "A gate between an account and the panel.", {
  gate: f.oneOf(
    ["email_verified", "account_active", "portal", "second_factor"],
    "Gate: verified email address, active account, reseller's portal, second factor.",
    "account_active",
  ),
  open: f.boolean("True when the gate lets the sign-in pass.", false),
  reason: f.nullable(
    z.string(),
    "Text shown to the user; null when the gate is open.",
    "This account is deactivated.",
  ),
  lifted_by: f.list(
    z.enum(["owner", "parent", "reseller", "administrator"]),
    "Roles that can open the gate in general; empty when it is open. A reseller can activate only accounts " +
      "that a reseller deactivated.",
    ["parent", "reseller", "administrator"],
  ),
});

/** Names of operations below `/api/admin/users/{id}`. */
const LiftAction = z.enum(["unlock", "password_mail", "verification", "activate", "reset_two_factor"]);

const SignInGate = ExplainedGate.extend({
  gate: f.oneOf(
    ["attempts", "password", ...ExplainedGate.shape.gate.options, "factor_attempts"],
    "Gate. `attempts` throttles wrong passwords. `password` needs the account to have a password. " +
      "`factor_attempts` throttles wrong codes.",
    "account_active",
  ),
  until: f.nullable(expiry, "When the gate opens by itself; null when it is open or never does.", null),
  lift: f.nullable(
    LiftAction,
    "Operation below `/api/admin/users/{id}` with which the caller can open the gate; null when none is " +
      "needed or possible.",
    "activate",
  ),
}).meta({ id: "SignInGate", description: "A gate of a sign-in with a password, as administrators see it." });

const explainedFields = {
  gates: f.list(SignInGate, "Gates of a sign-in, in the order they are checked."),
  stopped_by: f.nullable(
    SignInGate.shape.gate,
    "First closed gate of a sign-in with the right password; null if none is closed.",
  ),
};

const GATES_DESCRIPTION =
  "Lists the gates in the order in which a password sign-in checks them; the first closed gate stops " +
  "it. The portal is checked for `host`, by default the platform's own host. Does not count as an " +
  "attempt.";

const GATES_OPERATION = { tag: "Sign-in gates", access: "token", ability: "admin:*" } as const;

export const explainGates = operation({
  id: "explainGates",
  method: "GET",
  path: "/api/admin/users/{id}/gates",
  ...GATES_OPERATION,
  summary: "Explain what blocks an account's sign-in",
  description: GATES_DESCRIPTION,
  ...byId("User"),
  query: z.object({
    host: f.nullish(domainName, "Host name of the panel to sign in at; the platform's own when omitted."),
  }),
  output: f.success({ user_id: recordId.meta({ description: "ID of the account." }), ...explainedFields }),
});

const recordNameFields = { id: recordId, name: User.shape.name };
const AccountSummary = z
  .object({ ...recordNameFields, is_active: f.boolean("True when the account is active.") })
  .nullable()
  .meta({ example: null });

export const explainAddress = operation({
  id: "explainAddress",
  method: "GET",
  path: "/api/admin/gates",
  ...GATES_OPERATION,
  summary: "Explain what blocks the sign-in of an email address",
  description:
    `${GATES_DESCRIPTION} An address without an account is not an error: \`found\` is false and there are no ` +
    "gates.",
  query: z.object({
    email,
    host: f.nullish(domainName, "Host name of the panel to sign in at; the platform's own when omitted."),
  }),
  output: f.success({
    found: f.boolean("True when the address has an account."),
    user: f.nullable(
      z.object({
        ...recordNameFields,
        email: User.shape.email,
        role: f.oneOf(["user", "reseller", "admin"], "Role of the account.", "user"),
        is_agent_only: f.boolean("True for an agent, who works at one site only.", false),
        parent: AccountSummary.meta({
          description: "Parent account; null if none. A deactivated parent blocks its agents only.",
        }),
        reseller: AccountSummary.meta({ description: "Reseller of the account; null if none." }),
      }),
      "The account; null if there is no account.",
    ),
    ...explainedFields,
  }),
});
