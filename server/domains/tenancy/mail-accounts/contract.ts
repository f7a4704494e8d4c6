import * as z from "zod";
import { operation } from "@/server/core/contract";
import { MailFailure, MailSteps } from "@/server/core/errors";
import {
  count,
  Done,
  email,
  flag,
  line,
  mailHost,
  mailPassword,
  message,
  pathId,
  success,
  timestamp,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";

const MailAccount = z
  .object({
    from_name: z.string().meta({ description: "Name of the sender.", example: "Kaya Kahve" }),
    from_address: z
      .string()
      .meta({ description: "E-mail address of the sender.", example: "hello@example.com" }),
    host: z.string().meta({ description: "Host name of the SMTP server.", example: "smtp.example.com" }),
    port: z.int().meta({ description: "Port of the SMTP server.", example: 587 }),
    secure: z
      .boolean()
      .meta({ description: "True for TLS from the first byte, false for STARTTLS.", example: false }),
    username: z
      .string()
      .nullable()
      .meta({ description: "User name; null if none.", example: "hello@example.com" }),
    has_password: z.boolean().meta({ description: "True when a password is stored." }),
    verified_at: timestamp
      .nullable()
      .meta({ description: "When a test mail was delivered; null while the account is unused." }),
    failed_at: timestamp.nullable().meta({
      description: "When sending last failed; null if it has not since the last success.",
      example: null,
    }),
    error: MailFailure.nullable().meta({
      description: "Why sending last failed; null if it has not.",
      example: null,
    }),
    paused_until: timestamp.nullable().meta({
      description: "Mails use the next account until this time, after a failure; null if not paused.",
      example: null,
    }),
  })
  .meta({ id: "MailAccount", description: "An SMTP account that mails are sent with." });
export type MailAccount = z.infer<typeof MailAccount>;

export const MailAccountInput = z
  .object({
    from_name: line({ max: 100 }).meta({ description: "Name of the sender.", example: "Kaya Kahve" }),
    from_address: email.meta({ description: "E-mail address of the sender.", example: "hello@example.com" }),
    host: mailHost.meta({ description: "Host name of the SMTP server." }),
    port: z.int().min(1).max(65535).meta({ description: "Port of the SMTP server.", example: 587 }),
    secure: flag
      .nullish()
      .meta({ description: "True for TLS from the first byte; when omitted, true for port 465 only." }),
    username: line({ max: 255 })
      .nullish()
      .meta({ description: "User name; null if none.", example: "hello@example.com" }),
    password: mailPassword.nullish().meta({
      description: "Write-only. When omitted, the stored password stays as long as host and user name do.",
    }),
    expected: MailAccount.pick({
      from_name: true,
      from_address: true,
      host: true,
      port: true,
      secure: true,
      username: true,
    })
      .nullish()
      .meta({ description: "Values the caller last saw; null for no account." }),
  })
  .meta({ id: "MailAccountInput", description: "An SMTP account to save or to test." });

const OWN = {
  tag: "Mail accounts",
  path: "/api/user/mail-account",
  access: "token",
} as const;
const SITE = {
  ...OWN,
  path: "/api/sites/{id}/mail-account",
  record: "Site",
  params: z.object({ id: pathId }),
} as const;

const USED_FOR =
  "Once a test mail has succeeded, the account sends the mails to its owner's sub-users and customers, or to the people " +
  "of a site. Each mail uses the first working account of: parent, reseller, site, platform.";
const RULES =
  "The host must be public, and the port 25, 465, 587 or 2525. Any change except to the sender's name resets the " +
  `verification. Needs a fresh proof of identity. ${EXPECTED_TEXT}`;

const Failures = z
  .object({
    count: count.meta({ description: "Number of failed mails." }),
    last: z
      .object({
        reason: MailFailure.meta({ description: "Why sending failed." }),
        at: timestamp.meta({ description: "When sending failed." }),
      })
      .nullable()
      .meta({ description: "Latest failure; null if none.", example: null }),
  })
  .meta({
    id: "MailAccountFailures",
    description: "Mails that the account could not send in the last 24 hours; the next account was used.",
  });

const Found = z
  .object({
    success,
    mail_account: MailAccount.nullable().meta({ description: "The mail account; null if none." }),
    failures: Failures,
  })
  .meta({ id: "MailAccountFound", description: "The mail account, if there is one." });
export type MailAccountFound = z.infer<typeof Found>;
const Saved = z
  .object({ success, message, mail_account: MailAccount })
  .meta({ id: "MailAccountSaved", description: "The mail account after a change or test." });
const change = { points: 20, per: 3600, by: "account", durable: true } as const;
const trial = { points: 5, per: 600, by: "account", durable: true } as const;

export const getMailAccount = operation({
  ...OWN,
  id: "getMailAccount",
  method: "GET",
  summary: "Get the caller's mail account",
  description: `${USED_FOR} The password is never returned.`,
  ability: "profile:write",
  output: Found,
});

export const putMailAccount = operation({
  ...OWN,
  id: "putMailAccount",
  method: "PUT",
  summary: "Set the caller's mail account",
  description: `${USED_FOR} ${RULES}`,
  ability: "profile:write",
  limit: change,
  body: MailAccountInput,
  output: Saved,
  errors: ["identity_unproven", "stale"],
});

export const deleteMailAccount = operation({
  ...OWN,
  id: "deleteMailAccount",
  method: "DELETE",
  summary: "Remove the caller's mail account",
  description: "Mails then use the next working account. Needs a fresh proof of identity.",
  ability: "profile:write",
  output: Done,
  errors: ["identity_unproven", "mail_account_missing"],
});

const TEST = {
  summary: "Send a test mail",
  description:
    "Goes to the caller's own address. `steps` tells how far it came: connection, encryption, sign-in, sender, mail. If it " +
    "succeeds, the account is verified and its last failure cleared.",
  limit: trial,
  output: Saved.extend({ steps: MailSteps }).meta({
    id: "MailAccountTested",
    description: "The mail account after a test, with the steps.",
  }),
} as const;

export const testMailAccount = operation({
  ...OWN,
  ...TEST,
  id: "testMailAccount",
  method: "POST",
  path: "/api/user/mail-account/test",
  ability: "profile:write",
  errors: ["mail_account_missing", "mail_account_failed"],
});

export const getSiteMailAccount = operation({
  ...SITE,
  id: "getSiteMailAccount",
  method: "GET",
  summary: "Get a site's mail account",
  description: `${USED_FOR} Open to the owner, parent accounts and administrators.`,
  ability: "sites:write",
  output: Found,
});

export const putSiteMailAccount = operation({
  ...SITE,
  id: "putSiteMailAccount",
  method: "PUT",
  summary: "Set a site's mail account",
  description: RULES,
  ability: "sites:write",
  limit: change,
  body: MailAccountInput,
  output: Saved,
  errors: ["identity_unproven", "stale"],
});

export const deleteSiteMailAccount = operation({
  ...SITE,
  id: "deleteSiteMailAccount",
  method: "DELETE",
  summary: "Remove a site's mail account",
  description: "Mails then use the next working account. Needs a fresh proof of identity.",
  ability: "sites:write",
  output: Done,
  errors: ["record_not_found", "identity_unproven", "mail_account_missing"],
});

export const testSiteMailAccount = operation({
  ...SITE,
  ...TEST,
  id: "testSiteMailAccount",
  method: "POST",
  path: "/api/sites/{id}/mail-account/test",
  ability: "sites:write",
  errors: ["record_not_found", "mail_account_missing", "mail_account_failed"],
});
