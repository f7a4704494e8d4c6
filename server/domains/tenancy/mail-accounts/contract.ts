import * as z from "zod";
import { operation } from "@/server/core/contract";
import { MAIL_STEPS, MailFailure, MailSteps } from "@/server/core/errors";
import * as f from "@/server/core/field";
import {
  byId,
  count,
  Done,
  email,
  flag,
  mailHost,
  mailPassword,
  message,
  success,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { EXPECTED_DESCRIPTION } from "@/server/core/stale";

const ACCOUNT_FAILURE_REASONS_TEXT =
  "`unreachable`: no connection to the server. `private_host`: the host is not on the public internet. " +
  "`tls`: no secure connection. `auth`: user name or password refused. `sender`: sender address refused. " +
  "`refused`: mail refused for another reason.";
const FAILURE_REASONS_TEXT = `${ACCOUNT_FAILURE_REASONS_TEXT} \`recipient\`: recipient refused.`;

const MailAccount = f.namedObject(
  "MailAccount",
  "SMTP account that replaces the platform's for sending emails.",
  {
    from_name: f.text("Name of the sender.", "Kaya Kahve"),
    from_address: f.text("Email address of the sender.", "hello@example.com"),
    host: f.text("Host name of the SMTP server.", "smtp.example.com"),
    port: f.integer("Port of the SMTP server.", 587),
    secure: f.boolean("True for TLS from the first byte (usually port 465), false for STARTTLS.", false),
    username: f.nullable(z.string(), "User name for SMTP authentication; null if none.", "hello@example.com"),
    has_password: f.boolean("True when a password is stored."),
    verified_at: f.nullable(
      timestamp,
      "When a test mail last succeeded; null while unverified. An unverified account sends no emails.",
    ),
    failed_at: f.nullable(
      timestamp,
      "When sending last failed; null if it has not failed since the last success.",
      null,
    ),
    error: f.nullable(
      MailFailure,
      `Why sending last failed; null if \`failed_at\` is null. ${ACCOUNT_FAILURE_REASONS_TEXT}`,
      null,
    ),
    paused_until: f.nullable(
      timestamp,
      "End of the 15-minute pause after a failure; null if not paused. During the pause the next mail " +
        "account sends the emails.",
      null,
    ),
  },
);
export type MailAccount = z.infer<typeof MailAccount>;

export const MailAccountInput = f.namedObject("MailAccountInput", "SMTP account to save.", {
  from_name: textLine({ max: 100 }).meta({ description: "Name of the sender.", example: "Kaya Kahve" }),
  from_address: email.meta({ description: "Email address of the sender.", example: "hello@example.com" }),
  host: mailHost.meta({ description: "Host name of the SMTP server." }),
  port: z.int().min(1).max(65535).meta({
    description: "Port of the SMTP server: 25, 465, 587 or 2525, unless the platform allows others.",
    example: 587,
  }),
  secure: f.nullish(
    flag,
    "True for TLS from the first byte, false for STARTTLS. The default is true for port 465, else false.",
  ),
  username: f.nullish(
    textLine({ max: 255 }),
    "User name for SMTP authentication, which also needs a password. Null or omitted for no " +
      "authentication; the stored password is then removed.",
    "hello@example.com",
  ),
  password: f.nullish(
    mailPassword,
    "Password for SMTP authentication, never returned. Can be omitted if host, port, encryption and user " +
      "name stay the same: the stored password is then kept.",
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
    "Values the caller last saw; null if there was no email account; omitted for no check.",
  ),
});

const MAIL_ACCOUNT_BODY = MailAccountInput.meta({
  example: {
    from_name: "Kaya Kahve",
    from_address: "hello@example.com",
    host: "smtp.example.com",
    port: 587,
    secure: false,
    username: "hello@example.com",
    password: "smtp-password",
  },
});

const OWN_OPERATION = {
  tag: "Mail accounts",
  path: "/api/user/mail-account",
  access: "token",
} as const;
const SITE_OPERATION = {
  ...OWN_OPERATION,
  path: "/api/sites/{id}/mail-account",
  ...byId("Site"),
} as const;

const USAGE_TEXT =
  "Once a test mail has succeeded, an account's email account sends the emails to its sub-users and " +
  "customers, and a site's email account those to the members of the site. Each mail uses the first " +
  "verified email account that works, in this order: that of the recipient's parent account, of the " +
  "reseller, of the site, of the platform. Verification emails, invitations and emails to administrators " +
  "always use the platform's.";
const RULES_TEXT =
  "422 unless the host is public and the port is 25, 465, 587 or 2525. Changing anything except the " +
  "sender's name, or sending a password, makes the email account unverified until the next successful " +
  "test. Needs a recent proof of identity. " +
  EXPECTED_DESCRIPTION;

const RecentFailures = f.namedObject(
  "MailAccountFailures",
  "Mails of the last 24 hours that this email account could not send. Another email account sent them.",
  {
    count: count.meta({ description: "Number of failed emails.", example: 0 }),
    last: f.nullable(
      z.object({
        reason: MailFailure.meta({ description: `Why sending failed. ${FAILURE_REASONS_TEXT}` }),
        at: timestamp.meta({ description: "When sending failed." }),
      }),
      "Latest failure; null if none.",
      null,
    ),
  },
);

const MailAccountFound = f.namedObject("MailAccountFound", "Email account and its recent failures.", {
  success,
  mail_account: f.nullable(MailAccount, "Email account; null if none."),
  failures: RecentFailures,
});
export type MailAccountResponse = z.infer<typeof MailAccountFound>;
const MailAccountSaved = f.namedObject("MailAccountSaved", "Email account after a change or test.", {
  success,
  message,
  mail_account: MailAccount,
});
const SITE_ACCESS_TEXT =
  "For the site's owner, the owner's parent and reseller, and administrators. 403 for others, including " +
  "agents.";

const CHANGE_LIMIT = { points: 20, per: 3600, by: "account", durable: true } as const;
const TEST_LIMIT = { points: 5, per: 600, by: "account", durable: true } as const;

export const getMailAccount = operation({
  ...OWN_OPERATION,
  id: "getMailAccount",
  method: "GET",
  summary: "Get the caller's email account",
  description: `${USAGE_TEXT} The password is never returned. 403 for agents.`,
  ability: "profile:write",
  output: MailAccountFound,
});

export const putMailAccount = operation({
  ...OWN_OPERATION,
  id: "putMailAccount",
  method: "PUT",
  summary: "Set the caller's email account",
  description: `${USAGE_TEXT} ${RULES_TEXT} 403 for agents.`,
  ability: "profile:write",
  limit: CHANGE_LIMIT,
  body: MAIL_ACCOUNT_BODY,
  output: MailAccountSaved,
  errors: ["identity_unproven", "stale"],
});

export const deleteMailAccount = operation({
  ...OWN_OPERATION,
  id: "deleteMailAccount",
  method: "DELETE",
  summary: "Remove the caller's email account",
  description:
    "Mails then use the next email account, in the order described at `getMailAccount`. Needs a recent " +
    "proof of identity. 403 for agents.",
  ability: "profile:write",
  output: Done,
  errors: ["identity_unproven", "mail_account_missing"],
});

const STEPS_PASSED = MAIL_STEPS.map((step) => ({ step, outcome: "done" as const }));
const TEST_TEXT =
  "Sends a mail to the caller's own address and waits for the result. On success, the email account is " +
  "verified and its last failure is cleared. On failure, returns 422 with `reason` and `steps`, and stores " +
  "the failure unless the recipient was refused. An email account that is changed during the test stays " +
  "unverified. Needs no proof of identity.";
const TEST_OPERATION = {
  limit: TEST_LIMIT,
  output: MailAccountSaved.extend({ steps: MailSteps.meta({ example: STEPS_PASSED }) }).meta({
    id: "MailAccountTested",
    description: "Email account after a successful test, with the steps.",
  }),
} as const;

export const testMailAccount = operation({
  ...OWN_OPERATION,
  ...TEST_OPERATION,
  id: "testMailAccount",
  summary: "Send a test mail with the caller's email account",
  description: `${TEST_TEXT} 403 for agents.`,
  method: "POST",
  path: "/api/user/mail-account/test",
  ability: "profile:write",
  errors: ["mail_account_missing", "mail_account_failed"],
});

export const getSiteMailAccount = operation({
  ...SITE_OPERATION,
  id: "getSiteMailAccount",
  method: "GET",
  summary: "Get a site's email account",
  description: `${USAGE_TEXT} ${SITE_ACCESS_TEXT}`,
  ability: "sites:write",
  output: MailAccountFound,
});

export const putSiteMailAccount = operation({
  ...SITE_OPERATION,
  id: "putSiteMailAccount",
  method: "PUT",
  summary: "Set a site's email account",
  description: `${RULES_TEXT} ${SITE_ACCESS_TEXT}`,
  ability: "sites:write",
  limit: CHANGE_LIMIT,
  body: MAIL_ACCOUNT_BODY,
  output: MailAccountSaved,
  errors: ["identity_unproven", "stale"],
});

export const deleteSiteMailAccount = operation({
  ...SITE_OPERATION,
  id: "deleteSiteMailAccount",
  method: "DELETE",
  summary: "Remove a site's email account",
  description: `Mails then use the next email account, in the order described at \`getMailAccount\`. Needs a recent proof of identity. ${SITE_ACCESS_TEXT}`,
  ability: "sites:write",
  output: Done,
  errors: ["record_not_found", "identity_unproven", "mail_account_missing"],
});

export const testSiteMailAccount = operation({
  ...SITE_OPERATION,
  ...TEST_OPERATION,
  id: "testSiteMailAccount",
  summary: "Send a test mail with a site's email account",
  description: `${TEST_TEXT} ${SITE_ACCESS_TEXT}`,
  method: "POST",
  path: "/api/sites/{id}/mail-account/test",
  ability: "sites:write",
  errors: ["record_not_found", "mail_account_missing", "mail_account_failed"],
});
