import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  email,
  flag,
  id,
  line,
  password,
  personName,
  queryFlag,
  queryId,
  recordId,
  samePasswords,
  timestamp,
  typedPassword,
} from "@/server/core/schema";
import { EXPECTED_TEXT, expectedValues } from "@/server/core/stale";
import { SignedIn } from "@/server/domains/access/sign-in/contract";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { day } from "@/server/domains/billing/records/contract";
import { browserTime, HealthRow } from "@/server/domains/platform/health/contract";

const ADMIN = { tag: "Administration", access: "token", ability: "admin:*" } as const;
const role = z.enum(["user", "reseller", "admin"]).meta({ example: "reseller" });

/** Another account that this one belongs to. */
const Person = z
  .object({ id: recordId, name: User.shape.name, email: User.shape.email })
  .nullable()
  .meta({ example: null });

const UserRow = f.named("UserRow", "An account in the list.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  phone: User.shape.phone,
  role: role.meta({ description: "Role of the account." }),
  is_active: f.boolean("True when the account is active."),
  is_agent_only: f.boolean("True for an agent, who works at one site of the team.", false),
  email_verified_at: f.nullable(timestamp, "When the e-mail address was verified; null if not yet."),
  agreement_signed_at: f.nullable(
    timestamp,
    "When a reseller signed the agreement; null for others and if not signed.",
  ),
  sites_count: count.meta({ description: "Number of sites." }),
  two_factor: f.boolean("True when sign-in asks for a second factor.", false),
  enrol_by: f.nullable(
    timestamp,
    "Deadline for a second factor or passkey; null if the account has one or needs none.",
    null,
  ),
  reseller: Person.meta({ description: "The account's reseller; null if none." }),
  created_at: createdAt,
});

const UserFilter = listFilter({
  sorts: ["email", "created_at"],
  filters: {
    role: f.nullish(role, "Only accounts with this role."),
    is_active: f.nullish(queryFlag, "Only active accounts, or only deactivated ones."),
    verified: f.nullish(queryFlag, "Only accounts with a verified e-mail address, or only those without."),
    two_factor: f.nullish(
      queryFlag.meta({ example: "false" }),
      "Only accounts with a second factor, or only those without; a passkey does not count.",
    ),
    protected: f.nullish(
      queryFlag.meta({ example: "false" }),
      "Only accounts with a second factor or passkey, or only those with neither.",
    ),
    reseller_id: f.nullish(queryId, "Only customers of this reseller."),
    anonymised: f.nullish(queryFlag.meta({ example: "false" }), "True for anonymised accounts only."),
    created_from: f.nullish(day, "First day of registration, in Turkey."),
    created_to: f.nullish(day, "Last day of registration, in Turkey."),
  },
});

const FOUND_TEXT =
  "`q` finds accounts with all its words in name, e-mail address or phone number, or with that ID; `sort` is a column, or " +
  "`-column` for descending order.";

export const listUsers = operation({
  id: "listUsers",
  method: "GET",
  path: "/api/admin/users",
  ...ADMIN,
  summary: "List accounts",
  description: `${FOUND_TEXT} The default is page 1 of 50 rows, newest first. Anonymised accounts are only included on request.`,
  query: UserFilter.extend(pageQuery.shape),
  output: z.object({
    data: f.list(UserRow, "Accounts on this page."),
    meta: PageMeta,
  }),
});

export const downloadUsers = operation({
  id: "downloadUsers",
  path: "/api/admin/users.csv",
  ...ADMIN,
  summary: "Download accounts as a CSV file",
  description: `All matching accounts, without pages. ${FOUND_TEXT}`,
  query: UserFilter,
  ...CSV_DOWNLOAD,
});

/** Why an administrator did it; it is in the audit log. */
const reason = line({ min: 3, max: 200 }).meta({
  description: "Reason, kept in the audit log.",
  example: "Call of 20 November, ticket 4711",
});

const Place = z.object({
  id: recordId,
  name: f.text("Name of the site."),
  domain: f.text("Domain of the site, without scheme or path."),
});

export const getAccount = operation({
  id: "getAccount",
  method: "GET",
  path: "/api/admin/users/{id}",
  ...ADMIN,
  summary: "Get an account",
  description:
    "Includes the accounts above and the site of a team agent. Anonymised accounts are found, too, because their payments " +
    "are kept.",
  ...byId("User"),
  output: f.success({
    user: UserRow.extend({
      credits: User.shape.credits,
      support_access_until: f.nullable(
        timestamp,
        "End of the permission to view the panel; null if not given.",
      ),
      deactivated_by: f.nullable(
        role,
        "Role of the account that deactivated this one; null while active or if unknown.",
        null,
      ),
      parent: Person.meta({ description: "Parent account; null if none." }),
      assigned_site: f.nullable(Place, "Site an agent works at; null for others.", null),
      last_sign_in_at: f.nullable(timestamp, "Latest successful sign-in in the audit log; null if none."),
      factors: f.list(z.enum(["totp", "email", "sms"]), "Second factors that are set up.", ["totp"]),
      recovery_codes_count: count.meta({ description: "Number of recovery codes left." }),
      passkeys_count: count.meta({ description: "Number of passkeys." }),
      consents: f.list(z.enum(CONSENTS), "Consents currently given.", ["terms", "privacy"]),
      anonymised_at: f.nullable(timestamp, "When the personal data was removed; null if it was not."),
    }).meta({ id: "UserDetail", description: "An account in detail, as administrators see it." }),
  }),
});

/** Changes where an account stands, 30 times an hour at most. */
const WHERE_IT_STANDS = {
  ...ADMIN,
  ...byId("User"),
  limit: { points: 30, per: 3600, by: "account" },
} as const;

export const setUserRole = operation({
  id: "setUserRole",
  method: "PUT",
  path: "/api/admin/users/{id}/role",
  ...WHERE_IT_STANDS,
  summary: "Change the role of an account",
  description: `Needs a fresh proof of identity and, as confirmation, the account's e-mail address. Making a reseller needs \`agreement_signed\`: the agreement was signed on paper. Refused for the caller's own account, team agents, and accounts with an unverified address. A new role ends the account's sessions, tokens and trusted devices. New resellers and administrators leave their parent account and reseller; a former reseller's portal is removed. ${EXPECTED_TEXT}`,
  body: z.object({
    role: role.meta({ description: "New role." }),
    reason,
    email: email.meta({ description: "E-mail address of the account, as confirmation." }),
    agreement_signed: f.nullish(
      flag.meta({ example: true }),
      "True to confirm that the agreement was signed on paper; required to make a reseller.",
    ),
    expected: expectedValues({ role: role.meta({ description: "Role the caller last saw." }) }),
  }),
  output: f.changed({ user: UserRow }),
  errors: ["identity_unproven", "own_role", "role_of_agent", "role_unverified", "stale"],
});

export const setUserReseller = operation({
  id: "setUserReseller",
  method: "PUT",
  path: "/api/admin/users/{id}/reseller",
  ...WHERE_IT_STANDS,
  summary: "Assign an account to a reseller or remove it from one",
  description: `Needs a fresh proof of identity. The account keeps its sites, subscriptions, licences and API keys. Its sessions end, and so does the permission to view its panel; portal, brand and mail change to the new reseller's, for the accounts below, too. Refused for team members, who follow their parent account, and for resellers and administrators. The person is mailed. ${EXPECTED_TEXT}`,
  body: z.object({
    reseller_id: f.nullable(id, "ID of an active reseller's account; null for none."),
    reason,
    expected: expectedValues({
      reseller_id: f.nullable(recordId, "Reseller the caller last saw; null for none."),
    }),
  }),
  output: f.changed({ user: UserRow }),
  errors: ["identity_unproven", "no_customer", "stale"],
});

export const setUserParent = operation({
  id: "setUserParent",
  method: "PUT",
  path: "/api/admin/users/{id}/parent",
  ...WHERE_IT_STANDS,
  summary: "Move an account below another one or make it independent",
  description: `Needs a fresh proof of identity. An account below another one joins its team and follows its reseller; it keeps its sites, licences, subscriptions and API keys. Its sessions, the permission to view its panel, and agents, invitations and site keys of the former parent end; the mail accounts of its sites are tested again. Refused for agents, who belong to a site, for resellers and administrators, for accounts with members, and for unverified addresses. The person is mailed. ${EXPECTED_TEXT}`,
  body: z.object({
    parent_user_id: f.nullable(id, "ID of an active customer or reseller without a parent; null for none."),
    reason,
    expected: expectedValues({
      parent_user_id: f.nullable(recordId, "Parent account the caller last saw; null for none."),
    }),
  }),
  output: f.changed({ user: UserRow }),
  errors: ["identity_unproven", "no_member", "has_members", "member_unverified", "stale"],
});

/** What an administrator does to one account, 60 times an hour at most. */
const ON_ACCOUNT = { ...WHERE_IT_STANDS, limit: { points: 60, per: 3600, by: "account" } } as const;

export const setUserStatus = operation({
  id: "setUserStatus",
  method: "PUT",
  path: "/api/admin/users/{id}/status",
  ...ON_ACCOUNT,
  summary: "Activate or deactivate an account",
  description:
    "Needs a fresh proof of identity. A deactivated account loses its sessions, tokens, trusted devices and open " +
    "invitations, and only an administrator can activate it again; its sites and data stay. Activating also lifts a " +
    "deactivation by a reseller or team owner. The person is mailed when the state changes. Refused for the caller's own " +
    "account.",
  body: z.object({
    is_active: flag.meta({
      description: "True to activate the account, false to deactivate it.",
      example: false,
    }),
    reason,
  }),
  output: f.changed({ user: UserRow }),
  errors: ["identity_unproven", "own_account"],
});

export const signOutUser = operation({
  id: "signOutUser",
  method: "POST",
  path: "/api/admin/users/{id}/sign-out",
  ...ON_ACCOUNT,
  summary: "Sign an account out everywhere",
  description:
    "Needs a fresh proof of identity. Ends its panel sessions, sign-in tokens, pending sign-ins, trusted devices and any " +
    "pending change of address; API keys stay. The person is mailed. Refused for the caller's own account.",
  body: z.object({ reason }),
  output: f.changed({ ended: count.meta({ description: "Number of sessions that were ended." }) }),
  errors: ["identity_unproven", "own_account"],
});

export const sendUserVerification = operation({
  id: "sendUserVerification",
  method: "POST",
  path: "/api/admin/users/{id}/verification",
  ...ON_ACCOUNT,
  summary: "Send an account the verification mail",
  description: "Older links and codes stop working. Refused once the address is verified.",
  body: z.object({
    reason: f.nullish(reason, "Reason, kept in the audit log; null for none."),
  }),
  output: f.changed(),
  errors: ["address_verified"],
});

export const sendUserPasswordMail = operation({
  id: "sendUserPasswordMail",
  method: "POST",
  path: "/api/admin/users/{id}/password-mail",
  ...ON_ACCOUNT,
  summary: "Send an account the mail to set a new password",
  description:
    "Sent to the account's address, like the mail its owner can request at sign-in; an older link stops working. The link " +
    "is not shown in the panel, and nothing changes before it is used.",
  body: z.object({ reason }),
  output: f.changed(),
});

export const unlockUser = operation({
  id: "unlockUser",
  method: "POST",
  path: "/api/admin/users/{id}/unlock",
  ...ON_ACCOUNT,
  summary: "Reset the limits on wrong passwords and codes",
  description:
    "Needs a fresh proof of identity. Sign-ins are possible again, and wrong attempts are counted from zero.",
  body: z.object({ reason }),
  output: f.changed(),
  errors: ["identity_unproven"],
});

/** The most accounts of one call. */
const BULK_MAX = 500;

export const changeUsers = operation({
  id: "changeUsers",
  method: "POST",
  path: "/api/admin/users/bulk",
  ...ADMIN,
  summary: "Activate, deactivate or sign out many accounts",
  description:
    "Needs a fresh proof of identity, except with `dry_run`, which changes nothing and returns what would change. An " +
    "account that is refused does not stop the others. Results are in the order of `ids`. Refused for the caller's own " +
    "account.",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    ids: z
      .array(id)
      .min(1)
      .max(BULK_MAX)
      .refine((ids) => new Set(ids).size === ids.length, { error: "validation.in" })
      .meta({ description: "IDs of the accounts, without duplicates.", example: [7, 8] }),
    action: f.oneOf(["activate", "deactivate", "sign_out"], "Action to perform on the accounts."),
    reason: f.nullish(reason, "Reason, kept in the audit log; required unless `dry_run` is set."),
    dry_run: f.nullish(flag, "True to preview the effect without changing anything."),
  }),
  output: f.success({
    dry_run: f.boolean("True when nothing was changed.", false),
    results: f.list(
      z.object({
        id: recordId.meta({ description: "ID of the account." }),
        ok: f.boolean("True when the account was or would be changed, or needs no change."),
        changed: f.boolean("False when the account already is in the requested state."),
        error: f.nullable(z.string(), "Reason of the refusal, in the caller's language; null if none.", null),
      }),
      "One result per account, in the order of `ids`.",
    ),
    changed_count: count.meta({ description: "Number of accounts that change." }),
    reach: z
      .object({
        sign_ins: count.meta({ description: "Sessions that end; 0 when activating." }),
        api_keys: count.meta({ description: "API keys that end; 0 when activating or signing out." }),
        sites: count.meta({ description: "Number of sites they own." }),
        administrators: count.meta({ description: "Number of administrators among them." }),
      })
      .meta({ description: "Totals of the changed accounts before the call." }),
  }),
  errors: ["identity_unproven"],
});

const token = z.string().max(255).meta({ description: "Token from the server's log.", example: "dsf_…" });

export const getSetup = operation({
  id: "getSetup",
  method: "GET",
  path: "/api/setup",
  tag: "Platform",
  summary: "Check whether the platform needs its first administrator",
  description:
    "With the token that the server logs at its start, also returns the results of the self-check. A wrong token is " +
    "ignored.",
  access: "public",
  limit: { points: 60, per: 900, by: "ip" },
  query: z.object({
    token: f.nullish(token, "Token from the server's log."),
    browser_time: browserTime.meta({ description: "Current time of the client, to detect a wrong clock." }),
  }),
  output: f.success({
    needed: f.boolean("True when the platform has no administrator yet.", false),
    checks: f.nullable(z.array(HealthRow), "Results of the self-check; null without the token.", null),
  }),
});

export const completeSetup = operation({
  id: "completeSetup",
  method: "POST",
  path: "/api/setup",
  tag: "Platform",
  summary: "Create the first administrator",
  description:
    "In production, while there is no administrator. The server logs the token at its start; it works once, for 24 hours, " +
    "until the next start. The address counts as verified, and the response is that of a sign-in.",
  access: "public",
  limit: { points: 10, per: 900, by: "ip", durable: true, guards: true },
  body: z
    .object({
      token,
      name: personName.meta({ description: "Name of the administrator." }),
      email,
      password,
      password_confirmation: typedPassword.meta({ description: "Must equal `password`." }),
    })
    .refine(...samePasswords("password", "password_confirmation")),
  status: 201,
  output: SignedIn,
  errors: ["setup_closed"],
});
