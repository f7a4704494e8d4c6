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
    from_name: z.string().meta({ example: "Kaya Kahve" }),
    from_address: z.string().meta({ example: "hello@example.com" }),
    host: z.string().meta({ example: "smtp.example.com" }),
    port: z.int().meta({ example: 587 }),
    /** TLS from the first byte; else STARTTLS. */
    secure: z.boolean().meta({ example: false }),
    username: z.string().meta({ example: "hello@example.com" }).nullable(),
    has_password: z.boolean(),
    /** When a test mail went through. Null: the account sends nothing yet. */
    verified_at: timestamp.nullable(),
    failed_at: timestamp.nullable().meta({ example: null }),
    /** Why it failed last. */
    error: MailFailure.nullable().meta({ example: null }),
    /** Failed a moment ago: mails take the next way until then. */
    paused_until: timestamp.nullable().meta({ example: null }),
  })
  .meta({ id: "MailAccount" });
export type MailAccount = z.infer<typeof MailAccount>;

export const MailAccountInput = z
  .object({
    from_name: line({ max: 100 }).meta({ example: "Kaya Kahve" }),
    from_address: email.meta({ example: "hello@example.com" }),
    host: mailHost,
    port: z.int().min(1).max(65535).meta({ example: 587 }),
    /** Left out: by the port, TLS from the first byte on 465. */
    secure: flag.nullish(),
    username: line({ max: 255 }).meta({ example: "hello@example.com" }).nullish(),
    /** Write-only. Left out, the one before stays, as long as server and user name do too. */
    password: mailPassword.nullish(),
    /** Null: there was none. */
    expected: MailAccount.pick({
      from_name: true,
      from_address: true,
      host: true,
      port: true,
      secure: true,
      username: true,
    }).nullish(),
  })
  .meta({ id: "MailAccountInput" });

const OWN = {
  tag: "Mail accounts",
  path: "/api/user/mail-account",
  access: "token",
  status: 200,
} as const;
const SITE = {
  ...OWN,
  path: "/api/sites/{id}/mail-account",
  record: "Site",
  params: z.object({ id: pathId }),
  errors: ["record_not_found"],
} as const;

const USED_FOR =
  "Once a test mail has succeeded, the account sends the mails to its owner's sub-users and customers, or to the people " +
  "of a site. Each mail uses the first working account of: parent, reseller, site, platform.";
const RULES =
  "The host must be public, and the port 25, 465, 587 or 2525. Any change except of the sender's name resets the " +
  `verification. Needs a fresh proof of identity. ${EXPECTED_TEXT}`;

/** Mails that the account could not send in the last 24 hours; they took the next way. */
const Failures = z
  .object({
    count,
    last: z.object({ reason: MailFailure, at: timestamp }).nullable().meta({ example: null }),
  })
  .meta({ id: "MailAccountFailures" });

const Found = z
  .object({ success, mail_account: MailAccount.nullable(), failures: Failures })
  .meta({ id: "MailAccountFound" });
export type MailAccountFound = z.infer<typeof Found>;
/** The account as it is after a change or a test. */
const Saved = z.object({ success, message, mail_account: MailAccount }).meta({ id: "MailAccountSaved" });
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
  output: Saved.extend({ steps: MailSteps }).meta({ id: "MailAccountTested" }),
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
  description: `${USED_FOR} For the owner, the accounts above and administrators.`,
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
  errors: ["record_not_found", "identity_unproven", "stale"],
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
