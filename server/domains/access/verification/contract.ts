import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { normaliseCode } from "@/server/core/normalise";
import { Done, email, maskedEmail, sixDigits, timestamp } from "@/server/core/schema";
import { CodeTexted } from "@/server/domains/access/two-factor/contract";
import { User } from "@/server/domains/accounts/profile/contract";

import { EMAIL_CHANGE_UNDO_HOURS, VERIFICATION_HOURS } from "./policy";

export { EMAIL_CHANGE_UNDO_HOURS, VERIFICATION_HOURS };

export const verifyEmail = operation({
  id: "verifyEmail",
  method: "POST",
  path: "/api/auth/verify-email",
  tag: "Registration",
  summary: "Confirm an email address",
  description:
    "Pass the `token` of the emailed link, or `email` with the six-digit `code` of the same email. Both " +
    `expire after ${VERIFICATION_HOURS} hours, and using one uses up the other. Five wrong codes void ` +
    "the code. A second use within 24 hours is refused with `verification_repeated`.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z
    .object({
      token: f.nullish(z.string().max(255), "Token from the emailed link.", "dsv_…"),
      email: f.nullish(email, "Email address, together with `code`."),
      code: f.nullish(
        z.string().max(64).overwrite(normaliseCode),
        "Six-digit code from the email, together with `email`.",
        "482913",
      ),
    })
    .superRefine(({ token, email, code }, ctx) => {
      if (token || (email && code)) return;
      const missing = ["token", ...(email ? ["code"] : []), ...(code ? ["email"] : [])];
      for (const path of missing)
        ctx.addIssue({ code: "custom", message: "validation.required", path: [path] });
    })
    .meta({ example: { token: "dsv_…" } }),
  output: f.changeOutput({
    email_verified_at: timestamp.meta({ description: "When the email address was verified." }),
  }),
  errors: ["verification_invalid", "verification_repeated"],
});

export const resendVerification = operation({
  id: "resendVerification",
  method: "POST",
  path: "/api/auth/resend-verification",
  tag: "Registration",
  summary: "Send the verification email again",
  description:
    "The new email voids earlier links and codes. At most three emails an hour are sent to one address. The " +
    "response is the same whether the address has an account or not.",
  access: "public",
  limit: { points: 5, per: 1800, by: "ip", durable: true },
  body: z.object({ email }),
  output: Done,
});

export const undoEmailChange = operation({
  id: "undoEmailChange",
  method: "POST",
  path: "/api/auth/undo-email-change",
  tag: "Profile",
  summary: "Undo a change of email address",
  description:
    "Pass the token of the link that was emailed to the old address. The link works once, for " +
    `${EMAIL_CHANGE_UNDO_HOURS} hours. Restores the old address and its verification, ends every session and API ` +
    "key, and removes the password. Removes passkeys, linked identity providers and second factors that " +
    "were added after the change or in the 72 hours before it. Also ends the additions of that time, as " +
    "`reportIntrusion` does, and removes webhooks that were added or changed. 400 if the link is invalid " +
    "or the old address now belongs to another account. The user then requests a link for a new password " +
    "with `POST /api/auth/forgot-password`.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ description: "Token from the emailed link.", example: "dsc_…" }),
  }),
  output: f.changeOutput({
    masked_email: maskedEmail.meta({ description: "The restored email address, masked." }),
  }),
  errors: ["email_change_invalid"],
});

const PHONE_OPERATION = { tag: "Profile", access: "token" } as const;

export const getPhone = operation({
  ...PHONE_OPERATION,
  id: "getPhone",
  isAllowedWithoutFactor: true,
  method: "GET",
  path: "/api/profile/phone",
  summary: "Get the account's phone number and whether it is confirmed",
  output: f.success({
    phone: User.shape.phone,
    verified_at: f.nullable(timestamp, "When the number was confirmed; null if not yet."),
    sms_offered: f.boolean("True when the platform can send text messages."),
    receives_texts: f.boolean(
      "True when the number can receive text messages. False for an invalid number and for a satellite " +
        "or service number.",
    ),
  }),
});

export const sendPhoneCode = operation({
  ...PHONE_OPERATION,
  id: "sendPhoneCode",
  isAllowedWithoutFactor: true,
  method: "POST",
  path: "/api/profile/phone/send-code",
  summary: "Send a code to the account's phone",
  description:
    "A new code voids the previous one. In production, an account gets at most one code a minute and " +
    "five an hour, second-factor codes included. The account needs a verified email address.",
  ability: "profile:write",
  output: CodeTexted,
  errors: ["sms_unavailable", "phone_missing", "phone_invalid", "email_needs_verification"],
});

export const confirmPhone = operation({
  ...PHONE_OPERATION,
  id: "confirmPhone",
  isAllowedWithoutFactor: true,
  method: "POST",
  path: "/api/profile/phone/confirm",
  summary: "Confirm the phone number with a code",
  description:
    "The code works once, and only for the number that it was sent to. A changed number must be " +
    "confirmed again.",
  ability: "profile:write",
  limit: { points: 5, per: 300, by: "account", durable: true },
  body: z.object({ code: sixDigits }),
  output: f.changeOutput({ verified_at: timestamp.meta({ description: "When the number was confirmed." }) }),
  errors: ["code_wrong"],
});
