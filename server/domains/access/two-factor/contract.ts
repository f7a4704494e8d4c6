import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, Done, line, maskedEmail, message, sixDigits, success, timestamp } from "@/server/core/schema";
import { Duty, DutyDetails } from "@/server/core/settings";
import { EXPECTED_TEXT } from "@/server/core/stale";

export { RECOVERY_CODES } from "./policy";

/** Second factors, in the order they are offered. */
export const FACTORS = ["totp", "email", "sms"] as const;
export const FactorKind = z.enum(FACTORS);
export type FactorKind = z.infer<typeof FactorKind>;

const tag = "Second factor";
/** A recovery code as it is shown. */
const RECOVERY_CODE = "K7QM-X2RD";
const RecoveryCodes = z.array(z.string()).meta({ example: [RECOVERY_CODE, "9TVB-4HWN"] });

/** A recovery code as people type it. */
export const recoveryCode = line({ max: 64 }).meta({ example: RECOVERY_CODE });

const Method = z
  .object({
    method: FactorKind.meta({ description: "Second factor." }),
    enabled: z.boolean().meta({ description: "True when the factor is set up." }),
    available: z.boolean().meta({
      description:
        "True when the factor can be used or set up; codes by SMS need a phone number and a provider.",
    }),
    is_default: z.boolean().meta({ description: "True for the factor that is asked for first." }),
    masked_destination: maskedEmail
      .nullable()
      .meta({ description: "Recipient of the codes, masked; null for an authenticator app.", example: null }),
    confirmed_at: timestamp.nullable().meta({ description: "When the factor was set up; null if not yet." }),
    last_used_at: timestamp.nullable().meta({ description: "When it was last used; null if never." }),
  })
  .meta({ id: "TwoFactorMethod", description: "A second factor of the account." });

export const listTwoFactorMethods = operation({
  id: "listTwoFactorMethods",
  method: "GET",
  path: "/api/profile/2fa/methods",
  tag,
  summary: "List the second factors of the account",
  description:
    "Lists the active second factors, default first; `choices` lists all of them. `data` repeats `methods`.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  output: z.object({
    success,
    enabled: z.boolean().meta({ description: "True when a second factor is set up." }),
    sms_offered: z.boolean().meta({ description: "True when the platform can send text messages." }),
    methods: z.array(Method).meta({ description: "Active second factors, default first." }),
    data: z.array(Method).meta({ description: "Same as `methods`." }),
    choices: z.array(Method).meta({ description: "All second factors, active or not." }),
    recovery_codes_count: z.int().meta({ description: "Number of recovery codes left.", example: 10 }),
  }),
});

/** Operations that change how one gets in need a proof of identity that is at most ten minutes old. */
const change = {
  tag,
  access: "token",
  ability: "*",
  withoutFactor: true,
  errors: ["identity_unproven"],
} as const;

export const startTotp = operation({
  ...change,
  id: "startTotp",
  method: "POST",
  path: "/api/profile/2fa/totp",
  summary: "Begin the set-up of an authenticator app",
  description:
    "Returns the secret as text, as an `otpauth:` URL and as a QR code (SVG). Nothing is active until a code is " +
    "confirmed.",
  output: z.object({
    success,
    secret: z
      .string()
      .meta({ description: "Secret of the authenticator app, Base32.", example: "JBSWY3DPEHPK3PXP" }),
    otpauth_url: z.string().meta({
      description: "`otpauth:` URL for an authenticator app.",
      example: "otpauth://totp/Tellal:ayse%40example.com?secret=JBSWY3DPEHPK3PXP",
    }),
    qr_svg: z.string().meta({
      description: "QR code of `otpauth_url`, as SVG.",
      example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
    }),
  }),
  errors: [...change.errors, "two_factor_on"],
});

const FactorOn = z
  .object({
    success,
    message,
    recovery_codes: RecoveryCodes.nullable().meta({
      description: "Recovery codes, shown once; null unless this is the first second factor.",
    }),
  })
  .meta({ id: "FactorOn", description: "The second factor is active." });

export const confirmTotp = operation({
  ...change,
  id: "confirmTotp",
  method: "POST",
  path: "/api/profile/2fa/totp/confirm",
  summary: "Activate the authenticator app with its first code",
  description: "Recovery codes are in this response only, if the account had none before.",
  body: z.object({ code: sixDigits }),
  output: FactorOn,
  errors: [...change.errors, "code_wrong"],
});

export const enableEmailFactor = operation({
  ...change,
  id: "enableEmailFactor",
  method: "POST",
  path: "/api/profile/2fa/email",
  summary: "Activate codes by e-mail",
  description:
    "Needs a verified e-mail address. Recovery codes are in this response only, if the account had none before.",
  output: FactorOn,
  errors: [...change.errors, "email_needs_verification"],
});

export const CodeTexted = z
  .object({
    success,
    message,
    masked_destination: z
      .string()
      .meta({ description: "Phone number the code was sent to, masked.", example: "+90 5** *** ** 67" }),
    expires_in: z.int().meta({ description: "Seconds until the code expires.", example: 600 }),
    resend_after: z.int().meta({ description: "Seconds until another code can be requested.", example: 60 }),
  })
  .meta({ id: "CodeTexted", description: "A code was sent to the phone." });

export const startSms = operation({
  ...change,
  id: "startSms",
  method: "POST",
  path: "/api/profile/2fa/sms",
  summary: "Begin the set-up of codes by SMS",
  description:
    "Sends a code to the account's phone number, which becomes a second factor once the code is confirmed. In production " +
    "at most once a minute and five times an hour.",
  output: CodeTexted,
  errors: [
    ...change.errors,
    "sms_unavailable",
    "email_needs_verification",
    "phone_missing",
    "phone_invalid",
    "two_factor_on",
  ],
});

export const confirmSms = operation({
  ...change,
  id: "confirmSms",
  method: "POST",
  path: "/api/profile/2fa/sms/confirm",
  summary: "Activate codes by SMS",
  description: "Recovery codes are in this response only, if the account had none before.",
  limit: { points: 5, per: 300, by: "account", durable: true },
  body: z.object({ code: sixDigits }),
  output: FactorOn,
  errors: [...change.errors, "code_wrong"],
});

export const removeFactor = operation({
  ...change,
  id: "removeFactor",
  method: "DELETE",
  path: "/api/profile/2fa/{method}",
  record: "TwoFactorMethod",
  summary: "Remove a second factor",
  description:
    "Pending sign-ins end. Removing the last factor also removes the recovery codes and trusted devices.",
  params: z.object({ method: FactorKind.meta({ description: "Second factor to remove." }) }),
  output: Done,
  errors: [...change.errors, "record_not_found"],
});

export const renewRecoveryCodes = operation({
  ...change,
  id: "renewRecoveryCodes",
  method: "POST",
  path: "/api/profile/2fa/recovery-codes",
  summary: "Create new recovery codes",
  description: "The old codes stop working immediately; the new ones are in this response only.",
  output: z.object({
    success,
    recovery_codes: RecoveryCodes.meta({ description: "Recovery codes for one use each, shown once." }),
  }),
  errors: [...change.errors, "two_factor_off"],
});

const OVERDUE_TEXT =
  "After `enrol_by`, calls get 403 with `requires_two_factor_setup`, including those with API keys. Only the profile, sign-in " +
  "and sign-out still work. External keys of sites are not affected.";

export const getFactorDuty = operation({
  id: "getFactorDuty",
  method: "GET",
  path: "/api/user/second-factor-duty",
  tag: "Second factor",
  summary: "Get the deadline for the account's second factor",
  description: `\`duty\` is null for an account that has a second factor or a passkey, or that does not need one. ${OVERDUE_TEXT}`,
  access: "token",
  viewAs: "self",
  withoutFactor: true,
  output: z.object({
    success,
    duty: z
      .object({
        enrol_by: timestamp.meta({ description: "End of the grace period." }),
        overdue: z.boolean().meta({ description: "True when the grace period is over.", example: false }),
      })
      .nullable()
      .meta({ description: "Second factor requirement; null when none applies." }),
  }),
});

const output = z.object({
  success,
  duty: DutyDetails.nullable().meta({
    description: "Second factor requirement for the team; null if not required.",
  }),
  without_count: count.meta({
    description:
      "Number of active customers and agents, including those of customers, with neither a second factor nor a passkey.",
  }),
});

const REACH_TEXT =
  "It applies to the reseller's customers and agents and to the customers' agents, in addition to the platform's own " +
  "requirement: the earlier day counts.";

export const getTeamFactorDuty = operation({
  id: "getTeamFactorDuty",
  method: "GET",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Get the second factor requirement of the reseller's team",
  description: REACH_TEXT,
  access: "token",
  ability: "reseller:read",
  output,
  errors: ["agreement_unsigned"],
});

export const putTeamFactorDuty = operation({
  id: "putTeamFactorDuty",
  method: "PUT",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Require a second factor from the reseller's team",
  description: `Needs a fresh proof of identity. ${REACH_TEXT} Accounts without one are mailed a week before the grace period ends. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    duty: Duty.nullable().meta({ description: "Second factor requirement; null to require none." }),
    expected: z
      .object({
        duty: Duty.nullable().meta({ description: "Requirement the caller last saw; null for none." }),
      })
      .optional()
      .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
  }),
  output: output.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});
