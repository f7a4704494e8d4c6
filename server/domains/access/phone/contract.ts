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
  summary: "Get the telephone number of the account, and whether it is confirmed",
  status: 200,
  output: z.object({
    success,
    phone: User.shape.phone,
    verified_at: timestamp.nullable(),
    /** Whether text messages can be sent at all. */
    sms_offered: z.boolean(),
    /** Whether they can be sent to this number. */
    receives_texts: z.boolean(),
  }),
});

export const sendPhoneCode = operation({
  ...shared,
  id: "sendPhoneCode",
  withoutFactor: true,
  method: "POST",
  path: "/api/profile/phone/send-code",
  summary: "Send a code to the account's telephone",
  description:
    "A new code replaces the previous one. In production once a minute and five times an hour, counted together with second factor codes. The account needs a verified e-mail address.",
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
  summary: "Confirm the telephone number with the code that was sent to it",
  description:
    "The code works once, for the number it was sent to. A changed number has to be confirmed again.",
  ability: "profile:write",
  limit: { points: 5, per: 300, by: "account", durable: true },
  body: z.object({ code: sixDigits }),
  status: 200,
  output: z.object({ success, message, verified_at: timestamp }),
  errors: ["code_wrong"],
});
