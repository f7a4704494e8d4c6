import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  email,
  flag,
  id,
  line,
  MAX_ID,
  message,
  pathId,
  queryFlag,
  queryInt,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { day } from "@/server/domains/billing/records/contract";

const ADMIN = { tag: "Administration", access: "token", ability: "admin:*" } as const;
const role = z.enum(["user", "reseller", "admin"]).meta({ example: "reseller" });

/** Another account that this one belongs to. */
const Person = z
  .object({ id: recordId, name: User.shape.name, email: User.shape.email })
  .nullable()
  .meta({ example: null });

const UserRow = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    role,
    is_active: z.boolean(),
    is_agent_only: z.boolean().meta({ example: false }),
    email_verified_at: timestamp.nullable(),
    /** When a reseller's agreement was signed; null for others. */
    agreement_signed_at: timestamp.nullable(),
    sites_count: count,
    /** Whether a second factor is asked for at sign-in. */
    two_factor: z.boolean().meta({ example: false }),
    /** Until when the account needs a second factor or a passkey; null where it has one, or nobody asks for one. */
    enrol_by: timestamp.nullable().meta({ example: null }),
    reseller: Person,
    created_at: timestamp,
  })
  .meta({ id: "UserRow" });

const UserFilter = listFilter({
  sorts: ["email", "created_at"],
  filters: {
    role: role.nullish(),
    is_active: queryFlag.meta({ example: "true" }).nullish(),
    /** Whether the address is verified. */
    verified: queryFlag.meta({ example: "true" }).nullish(),
    /** Whether the account has a second factor; a passkey alone is none. */
    two_factor: queryFlag.meta({ example: "false" }).nullish(),
    /** Whether the account has a second factor or a passkey. */
    protected: queryFlag.meta({ example: "false" }).nullish(),
    reseller_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
    /** True: accounts that were anonymised, and no others. */
    anonymised: queryFlag.meta({ example: "false" }).nullish(),
    /** Days of the registration in Turkey, both included. */
    created_from: day.nullish(),
    created_to: day.nullish(),
  },
});

const FOUND_TEXT =
  "`q` finds accounts whose name, e-mail address or telephone number contains all its words, or with that number; `sort` is " +
  "a column, or `-column` for descending order.";

export const listUsers = operation({
  id: "listUsers",
  method: "GET",
  path: "/api/admin/users",
  ...ADMIN,
  summary: "List accounts",
  description: `${FOUND_TEXT} The default is page 1 of 50 rows, newest first. Anonymised accounts are left out unless they are asked for.`,
  query: UserFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({ data: z.array(UserRow), meta: PageMeta }),
});

export const downloadUsers = operation({
  id: "downloadUsers",
  method: "GET",
  path: "/api/admin/users.csv",
  ...ADMIN,
  summary: "Download the same accounts as a CSV file",
  description: `All accounts that match, without pages. ${FOUND_TEXT}`,
  limit: { points: 60, per: 3600, by: "account" },
  query: UserFilter,
  status: 200,
  file: CSV,
  output: z.never(),
});

/** Why an administrator did it; it is in the audit log. */
const reason = line({ min: 3, max: 200 }).meta({ example: "Call of 20 November, ticket 4711" });

const Place = z.object({ id: recordId, name: z.string(), domain: z.string() });

export const getAccount = operation({
  id: "getAccount",
  method: "GET",
  path: "/api/admin/users/{id}",
  ...ADMIN,
  summary: "Get an account",
  description:
    "With the accounts above it, and the site of a team agent. Anonymised accounts are found, too: their payments are kept.",
  record: "User",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({
    success,
    user: UserRow.extend({
      credits: User.shape.credits,
      /** Until when this person lets others look at their panel; null: nobody may. */
      support_access_until: timestamp.nullable(),
      /** The role of who deactivated the account; null while it is active, and where nobody knows. */
      deactivated_by: role.nullable().meta({ example: null }),
      parent: Person,
      assigned_site: Place.nullable().meta({ example: null }),
      /** The last sign-in that succeeded; null for none in the audit log. */
      last_sign_in_at: timestamp.nullable(),
      /** Second factors that are set up. */
      factors: z.array(z.enum(["totp", "email", "sms"])).meta({ example: ["totp"] }),
      recovery_codes_count: count,
      passkeys_count: count,
      /** Consents that are given now. */
      consents: z.array(z.enum(CONSENTS)).meta({ example: ["terms", "privacy"] }),
      anonymised_at: timestamp.nullable(),
    }).meta({ id: "UserDetail" }),
  }),
  errors: ["record_not_found"],
});

/** Changes where an account stands, 30 times an hour at most. */
const WHERE_IT_STANDS = {
  ...ADMIN,
  record: "User",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
} as const;

export const setUserRole = operation({
  id: "setUserRole",
  method: "PUT",
  path: "/api/admin/users/{id}/role",
  ...WHERE_IT_STANDS,
  summary: "Change the role of an account",
  description:
    "Needs a fresh proof of identity and, as confirmation, the account's e-mail address. Making a reseller needs " +
    "`agreement_signed`: that the agreement was signed on paper. The caller's own role, that of a team agent, and that of an " +
    "account with an unverified address cannot be changed. A new role ends the account's sessions, tokens and trusted " +
    `devices; a reseller and an administrator leave the parent account and the reseller, a former reseller's portal is removed. ${EXPECTED_TEXT}`,
  body: z.object({
    role,
    reason,
    /** The account's address, typed once more. */
    email,
    agreement_signed: flag.meta({ example: true }).nullish(),
    expected: z.object({ role }).optional(),
  }),
  status: 200,
  output: z.object({ success, message, user: UserRow }),
  errors: ["identity_unproven", "record_not_found", "own_role", "role_of_agent", "role_unverified", "stale"],
});

export const setUserReseller = operation({
  id: "setUserReseller",
  method: "PUT",
  path: "/api/admin/users/{id}/reseller",
  ...WHERE_IT_STANDS,
  summary: "Give a customer to a reseller, or to nobody",
  description:
    "Needs a fresh proof of identity. Sites, subscriptions, licences and API keys stay the account's. Its sign-ins end, and so " +
    "does the permission to view its panel, which was not given to the new reseller; portal, brand and mail follow that " +
    "reseller, for the accounts below, too. Team members follow the account above them, and resellers and administrators have " +
    `no reseller: these are refused. The person is mailed. ${EXPECTED_TEXT}`,
  body: z.object({
    /** The account of an active reseller; null: none. */
    reseller_id: id.nullable(),
    reason,
    expected: z.object({ reseller_id: recordId.nullable() }).optional(),
  }),
  status: 200,
  output: z.object({ success, message, user: UserRow }),
  errors: ["identity_unproven", "record_not_found", "no_customer", "stale"],
});

export const setUserParent = operation({
  id: "setUserParent",
  method: "PUT",
  path: "/api/admin/users/{id}/parent",
  ...WHERE_IT_STANDS,
  summary: "Put an account below another one, or below nobody",
  description:
    "Needs a fresh proof of identity. An account below another is in its team and follows its reseller; sites, licences, " +
    "subscriptions and API keys stay. Its sign-ins, the permission to view its panel, and agents, invitations and site keys of " +
    "those above end; its sites' mail accounts are tested anew. Agents belong to a site, resellers and administrators to nobody, teams have one level, " +
    `and nobody joins one by an unverified address: these are refused. The person is mailed. ${EXPECTED_TEXT}`,
  body: z.object({
    /** An active customer or reseller who is below nobody; null: none. */
    parent_user_id: id.nullable(),
    reason,
    expected: z.object({ parent_user_id: recordId.nullable() }).optional(),
  }),
  status: 200,
  output: z.object({ success, message, user: UserRow }),
  errors: ["identity_unproven", "record_not_found", "no_member", "has_members", "member_unverified", "stale"],
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
    "Needs a fresh proof of identity. A deactivated account loses its sessions, tokens, trusted devices and unanswered invitations, " +
    "and nobody but an administrator can activate it again; its sites and data stay. Activating also lifts what a reseller or the " +
    "owner of a team did. The person is mailed when the state changes. The caller's own account cannot be changed.",
  body: z.object({
    is_active: flag.meta({ example: false }),
    reason,
  }),
  status: 200,
  output: z.object({ success, message, user: UserRow }),
  errors: ["identity_unproven", "record_not_found", "own_account"],
});

export const signOutUser = operation({
  id: "signOutUser",
  method: "POST",
  path: "/api/admin/users/{id}/sign-out",
  ...ON_ACCOUNT,
  summary: "Sign an account out everywhere",
  description:
    "Needs a fresh proof of identity. Ends its panel sessions, sign-in tokens, waiting sign-ins, trusted devices and a change of " +
    "address that waits; API keys stay. The person is mailed. The caller's own account is refused.",
  body: z.object({ reason }),
  status: 200,
  output: z.object({ success, message, ended: count }),
  errors: ["identity_unproven", "record_not_found", "own_account"],
});

export const sendUserVerification = operation({
  id: "sendUserVerification",
  method: "POST",
  path: "/api/admin/users/{id}/verification",
  ...ON_ACCOUNT,
  summary: "Send an account the mail that verifies its address",
  description: "Older links and codes become void. Refused once the address is verified.",
  body: z.object({ reason: reason.nullish() }),
  status: 200,
  output: z.object({ success, message }),
  errors: ["record_not_found", "address_verified"],
});

export const sendUserPasswordMail = operation({
  id: "sendUserPasswordMail",
  method: "POST",
  path: "/api/admin/users/{id}/password-mail",
  ...ON_ACCOUNT,
  summary: "Send an account the mail that sets a new password",
  description:
    "To the address of the account, as its owner could ask for it at sign-in; an older link becomes void. Nobody else sees " +
    "the link, and nothing changes before it is used.",
  body: z.object({ reason }),
  status: 200,
  output: z.object({ success, message }),
  errors: ["record_not_found"],
});

export const unlockUser = operation({
  id: "unlockUser",
  method: "POST",
  path: "/api/admin/users/{id}/unlock",
  ...ON_ACCOUNT,
  summary: "Lift the limits that wrong passwords and codes have used up",
  description:
    "Needs a fresh proof of identity. Sign-ins are possible again, and wrong attempts count from the beginning.",
  body: z.object({ reason }),
  status: 200,
  output: z.object({ success, message }),
  errors: ["identity_unproven", "record_not_found"],
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
    "Needs a fresh proof of identity, except with `dry_run`, which changes nothing and returns what would change. One account that " +
    "is refused stops no other. The results are in the order of `ids`. The caller's own account is refused.",
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    ids: z
      .array(id)
      .min(1)
      .max(BULK_MAX)
      .refine((ids) => new Set(ids).size === ids.length, { error: "validation.in" })
      .meta({ example: [7, 8] }),
    action: z.enum(["activate", "deactivate", "sign_out"]),
    /** Needed unless it is a dry run. */
    reason: reason.nullish(),
    dry_run: flag.nullish(),
  }),
  status: 200,
  output: z.object({
    success,
    dry_run: z.boolean().meta({ example: false }),
    results: z.array(
      z.object({
        id: recordId,
        ok: z.boolean(),
        /** False where the account is as wanted already. */
        changed: z.boolean(),
        error: z.string().nullable().meta({ example: null }),
      }),
    ),
    changed_count: count,
    /** What the accounts that change have when the call begins. */
    reach: z.object({
      /** Sign-ins that end; none when accounts are activated. */
      sign_ins: count,
      /** API keys that end; none when accounts are signed out or activated. */
      api_keys: count,
      sites: count,
      administrators: count,
    }),
  }),
  errors: ["identity_unproven"],
});
