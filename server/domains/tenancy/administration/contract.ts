import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  email,
  expiry,
  flag,
  id,
  password,
  personName,
  queryFlag,
  queryId,
  recordId,
  samePasswords,
  textLine,
  timestamp,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";
import { SignedIn } from "@/server/domains/access/sign-in/contract";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { day } from "@/server/domains/billing/records/contract";
import { browserTime, HealthRow } from "@/server/domains/platform/health/contract";

const ADMIN_OPERATION = { tag: "Administration", access: "token", ability: "admin:*" } as const;
const role = z.enum(["user", "reseller", "admin"]).meta({ example: "reseller" });

const RelatedAccount = z
  .object({ id: recordId, name: User.shape.name, email: User.shape.email })
  .nullable()
  .meta({ example: null });

const UserRow = f.namedObject("UserRow", "An account in the list.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  phone: User.shape.phone,
  role: role.meta({ description: "Role of the account." }),
  is_active: f.boolean("True when the account can sign in."),
  is_agent_only: f.boolean("True for an agent of a team, who works at one site.", false),
  email_verified_at: f.nullable(timestamp, "When the email address was verified; null if not yet."),
  agreement_signed_at: f.nullable(
    timestamp,
    "When a reseller signed the agreement; null for other roles and if not signed.",
  ),
  sites_count: count.meta({ description: "Number of sites that are not deleted." }),
  two_factor: f.boolean("True when the account has a second factor; a passkey does not count.", true),
  enrol_by: f.nullable(
    timestamp,
    "Deadline for setting up a second factor or passkey; null if the account has one or needs none.",
    null,
  ),
  reseller: RelatedAccount.meta({ description: "Reseller of the account; null if none." }),
  created_at: createdAt,
});

const UserFilter = listFilter({
  sorts: ["email", "created_at"],
  filters: {
    role: f.nullish(role, "Only accounts with this role."),
    is_active: f.nullish(queryFlag, "True for active accounts, false for deactivated ones."),
    verified: f.nullish(queryFlag, "True for verified email addresses, false for unverified ones."),
    two_factor: f.nullish(
      queryFlag.meta({ example: "false" }),
      "True for accounts with a second factor, false for those without; a passkey does not count.",
    ),
    protected: f.nullish(
      queryFlag.meta({ example: "false" }),
      "True for accounts with a second factor or passkey, false for those with neither.",
    ),
    reseller_id: f.nullish(queryId, "Only customers of the reseller with this ID."),
    usable_as: f.nullish(
      z.enum(["customer", "parent"]).meta({ example: "parent" }),
      "`customer`: accounts that can have a subscription. `parent`: accounts that can have team members.",
    ),
    anonymised: f.nullish(
      queryFlag.meta({ example: "false" }),
      "True for only anonymised accounts; false or null excludes them.",
    ),
    created_from: f.nullish(day, "Only accounts registered on or after this day, in Turkish time."),
    created_to: f.nullish(day, "Only accounts registered on or before this day, in Turkish time."),
  },
});

const FILTER_TEXT =
  "Each word of `q` must be part of the account's name, email address or phone number, or be its ID. " +
  "`sort` is a column, or `-column` for descending order.";

export const listUsers = operation({
  id: "listUsers",
  method: "GET",
  path: "/api/admin/users",
  ...ADMIN_OPERATION,
  summary: "List accounts",
  description: `${FILTER_TEXT} The default is the newest 50 accounts, without anonymised ones.`,
  query: UserFilter.extend(pageQuery.shape),
  output: z.object({
    data: f.list(UserRow, "Accounts on this page."),
    meta: PageMeta,
  }),
});

export const downloadUsers = operation({
  id: "downloadUsers",
  path: "/api/admin/users.csv",
  ...ADMIN_OPERATION,
  summary: "Download accounts as a CSV file",
  description: `All matching accounts in one file. ${FILTER_TEXT}`,
  query: UserFilter,
  ...CSV_DOWNLOAD,
});

const reason = textLine({ min: 3, max: 200 }).meta({
  description: "Reason, kept in the audit log.",
  example: "Call of 20 November, ticket 4711",
});

const AssignedSite = z.object({
  id: recordId,
  name: f.text("Name of the site."),
  domain: f.text("Domain of the site, without scheme or path."),
});

export const getAccount = operation({
  id: "getAccount",
  method: "GET",
  path: "/api/admin/users/{id}",
  ...ADMIN_OPERATION,
  summary: "Get an account",
  description:
    "Includes parent, reseller, the site of an agent and the sign-in methods. Also returns anonymised " +
    "accounts, because their payments are kept.",
  ...byId("User"),
  output: f.success({
    user: UserRow.extend({
      credits: User.shape.credits,
      support_access_until: f.nullable(
        expiry,
        "End of the permission to view the account's panel; null if not given.",
      ),
      deactivated_by: f.nullable(
        role,
        "Role of the account that deactivated this one; null while active or if not recorded.",
        null,
      ),
      parent: RelatedAccount.meta({ description: "Parent account; null if none." }),
      assigned_site: f.nullable(AssignedSite, "Site an agent works at; null for other accounts.", null),
      last_sign_in_at: f.nullable(timestamp, "Latest successful sign-in; null if the audit log has none."),
      factors: f.list(
        z.enum(["totp", "email", "sms"]),
        "Confirmed second factors: `totp` authenticator app, `email` and `sms` codes.",
        ["totp"],
      ),
      recovery_codes_count: count.meta({ description: "Number of unused recovery codes.", example: 10 }),
      passkeys_count: count.meta({ description: "Number of passkeys." }),
      consents: f.list(z.enum(CONSENTS), "Consents currently given.", ["terms", "privacy"]),
      anonymised_at: f.nullable(timestamp, "When the personal data was erased; null if it was not.", null),
    }).meta({ id: "UserDetail", description: "An account in detail, as administrators see it." }),
  }),
});

const ACCOUNT_CHANGE = {
  ...ADMIN_OPERATION,
  ...byId("User"),
  limit: { points: 30, per: 3600, by: "account" },
} as const;

export const setUserRole = operation({
  id: "setUserRole",
  method: "PUT",
  path: "/api/admin/users/{id}/role",
  ...ACCOUNT_CHANGE,
  summary: "Change the role of an account",
  description: `Needs a recent proof of identity. \`email\` must be the account's address, as confirmation. The role \`reseller\` also needs \`agreement_signed\`. A new role ends the account's sessions, API keys and trusted devices, and the owner is notified by email. A new reseller or administrator leaves parent and reseller, and the account's webhooks are disabled. A former reseller loses portal, brand and access to customers' sites. A former administrator must give the mandatory consents. 422 for the caller's own account, agents and unverified addresses. ${EXPECTED_DESCRIPTION}`,
  body: z
    .object({
      role: role.meta({ description: "New role." }),
      reason,
      email: email.meta({
        description: "Email address of the account, as confirmation; 422 for any other.",
      }),
      agreement_signed: f.nullish(
        flag.meta({ example: true }),
        "True to confirm that the agreement was signed on paper; required to make a reseller.",
      ),
      expected: expectedField({ role: role.meta({ description: "Role the caller last saw." }) }),
    })
    .meta({
      example: {
        role: "reseller",
        reason: "Call of 20 November, ticket 4711",
        email: "ayse@example.com",
        agreement_signed: true,
      },
    }),
  output: f.changeOutput({ user: UserRow }),
  errors: ["identity_unproven", "own_role", "role_of_agent", "role_unverified", "stale"],
});

export const setUserReseller = operation({
  id: "setUserReseller",
  method: "PUT",
  path: "/api/admin/users/{id}/reseller",
  ...ACCOUNT_CHANGE,
  summary: "Assign an account to a reseller or remove it from one",
  description: `Needs a recent proof of identity. The account and its team members move together. They keep their sites, subscriptions and API keys, and get the new reseller's portal, brand and email. Their sessions and the permissions to view their panels end. On their sites, the former reseller's agents, invitations and keys are removed, licences that the former reseller pays become the site owner's, and the email accounts need a new test. Each of these accounts is notified by email. 422 for team members, resellers and administrators. ${EXPECTED_DESCRIPTION}`,
  body: z.object({
    reseller_id: f.nullable(id, "ID of an active reseller's account; null to have no reseller."),
    reason,
    expected: expectedField({
      reseller_id: f.nullable(recordId, "Reseller the caller last saw; null for none."),
    }),
  }),
  output: f.changeOutput({ user: UserRow }),
  errors: ["identity_unproven", "no_customer", "stale"],
});

export const setUserParent = operation({
  id: "setUserParent",
  method: "PUT",
  path: "/api/admin/users/{id}/parent",
  ...ACCOUNT_CHANGE,
  summary: "Set or remove the parent of an account",
  description: `Needs a recent proof of identity. The account joins the parent's team and gets the parent's reseller. It keeps its sites, subscriptions and API keys. Its sessions and the permission to view its panel end. On the account's sites, agents, invitations and keys of a former parent or reseller are removed, licences that they pay become the account's, and the email accounts need a new test. The owner is notified by email. 422 for agents, resellers, administrators and accounts with members. 422 also to set a parent while the account's address is unverified. ${EXPECTED_DESCRIPTION}`,
  body: z.object({
    parent_user_id: f.nullable(
      id,
      "ID of an active customer or reseller who has no parent; null to have no parent.",
    ),
    reason,
    expected: expectedField({
      parent_user_id: f.nullable(recordId, "Parent account the caller last saw; null for none."),
    }),
  }),
  output: f.changeOutput({ user: UserRow }),
  errors: ["identity_unproven", "no_member", "has_members", "member_unverified", "stale"],
});

const ACCOUNT_ACTION = { ...ACCOUNT_CHANGE, limit: { points: 60, per: 3600, by: "account" } } as const;

export const setUserStatus = operation({
  id: "setUserStatus",
  method: "PUT",
  path: "/api/admin/users/{id}/status",
  ...ACCOUNT_ACTION,
  summary: "Activate or deactivate an account",
  description:
    "Needs a recent proof of identity. Deactivating ends the account's sessions, API keys, trusted devices " +
    "and pending invitations; sites and data stay. Afterwards only an administrator can activate the " +
    "account again. Activating also lifts a deactivation by a reseller or team owner. The owner is " +
    "notified by email if the state changes. 422 for the caller's own account.",
  body: z.object({
    is_active: flag.meta({
      description: "True to activate the account, false to deactivate it.",
      example: false,
    }),
    reason,
  }),
  output: f.changeOutput({ user: UserRow }),
  errors: ["identity_unproven", "own_account"],
});

export const signOutUser = operation({
  id: "signOutUser",
  method: "POST",
  path: "/api/admin/users/{id}/sign-out",
  ...ACCOUNT_ACTION,
  summary: "Sign an account out everywhere",
  description:
    "Needs a recent proof of identity. Ends sessions, sign-in tokens, pending sign-ins, trusted devices " +
    "and a pending change of the email address; API keys stay. The owner is notified by email. 422 for the " +
    "caller's own account.",
  body: z.object({ reason }),
  output: f.changeOutput({ ended: count.meta({ description: "Number of ended sessions." }) }),
  errors: ["identity_unproven", "own_account"],
});

export const sendUserVerification = operation({
  id: "sendUserVerification",
  method: "POST",
  path: "/api/admin/users/{id}/verification",
  ...ACCOUNT_ACTION,
  summary: "Send the verification email to an account",
  description: "Older links and codes stop working. 422 if the address is already verified.",
  body: z.object({
    reason: f.nullish(reason, "Reason, kept in the audit log; null for none."),
  }),
  output: f.changeOutput(),
  errors: ["address_verified"],
});

export const sendUserPasswordMail = operation({
  id: "sendUserPasswordMail",
  method: "POST",
  path: "/api/admin/users/{id}/password-mail",
  ...ACCOUNT_ACTION,
  summary: "Send the password reset mail to an account",
  description:
    "Sends the email that the owner can also request at sign-in. An older link stops working. The password " +
    "stays valid until the new link is used.",
  body: z.object({ reason }),
  output: f.changeOutput(),
});

export const unlockUser = operation({
  id: "unlockUser",
  method: "POST",
  path: "/api/admin/users/{id}/unlock",
  ...ACCOUNT_ACTION,
  summary: "Reset the limits on wrong passwords and codes",
  description:
    "Needs a recent proof of identity. The account can sign in again immediately. Wrong attempts are " +
    "counted from zero.",
  body: z.object({ reason }),
  output: f.changeOutput(),
  errors: ["identity_unproven"],
});

const BULK_ACCOUNTS_MAX = 500;

export const changeUsers = operation({
  id: "changeUsers",
  method: "POST",
  path: "/api/admin/users/bulk",
  ...ADMIN_OPERATION,
  summary: "Activate, deactivate or sign out many accounts",
  description:
    "With `dry_run`, changes nothing and returns what would change. Otherwise needs a recent proof of " +
    "identity. Accounts are changed one by one. If one is refused, such as the caller's own, the others " +
    "are still changed.",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    ids: z
      .array(id)
      .min(1)
      .max(BULK_ACCOUNTS_MAX)
      .refine((ids) => new Set(ids).size === ids.length, { error: "validation.in" })
      .meta({ description: "IDs of the accounts, without duplicates.", example: [7] }),
    action: f.oneOf(
      ["activate", "deactivate", "sign_out"],
      "`activate` or `deactivate` as `setUserStatus`, `sign_out` as `signOutUser`.",
      "deactivate",
    ),
    reason: f.nullish(reason, "Reason, kept in the audit log; required unless `dry_run` is true."),
    dry_run: f.nullish(flag, "True to preview the result without changing anything."),
  }),
  output: f.success({
    dry_run: f.boolean("True when the call was a preview.", false),
    results: f.list(
      z.object({
        id: recordId.meta({ description: "ID of the account." }),
        ok: f.boolean(
          "True when the account was changed, would be changed, or already is in the requested state.",
        ),
        changed: f.boolean("False when the account already is in the requested state."),
        error: f.nullable(
          z.string(),
          "Why the account was refused, in the caller's language; null if it was not.",
          null,
        ),
      }),
      "One result per account, in the order of `ids`.",
    ),
    changed_count: count.meta({ description: "Number of accounts that were or would be changed." }),
    reach: z
      .object({
        sign_ins: count.meta({ description: "Number of sessions that end; 0 when activating." }),
        api_keys: count.meta({ description: "Number of API keys that end; 0 unless deactivating." }),
        sites: count.meta({ description: "Number of sites the accounts own." }),
        administrators: count.meta({
          description: "Number of administrators among the accounts.",
          example: 0,
        }),
      })
      .meta({ description: "Totals of the accounts to change, counted before the change." }),
  }),
  errors: ["identity_unproven"],
});

const setupToken = z
  .string()
  .max(255)
  .meta({ description: "Token logged by the server at start.", example: "dsf_…" });

export const getSetup = operation({
  id: "getSetup",
  method: "GET",
  path: "/api/setup",
  tag: "Platform",
  summary: "Check whether the platform needs its first administrator",
  description:
    "With the token that the server logs at start, also returns the results of the self-check. An invalid " +
    "token is ignored.",
  access: "public",
  limit: { points: 60, per: 900, by: "ip" },
  query: z.object({
    token: f.nullish(setupToken, "Token logged by the server at start; null for none."),
    browser_time: browserTime.meta({
      description: "Current time of the client; the self-check reports a wrong clock.",
    }),
  }),
  output: f.success({
    needed: f.boolean("True when the platform has no administrator yet.", false),
    checks: f.nullable(z.array(HealthRow), "Results of the self-check; null without a valid token.", null),
  }),
});

export const completeSetup = operation({
  id: "completeSetup",
  method: "POST",
  path: "/api/setup",
  tag: "Platform",
  summary: "Create the first administrator",
  description:
    "Works in production while there is no administrator. The server logs the token at start. The token " +
    "works once, for at most 24 hours, and not after the next start. The address counts as verified. The " +
    "response signs the administrator in. 400 for an invalid, used or expired token.",
  access: "public",
  limit: { points: 10, per: 900, by: "ip", durable: true, limitsGuessing: true },
  body: z
    .object({
      token: setupToken,
      name: personName.meta({ description: "Name of the administrator." }),
      email,
      password,
      password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    })
    .refine(...samePasswords("password", "password_confirmation")),
  labels: { name: "full_name" },
  status: 201,
  output: SignedIn,
  errors: ["setup_closed"],
});
