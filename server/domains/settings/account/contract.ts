import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  email,
  maskedEmail,
  message,
  password,
  personName,
  phone,
  success,
  timestamp,
  timezone,
  typedPassword,
} from "@/server/core/schema";
import { ShortProfile, User } from "@/server/domains/accounts/profile/contract";

/** How long the old address can undo a change. */
export const UNDO_HOURS = 72;
/** How long the new address can confirm one, where EMAIL_CHANGE_MODE is `confirm`. */
export const CONFIRM_HOURS = 24;

const EMAIL_TEXT =
  "A changed `email` takes effect at once and has to be verified again; the old address is notified, and can undo the " +
  "change for 72 hours. If the server requires confirmation first, the response still shows the old address.";
const PASSWORD_TEXT =
  "A changed password ends every other token, session, remembered device and reset link of the account.";

export const putUser = operation({
  id: "putUser",
  method: "PUT",
  path: "/api/user",
  tag: "Profile",
  summary: "Change name, e-mail address or password",
  description: `Missing or null fields stay unchanged. ${EMAIL_TEXT} ${PASSWORD_TEXT}`,
  access: "token",
  ability: "profile:write",
  body: z.object({
    name: personName.nullish(),
    email: email.nullish(),
    /** Needed to change the password. */
    current_password: typedPassword.max(1024).nullish(),
    password: password.nullish(),
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
  description: `Missing or null fields stay unchanged, except that a \`timezone\` of null is deleted. ${EMAIL_TEXT} ${PASSWORD_TEXT}`,
  access: "token",
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
  errors: ["current_password_wrong", "identity_unproven"],
});

export const getPassword = operation({
  id: "getPassword",
  method: "GET",
  path: "/api/profile/password",
  tag: "Profile",
  summary: "Get whether the account has a password, and since when",
  access: "token",
  status: 200,
  output: z.object({ success, has_password: z.boolean(), changed_at: timestamp.nullable() }),
});

/** Public: whoever reads the old mailbox need not be signed in. */
const changeToken = z.string().max(255).meta({ example: "dsc_…" });
const linkLimit = { points: 20, per: 900, by: "ip", durable: true } as const;

export const undoEmailChange = operation({
  id: "undoEmailChange",
  method: "POST",
  path: "/api/auth/undo-email-change",
  tag: "Profile",
  summary: "Undo a change of e-mail address",
  description:
    "With the link that was mailed to the old address, within 72 hours. Restores the old address and its verification, and ends every session.",
  access: "public",
  limit: linkLimit,
  body: z.object({ token: changeToken }),
  status: 200,
  output: z.object({ success, message, masked_email: maskedEmail }),
  errors: ["email_change_invalid"],
});

export const confirmEmailChange = operation({
  id: "confirmEmailChange",
  method: "POST",
  path: "/api/auth/confirm-email-change",
  tag: "Profile",
  summary: "Confirm a new e-mail address",
  description:
    "With the link that was mailed to the new address, within 24 hours. Used only if the server requires confirmation before a change.",
  access: "public",
  limit: linkLimit,
  body: z.object({ token: changeToken }),
  status: 200,
  output: z.object({ success, message, masked_email: maskedEmail, email_verified_at: timestamp }),
  errors: ["email_change_invalid"],
});
