import * as z from "zod";
import { operation } from "@/server/core/contract";
import { Done, line, maskedEmail, message, sixDigits, success, timestamp } from "@/server/core/schema";

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
    method: FactorKind,
    enabled: z.boolean(),
    /** Whether it can be used or switched on: codes by SMS need a phone and a provider. */
    available: z.boolean(),
    is_default: z.boolean(),
    masked_destination: maskedEmail.nullable().meta({ example: null }),
    confirmed_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: "TwoFactorMethod" });

export const listTwoFactorMethods = operation({
  id: "listTwoFactorMethods",
  method: "GET",
  path: "/api/profile/2fa/methods",
  tag,
  summary: "List the second factors of the account",
  description:
    "Those that are switched on, the default one first; `choices` are all there are. `data` repeats `methods`.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  status: 200,
  output: z.object({
    success,
    enabled: z.boolean(),
    /** Whether text messages can be sent at all. */
    sms_offered: z.boolean(),
    methods: z.array(Method),
    data: z.array(Method),
    choices: z.array(Method),
    recovery_codes_count: z.int().meta({ example: 10 }),
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
  summary: "Begin to set up an authenticator app",
  description:
    "Returns the secret as text, as an `otpauth:` address and as a QR code (SVG). Nothing is active until a code is confirmed.",
  status: 200,
  output: z.object({
    success,
    secret: z.string().meta({ example: "JBSWY3DPEHPK3PXP" }),
    otpauth_url: z
      .string()
      .meta({ example: "otpauth://totp/Tellal:ayse%40example.com?secret=JBSWY3DPEHPK3PXP" }),
    qr_svg: z.string().meta({ example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>' }),
  }),
  errors: [...change.errors, "two_factor_on"],
});

/** A second factor is on; recovery codes come with the first one only. */
const FactorOn = z
  .object({ success, message, recovery_codes: RecoveryCodes.nullable() })
  .meta({ id: "FactorOn" });

export const confirmTotp = operation({
  ...change,
  id: "confirmTotp",
  method: "POST",
  path: "/api/profile/2fa/totp/confirm",
  summary: "Activate the authenticator app with its first code",
  description: "Recovery codes are in this response only, if the account had none yet.",
  body: z.object({ code: sixDigits }),
  status: 200,
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
    "Needs a verified address. Recovery codes are in this response only, if the account had none yet.",
  status: 200,
  output: FactorOn,
  errors: [...change.errors, "email_needs_verification"],
});

/** A code is on its way to a telephone; times in seconds. */
export const CodeTexted = z
  .object({
    success,
    message,
    masked_destination: z.string().meta({ example: "+90 5** *** ** 67" }),
    expires_in: z.int().meta({ example: 600 }),
    resend_after: z.int().meta({ example: 60 }),
  })
  .meta({ id: "CodeTexted" });

export const startSms = operation({
  ...change,
  id: "startSms",
  method: "POST",
  path: "/api/profile/2fa/sms",
  summary: "Begin to set up codes by SMS",
  description:
    "Sends a code to the phone of the profile, which becomes a second factor once the code is confirmed. In production once a minute and five times an hour.",
  status: 200,
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
  description: "Recovery codes are in this response only, if the account had none yet.",
  limit: { points: 5, per: 300, by: "account", durable: true },
  body: z.object({ code: sixDigits }),
  status: 200,
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
    "Pending sign-ins end. With the last factor, the recovery codes and trusted devices are removed, too.",
  params: z.object({ method: FactorKind }),
  status: 200,
  output: Done,
  errors: [...change.errors, "record_not_found"],
});

export const renewRecoveryCodes = operation({
  ...change,
  id: "renewRecoveryCodes",
  method: "POST",
  path: "/api/profile/2fa/recovery-codes",
  summary: "Create new recovery codes",
  description: "The old codes stop working at once; the new ones are in this response only.",
  status: 200,
  output: z.object({ success, recovery_codes: RecoveryCodes }),
  errors: [...change.errors, "two_factor_off"],
});
