import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  email,
  message,
  password,
  personName,
  phone,
  success,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { Preferences, ShortProfile, User } from "@/server/domains/accounts/profile/contract";

const EMAIL_TEXT =
  "A new `email` is shown immediately, with `email_verified_at` null, and gets a link by mail. The old address signs in until " +
  "the new one is verified; it is then notified and can undo the change for 72 hours. With a second factor or a passkey, a new " +
  "e-mail address or phone number needs a fresh proof of identity; an API key cannot change them.";
const PASSWORD_TEXT = "A new password ends all other tokens, sessions, trusted devices and reset links.";

export const putUser = operation({
  id: "putUser",
  method: "PUT",
  path: "/api/user",
  tag: "Profile",
  summary: "Change name, e-mail address, password or date format",
  description: `Omitted or null fields stay unchanged. ${EMAIL_TEXT} ${PASSWORD_TEXT}`,
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({
    name: personName.nullish().meta({ description: "Name of the person." }),
    email: email.nullish().meta({ description: "New e-mail address." }),
    current_password: typedPassword
      .max(1024)
      .nullish()
      .meta({ description: "Current password; required to change the password." }),
    password: password.nullish().meta({ description: "New password, at least eight characters." }),
    date_format: Preferences.shape.date_format
      .nullish()
      .meta({ description: "Order of day, month and year." }),
    hour_cycle: Preferences.shape.hour_cycle.nullish().meta({ description: "12-hour or 24-hour clock." }),
    week_start: Preferences.shape.week_start.nullish().meta({ description: "First day of the week." }),
  }),
  status: 200,
  output: z.object({ success, user: ShortProfile, message }),
  errors: ["current_password_wrong", "identity_unproven"],
});

export const putProfile = operation({
  id: "putProfile",
  method: "PUT",
  path: "/api/auth/profile",
  tag: "Profile",
  summary: "Change name, e-mail address, phone number, time zone or password",
  description: `Omitted or null fields stay unchanged, except that a \`timezone\` of null is deleted. ${EMAIL_TEXT} ${PASSWORD_TEXT} ${EXPECTED_TEXT}`,
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z
    .object({
      name: personName.nullish().meta({ description: "Name of the person." }),
      email: email.nullish().meta({ description: "New e-mail address." }),
      phone: phone.nullish().meta({
        description:
          "Stored in E.164 format when it is a valid number, read as international or Turkish; otherwise stored as written.",
      }),
      timezone: timezone.nullish().meta({ description: "IANA time zone; null deletes it." }),
      current_password: typedPassword
        .max(1024)
        .nullish()
        .meta({ description: "Current password; required to change the password." }),
      new_password: password.nullish().meta({ description: "New password, at least eight characters." }),
      new_password_confirmation: typedPassword
        .max(1024)
        .nullish()
        .meta({ description: "Must equal `new_password` when sent." }),
      expected: z
        .object({
          name: User.shape.name.nullish().meta({ description: "Value the caller last saw." }),
          email: User.shape.email.nullish().meta({ description: "Value the caller last saw." }),
          phone: User.shape.phone.nullish().meta({ description: "Value the caller last saw." }),
          timezone: User.shape.timezone.nullish().meta({ description: "Value the caller last saw." }),
        })
        .optional()
        .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
    })
    .refine(
      ({ new_password, new_password_confirmation: again }) =>
        !new_password || !again || new_password === again.normalize("NFC"),
      { path: ["new_password_confirmation"], error: "validation.confirmed" },
    ),
  status: 200,
  output: z.object({
    success,
    user: User.pick({ id: true, name: true, email: true, phone: true }).meta({ description: "The account." }),
    message,
  }),
  errors: ["current_password_wrong", "identity_unproven", "stale"],
});

export const getPassword = operation({
  id: "getPassword",
  method: "GET",
  path: "/api/profile/password",
  tag: "Profile",
  summary: "Get whether the account has a password, and since when",
  description: "The password itself is never returned.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  status: 200,
  output: z.object({
    success,
    has_password: z.boolean().meta({ description: "True when the account has a password." }),
    changed_at: timestamp
      .nullable()
      .meta({ description: "When the password was last changed; null if never." }),
  }),
});
