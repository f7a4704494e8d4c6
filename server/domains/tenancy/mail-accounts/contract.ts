import * as z from "zod";
import { operation } from "@/server/core/contract";
import { MailFailure, MailSteps } from "@/server/core/errors";
import * as f from "@/server/core/field";
import {
  byId,
  count,
  Done,
  email,
  flag,
  line,
  mailHost,
  mailPassword,
  message,
  success,
  timestamp,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";

const MailAccount = f.named("MailAccount", "An SMTP account that mails are sent with.", {
  from_name: f.text("Name of the sender.", "Kaya Kahve"),
  from_address: f.text("E-mail address of the sender.", "hello@example.com"),
  host: f.text("Host name of the SMTP server.", "smtp.example.com"),
  port: f.integer("Port of the SMTP server.", 587),
  secure: f.boolean("True for TLS from the first byte, false for STARTTLS.", false),
  username: f.nullable(z.string(), "User name; null if none.", "hello@example.com"),
  has_password: f.boolean("True when a password is stored."),
  verified_at: f.nullable(timestamp, "When a test mail was delivered; null while the account is unused."),
  failed_at: f.nullable(
    timestamp,
    "When sending last failed; null if it has not since the last success.",
    null,
  ),
  error: f.nullable(MailFailure, "Why sending last failed; null if it has not.", null),
  paused_until: f.nullable(
    timestamp,
    "Mails use the next account until this time, after a failure; null if not paused.",
    null,
  ),
});
export type MailAccount = z.infer<typeof MailAccount>;

export const MailAccountInput = f.named("MailAccountInput", "An SMTP account to save or to test.", {
  from_name: line({ max: 100 }).meta({ description: "Name of the sender.", example: "Kaya Kahve" }),
  from_address: email.meta({ description: "E-mail address of the sender.", example: "hello@example.com" }),
  host: mailHost.meta({ description: "Host name of the SMTP server." }),
  port: z.int().min(1).max(65535).meta({ description: "Port of the SMTP server.", example: 587 }),
  secure: f.nullish(flag, "True for TLS from the first byte; when omitted, true for port 465 only."),
  username: f.nullish(line({ max: 255 }), "User name; null if none.", "hello@example.com"),
  password: f.nullish(
    mailPassword,
    "Write-only. When omitted, the stored password stays as long as host and user name do.",
  ),
  expected: f.nullish(
    MailAccount.pick({
      from_name: true,
      from_address: true,
      host: true,
      port: true,
      secure: true,
      username: true,
    }),
    "Values the caller last saw; null for no account.",
  ),
});

const OWN = {
  tag: "Mail accounts",
  path: "/api/user/mail-account",
  access: "token",
} as const;
const SITE = {
  ...OWN,
  path: "/api/sites/{id}/mail-account",
  ...byId("Site"),
} as const;

const USED_FOR =
  "Once a test mail has succeeded, mails to the owner's sub-users and customers, or to the members of the site, are sent " +
  "with this mail account. Each mail uses the first that works: that of the recipient's parent account, of its reseller, " +
  "of the site, of the platform.";
const RULES =
  "The host must be public, and the port 25, 465, 587 or 2525. Any change except to the sender's name resets the " +
  `verification. Needs a fresh proof of identity. ${EXPECTED_TEXT}`;

const Failures = f.named(
  "MailAccountFailures",
  "Mails that the account could not send in the last 24 hours; the next account was used.",
  {
    count: count.meta({ description: "Number of failed mails." }),
    last: f.nullable(
      z.object({
        reason: MailFailure.meta({ description: "Why sending failed." }),
        at: timestamp.meta({ description: "When sending failed." }),
      }),
      "Latest failure; null if none.",
      null,
    ),
  },
);

const Found = f.named("MailAccountFound", "The mail account, if there is one.", {
  success,
  mail_account: f.nullable(MailAccount, "The mail account; null if none."),
  failures: Failures,
});
export type MailAccountFound = z.infer<typeof Found>;
const Saved = f.named("MailAccountSaved", "The mail account after a change or test.", {
  success,
  message,
  mail_account: MailAccount,
});
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
  description:
    "Mails then use the next account that works, see `getMailAccount`. Needs a fresh proof of identity.",
  ability: "profile:write",
  output: Done,
  errors: ["identity_unproven", "mail_account_missing"],
});

const TEST = {
  summary: "Send a test mail",
  description:
    "The mail goes to the caller's own address. `steps` shows how far the test came. If it succeeds, the mail account is " +
    "verified and its last failure is cleared.",
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
  description:
    "Mails then use the next account that works, see `getMailAccount`. Needs a fresh proof of identity.",
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
