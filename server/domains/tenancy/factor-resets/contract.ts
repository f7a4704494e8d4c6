import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import {
  byId,
  createdAt,
  expiry,
  line,
  pathUlid,
  queryId,
  recordId,
  recordUlid,
  timestamp,
} from "@/server/core/schema";
import { FactorKind } from "@/server/domains/access/two-factor/contract";
import { User } from "@/server/domains/accounts/profile/contract";

const administrator = z.object({ id: recordId, name: User.shape.name }).nullable().meta({ example: null });

const FactorReset = f.named("FactorReset", "A reset of an account's second factors.", {
  id: recordUlid,
  user: z
    .object({
      id: recordId,
      name: User.shape.name,
      email: User.shape.email,
      role: f.oneOf(["user", "reseller", "admin"], "Role of the account.", "user"),
    })
    .meta({ description: "Account whose second factor is reset." }),
  factors: f.list(FactorKind, "Second factors to remove.", ["totp"]),
  reason: f.text("Reason of the request.", "Call of 20 November, ticket 4711"),
  state: f.oneOf(["waiting", "done", "cancelled"], "State of the reset.", "waiting"),
  run_at: expiry.meta({ description: "When the factors are removed; the owner can stop it until then." }),
  approval_due: f.boolean("True when another administrator still has to approve it.", false),
  requested_by: administrator.meta({
    description: "Administrator who requested it; null once that account is deleted.",
  }),
  approved_by: administrator.meta({ description: "Administrator who approved it; null if not approved." }),
  created_at: createdAt,
  ended_at: f.nullable(timestamp, "When it was done or cancelled; null while it waits."),
});

const ADMINISTRATORS = {
  tag: "Second factor resets",
  access: "token",
  ability: "admin:*",
  limit: { points: 60, per: 3600, by: "account" },
} as const;

export const listFactorResets = operation({
  id: "listFactorResets",
  method: "GET",
  path: "/api/admin/factor-resets",
  tag: "Second factor resets",
  summary: "List the resets of second factors",
  description:
    "Pending resets, next one first, at most 200. With `user_id`: the last 20 of that account, newest first, including " +
    "those done or cancelled.",
  access: "token",
  ability: "admin:*",
  query: z.object({
    user_id: f.nullish(queryId, "Only resets of this account."),
  }),
  output: listOutput("resets", FactorReset, "Resets of second factors."),
});

export const resetTwoFactor = operation({
  id: "resetTwoFactor",
  method: "POST",
  path: "/api/admin/users/{id}/reset-two-factor",
  ...ADMINISTRATORS,
  ...byId("User"),
  limit: { points: 30, per: 3600, by: "account" },
  summary: "Request the reset of an account's second factors",
  description:
    "Needs a fresh proof of identity. The owner is mailed immediately, with a link that stops it. After " +
    "`factor_reset_delay_hours` a job removes the second factors (`factors`, or all), with the last of them the recovery " +
    "codes, and ends sessions and trusted devices; password, passkeys and API keys stay. Another administrator has to " +
    "approve it first if `two_administrators` is on or the account is an administrator's. A reset is cancelled if no one " +
    "approves it within seven days of that time, or if its administrators lose their role. Refused for the caller's own " +
    "account.",
  body: z.object({
    factors: f.nullish(
      z.array(FactorKind).min(1).max(FactorKind.options.length),
      "Second factors to remove; all when omitted.",
      ["totp"],
    ),
    reason: line({ min: 3, max: 200 }).meta({
      description: "Reason, kept in the audit log.",
      example: "Call of 20 November, ticket 4711",
    }),
  }),
  status: 201,
  output: f.changed({ reset: FactorReset }),
  errors: [
    "identity_unproven",
    "own_account",
    "no_second_factor",
    "factor_reset_waiting",
    "second_administrator_missing",
  ],
});

const ONE = { ...ADMINISTRATORS, record: "FactorReset", params: z.object({ id: pathUlid }) } as const;

export const approveFactorReset = operation({
  id: "approveFactorReset",
  method: "POST",
  path: "/api/admin/factor-resets/{id}/approve",
  ...ONE,
  summary: "Approve the reset of second factors",
  description:
    "Open to an administrator who neither requested it nor owns the account, with a fresh proof of identity. The reset " +
    "still waits for its time.",
  output: f.changed({ reset: FactorReset }),
  errors: ["identity_unproven", "own_approval", "factor_reset_over"],
});

export const cancelFactorReset = operation({
  id: "cancelFactorReset",
  method: "POST",
  path: "/api/admin/factor-resets/{id}/cancel",
  ...ONE,
  summary: "Cancel the reset of second factors",
  description: "Open to any administrator while it is pending. The account's owner is mailed.",
  output: f.changed({ reset: FactorReset }),
  errors: ["factor_reset_over"],
});

/** Public: whoever reads the mail need not be signed in. */
export const stopFactorReset = operation({
  id: "stopFactorReset",
  method: "POST",
  path: "/api/auth/stop-factor-reset",
  tag: "Second factor resets",
  summary: "Stop the reset of the caller's own second factors",
  description:
    "Uses the link that was mailed to the account when the reset was requested, while it is pending. It works once.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ description: "Token from the mailed link.", example: "dsa_…" }),
  }),
  output: f.changed(),
  errors: ["factor_reset_invalid"],
});
