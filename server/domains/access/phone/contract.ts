import * as z from "zod";
import { operation } from "@/server/core/contract";
import { message, sixDigits, success, timestamp } from "@/server/core/schema";
import { CodeTexted } from "@/server/domains/access/two-factor/contract";
import { User } from "@/server/domains/accounts/profile/contract";

const shared = { tag: "Profile", access: "token" } as const;

export const getPhone = operation({
  ...shared,
  id: "getPhone",
  withoutFactor: true,
  method: "GET",
  path: "/api/profile/phone",
  summary: "Get the account's phone number and whether it is confirmed",
  status: 200,
  output: z.object({
    success,
    phone: User.shape.phone,
    verified_at: timestamp
      .nullable()
      .meta({ description: "When the number was confirmed; null if not yet." }),
    sms_offered: z.boolean().meta({ description: "True when the platform can send text messages." }),
    receives_texts: z.boolean().meta({ description: "True when text messages can be sent to this number." }),
  }),
});

export const sendPhoneCode = operation({
  ...shared,
  id: "sendPhoneCode",
  withoutFactor: true,
  method: "POST",
  path: "/api/profile/phone/send-code",
  summary: "Send a code to the account's phone",
  description:
    "A new code replaces the previous one. In production at most once a minute and five times an hour, counted together " +
    "with second factor codes. The account needs a verified e-mail address.",
  ability: "profile:write",
  status: 200,
  output: CodeTexted,
  errors: ["sms_unavailable", "phone_missing", "phone_invalid", "email_needs_verification"],
});

export const confirmPhone = operation({
  ...shared,
  id: "confirmPhone",
  withoutFactor: true,
  method: "POST",
  path: "/api/profile/phone/confirm",
  summary: "Confirm the phone number with a code",
  description: "The code works once, for the number it was sent to. A new number has to be confirmed again.",
  ability: "profile:write",
  limit: { points: 5, per: 300, by: "account", durable: true },
  body: z.object({ code: sixDigits }),
  status: 200,
  output: z.object({
    success,
    message,
    verified_at: timestamp.meta({ description: "When the number was confirmed." }),
  }),
  errors: ["code_wrong"],
});
