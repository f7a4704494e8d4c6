import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import {
  count,
  Done,
  maskedEmail,
  message,
  sixDigits,
  success,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { TwoFactorRequirement, TwoFactorRequirementDetails } from "@/server/core/settings";
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";

export { RECOVERY_CODE_COUNT } from "./policy";

/** In the order they are offered. */
export const FACTOR_KINDS = ["totp", "email", "sms"] as const;
export const FactorKind = z.enum(FACTOR_KINDS);
export type FactorKind = z.infer<typeof FactorKind>;

const tag = "Second factor";
const EXAMPLE_RECOVERY_CODE = "K7QM-X2RD";
const RecoveryCodes = z.array(z.string()).meta({ example: [EXAMPLE_RECOVERY_CODE, "9TVB-4HWN"] });

export const recoveryCode = textLine({ max: 64 }).meta({ example: EXAMPLE_RECOVERY_CODE });

const TwoFactorMethod = f.namedObject("TwoFactorMethod", "A second factor of the account.", {
  method: FactorKind.meta({
    description: "Second factor: `totp` is an authenticator app, `email` and `sms` are codes sent there.",
  }),
  enabled: f.boolean("True when the factor is set up."),
  available: f.boolean(
    "True when the factor's conditions are met: `email` needs a verified address; `sms` needs a number " +
      "that can receive texts, and an SMS provider.",
  ),
  is_default: f.boolean("True for the factor to offer first: `totp`, then `email`, then `sms`."),
  masked_destination: f.nullable(
    maskedEmail,
    "Recipient of the codes, masked; null for an authenticator app.",
    null,
  ),
  confirmed_at: f.nullable(timestamp, "When the factor was set up; null if it is not."),
  last_used_at: f.nullable(timestamp, "When it was last used; null if never."),
});

const TOTP_METHOD = {
  method: "totp",
  enabled: true,
  available: true,
  is_default: true,
  masked_destination: null,
  confirmed_at: "2027-11-20T09:30:00.000000Z",
  last_used_at: "2027-11-27T07:45:30.000000Z",
} as const;
const EMAIL_METHOD = {
  method: "email",
  enabled: true,
  available: true,
  is_default: false,
  masked_destination: "a***e@e***.com",
  confirmed_at: "2027-11-20T09:34:10.000000Z",
  last_used_at: null,
} as const;
const SMS_METHOD = {
  method: "sms",
  enabled: false,
  available: true,
  is_default: false,
  masked_destination: "+90 5** *** ** 67",
  confirmed_at: null,
  last_used_at: null,
} as const;

export const listTwoFactorMethods = operation({
  id: "listTwoFactorMethods",
  method: "GET",
  path: "/api/profile/2fa/methods",
  tag,
  summary: "List the second factors of the account",
  description:
    "`methods` lists the active second factors, default first: `totp`, `email`, `sms`. `choices` lists " +
    "all three, active or not. `data` repeats `methods`.",
  access: "token",
  isAllowedWithoutFactor: true,
  viewAs: false,
  output: f.success({
    enabled: f.boolean("True when a second factor is set up."),
    sms_offered: f.boolean("True when the platform can send text messages."),
    methods: f.list(TwoFactorMethod, "Active second factors, default first.", [TOTP_METHOD, EMAIL_METHOD]),
    data: f.list(TwoFactorMethod, "Same as `methods`.", [TOTP_METHOD, EMAIL_METHOD]),
    choices: f.list(TwoFactorMethod, "All second factors, active or not.", [
      TOTP_METHOD,
      EMAIL_METHOD,
      SMS_METHOD,
    ]),
    recovery_codes_count: f.integer("Number of recovery codes left.", 10),
  }),
});

const PROOF_TEXT = "Needs a recent proof of identity (`confirmIdentity`).";

const FACTOR_OPERATION = {
  tag,
  access: "token",
  ability: "*",
  isAllowedWithoutFactor: true,
  errors: ["identity_unproven"],
} as const;

export const startTotp = operation({
  ...FACTOR_OPERATION,
  id: "startTotp",
  method: "POST",
  path: "/api/profile/2fa/totp",
  summary: "Start the set-up of an authenticator app",
  description:
    "Returns the secret as text, as an `otpauth:` URL and as a QR code (SVG). The factor is active once a " +
    `code is confirmed. ${PROOF_TEXT}`,
  output: f.success({
    secret: f.text("Secret of the authenticator app, Base32.", "JBSWY3DPEHPK3PXP"),
    otpauth_url: f.text(
      "`otpauth:` URL for an authenticator app.",
      "otpauth://totp/Tellal:ayse%40example.com?secret=JBSWY3DPEHPK3PXP",
    ),
    qr_svg: f.text("QR code of `otpauth_url`, as SVG.", '<svg xmlns="http://www.w3.org/2000/svg">…</svg>'),
  }),
  errors: [...FACTOR_OPERATION.errors, "two_factor_on"],
});

const FactorOn = f.namedObject("FactorOn", "The second factor is active.", {
  success,
  message,
  recovery_codes: f.nullable(
    RecoveryCodes,
    "Ten recovery codes for one use each, shown once; null if the account has unused ones.",
  ),
});

export const confirmTotp = operation({
  ...FACTOR_OPERATION,
  id: "confirmTotp",
  method: "POST",
  path: "/api/profile/2fa/totp/confirm",
  summary: "Activate the authenticator app with its first code",
  description: `If the account has no unused recovery codes, only this response contains new ones. ${PROOF_TEXT}`,
  body: z.object({ code: sixDigits }),
  output: FactorOn,
  errors: [...FACTOR_OPERATION.errors, "code_wrong"],
});

export const enableEmailFactor = operation({
  ...FACTOR_OPERATION,
  id: "enableEmailFactor",
  method: "POST",
  path: "/api/profile/2fa/email",
  summary: "Activate codes by email",
  description:
    "Needs a verified email address. Succeeds if the method is already active. Returns new recovery codes " +
    `if the account has no unused ones. ${PROOF_TEXT}`,
  output: FactorOn,
  errors: [...FACTOR_OPERATION.errors, "email_needs_verification"],
});

export const CodeTexted = f.namedObject("CodeTexted", "A code was sent to the phone.", {
  success,
  message,
  masked_destination: f.text("Phone number the code was sent to, masked.", "+90 5** *** ** 67"),
  expires_in: f.integer("Seconds until the code expires.", 300),
  resend_after: f.integer("Seconds until another code can be requested.", 60),
});

export const startSms = operation({
  ...FACTOR_OPERATION,
  id: "startSms",
  method: "POST",
  path: "/api/profile/2fa/sms",
  summary: "Start the set-up of codes by SMS",
  description:
    "Sends a code to the account's phone number, which becomes a second factor once the code is " +
    `confirmed. In production, an account gets at most one code a minute and five an hour. ${PROOF_TEXT}`,
  output: CodeTexted,
  errors: [
    ...FACTOR_OPERATION.errors,
    "sms_unavailable",
    "email_needs_verification",
    "phone_missing",
    "phone_invalid",
    "two_factor_on",
  ],
});

export const confirmSms = operation({
  ...FACTOR_OPERATION,
  id: "confirmSms",
  method: "POST",
  path: "/api/profile/2fa/sms/confirm",
  summary: "Activate codes by SMS",
  description: `If the account has no unused recovery codes, only this response contains new ones. ${PROOF_TEXT}`,
  limit: { points: 5, per: 300, by: "account", durable: true },
  body: z.object({ code: sixDigits }),
  output: FactorOn,
  errors: [...FACTOR_OPERATION.errors, "code_wrong"],
});

export const removeFactor = operation({
  ...FACTOR_OPERATION,
  id: "removeFactor",
  method: "DELETE",
  path: "/api/profile/2fa/{method}",
  record: "TwoFactorMethod",
  summary: "Remove a second factor",
  description:
    "Sign-ins that wait for a second factor are cancelled. Removing the last factor also removes the " +
    "recovery codes and trusted devices. 404 if the account does not have the factor. The owner is " +
    `notified by email. ${PROOF_TEXT}`,
  params: z.object({ method: FactorKind.meta({ description: "Second factor to remove." }) }),
  output: Done,
  errors: [...FACTOR_OPERATION.errors, "record_not_found"],
});

export const renewRecoveryCodes = operation({
  ...FACTOR_OPERATION,
  id: "renewRecoveryCodes",
  method: "POST",
  path: "/api/profile/2fa/recovery-codes",
  summary: "Create new recovery codes",
  description: `The old codes stop working immediately; the new ones are in this response only. ${PROOF_TEXT}`,
  output: f.success({
    recovery_codes: RecoveryCodes.meta({ description: "Recovery codes for one use each, shown once." }),
  }),
  errors: [...FACTOR_OPERATION.errors, "two_factor_off"],
});

const OVERDUE_TEXT =
  "After `enrol_by`, calls with tokens, sessions and API keys get 403 with `requires_two_factor_setup`. " +
  "Only the profile, sign-in and sign-out still work. External keys of sites are not affected.";

export const getFactorDuty = operation({
  id: "getFactorDuty",
  method: "GET",
  path: "/api/user/second-factor-duty",
  tag: "Second factor",
  summary: "Get the deadline for the account's second factor",
  description:
    "`duty` is null for an account that has a second factor or a passkey, or that needs none. " +
    `${OVERDUE_TEXT}`,
  access: "token",
  viewAs: "self",
  isAllowedWithoutFactor: true,
  output: f.success({
    duty: f.nullable(
      z.object({
        enrol_by: timestamp.meta({ description: "End of the grace period." }),
        overdue: f.boolean("True when the grace period is over.", false),
      }),
      "Two-factor requirement; null when none applies.",
    ),
  }),
});

const requirementOutput = f.success({
  duty: f.nullable(TwoFactorRequirementDetails, "Two-factor requirement for the team; null without one."),
  without_count: count.meta({
    description:
      "Number of active customers and agents, including those of customers, with neither a second factor " +
      "nor a passkey.",
  }),
});

const REACH_TEXT =
  "The requirement applies to the reseller's customers and agents and to the customers' agents. If the " +
  "platform has its own requirement for them, too, the earlier deadline applies.";

export const getTeamFactorDuty = operation({
  id: "getTeamFactorDuty",
  method: "GET",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Get the two-factor requirement of the reseller's team",
  description: REACH_TEXT,
  access: "token",
  ability: "reseller:read",
  output: requirementOutput,
  errors: ["agreement_unsigned"],
});

export const putTeamFactorDuty = operation({
  id: "putTeamFactorDuty",
  method: "PUT",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Require a second factor from the reseller's team",
  description:
    `${PROOF_TEXT} ${REACH_TEXT} Accounts without a second factor are emailed a week before the grace ` +
    `period ends. ${EXPECTED_DESCRIPTION}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    duty: f.nullable(TwoFactorRequirement, "Two-factor requirement; null to require none."),
    expected: expectedField({
      duty: f.nullable(TwoFactorRequirement, "Requirement the caller last saw; null for none."),
    }),
  }),
  output: requirementOutput.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});
