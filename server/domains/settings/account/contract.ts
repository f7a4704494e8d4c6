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
  "A changed `email` is shown at once, with `email_verified_at` null, and is mailed a link. Until it is verified, the " +
  "old address signs in; then the old one is notified, and can undo the change for 72 hours. With a second factor or a passkey, " +
  "a changed address or telephone needs a fresh proof of identity; an API key cannot change them.";
const PASSWORD_TEXT = "A changed password ends every other token, session, remembered device and reset link.";

export const putUser = operation({
  id: "putUser",
  method: "PUT",
  path: "/api/user",
  tag: "Profile",
  summary: "Change name, e-mail address, password or how dates are shown",
  description: `Missing or null fields stay unchanged. ${EMAIL_TEXT} ${PASSWORD_TEXT}`,
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z.object({
    name: personName.nullish(),
    email: email.nullish(),
    /** Needed to change the password. */
    current_password: typedPassword.max(1024).nullish(),
    password: password.nullish(),
    date_format: Preferences.shape.date_format.nullish(),
    hour_cycle: Preferences.shape.hour_cycle.nullish(),
    week_start: Preferences.shape.week_start.nullish(),
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
  summary: "Change name, e-mail address, telephone, time zone or password",
  description: `Missing or null fields stay unchanged, except that a \`timezone\` of null is deleted. ${EMAIL_TEXT} ${PASSWORD_TEXT} ${EXPECTED_TEXT}`,
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  body: z
    .object({
      name: personName.nullish(),
      email: email.nullish(),
      /** Stored in E.164 when it is a number, read internationally or else as a Turkish one; as written otherwise. */
      phone: phone.nullish(),
      timezone: timezone.nullish(),
      /** Needed to change the password. */
      current_password: typedPassword.max(1024).nullish(),
      new_password: password.nullish(),
      /** Compared when it is given. */
      new_password_confirmation: typedPassword.max(1024).nullish(),
      expected: z
        .object({
          name: User.shape.name.nullish(),
          email: User.shape.email.nullish(),
          phone: User.shape.phone.nullish(),
          timezone: User.shape.timezone.nullish(),
        })
        .optional(),
    })
    .refine(
      ({ new_password, new_password_confirmation: again }) =>
        !new_password || !again || new_password === again.normalize("NFC"),
      { path: ["new_password_confirmation"], error: "validation.confirmed" },
    ),
  status: 200,
  output: z.object({
    success,
    user: User.pick({ id: true, name: true, email: true, phone: true }),
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
  description: "The password itself is returned nowhere.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  status: 200,
  output: z.object({ success, has_password: z.boolean(), changed_at: timestamp.nullable() }),
});
