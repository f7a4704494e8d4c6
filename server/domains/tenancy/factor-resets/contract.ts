import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import {
  byId,
  createdAt,
  pathUlid,
  queryId,
  recordId,
  recordUlid,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { FactorKind } from "@/server/domains/access/two-factor/contract";
import { User } from "@/server/domains/accounts/profile/contract";

const administrator = z.object({ id: recordId, name: User.shape.name }).nullable().meta({ example: null });

const FactorReset = f.namedObject("FactorReset", "Delayed removal of an account's second factors.", {
  id: recordUlid,
  user: z
    .object({
      id: recordId,
      name: User.shape.name,
      email: User.shape.email,
      role: f.oneOf(["user", "reseller", "admin"], "Role of the account.", "user"),
    })
    .meta({ description: "Account whose second factors are removed." }),
  factors: f.list(FactorKind, "Second factors to remove.", ["totp"]),
  reason: f.text("Reason of the request.", "Call of 20 November, ticket 4711"),
  state: f.oneOf(["waiting", "done", "cancelled"], "`done` once the factors are removed.", "waiting"),
  run_at: timestamp.meta({
    description: "When the factors are removed. The owner can stop the reset until then.",
    example: "2027-11-21T09:30:00.000000Z",
  }),
  approval_due: f.boolean("True when another administrator must still approve the reset.", false),
  requested_by: administrator.meta({
    description: "Administrator who requested the reset; null once that account is deleted.",
    example: { id: 3, name: "Deniz Yılmaz" },
  }),
  approved_by: administrator.meta({
    description: "Administrator who approved the reset; null if not approved.",
  }),
  created_at: createdAt,
  ended_at: f.nullable(timestamp, "When the reset was done or cancelled; null while it is waiting.", null),
});

const ADMIN_OPERATION = {
  tag: "Second factor resets",
  access: "token",
  ability: "admin:*",
  limit: { points: 60, per: 3600, by: "account" },
} as const;

/** Without `ADMIN_OPERATION`, because its limit is for changes. */
export const listFactorResets = operation({
  id: "listFactorResets",
  method: "GET",
  path: "/api/admin/factor-resets",
  tag: "Second factor resets",
  summary: "List the resets of second factors",
  description:
    "Without `user_id`: at most 200 waiting resets, ordered by `run_at`. With `user_id`: the latest 20 " +
    "resets of that account in any state, newest first.",
  access: "token",
  ability: "admin:*",
  query: z.object({
    user_id: f.nullish(queryId, "Only resets of the account with this ID."),
  }),
  output: listOutput("resets", FactorReset, "Resets of second factors."),
});

export const resetTwoFactor = operation({
  id: "resetTwoFactor",
  method: "POST",
  path: "/api/admin/users/{id}/reset-two-factor",
  ...ADMIN_OPERATION,
  ...byId("User"),
  limit: { points: 30, per: 3600, by: "account" },
  summary: "Request the reset of an account's second factors",
  description:
    "Needs a recent proof of identity. The owner immediately gets an email with a link to stop the reset. " +
    "After `factor_reset_delay_hours` (a setting), a job removes the factors and ends sessions and trusted " +
    "devices. If no factor is left, it also removes the recovery codes. Password, passkeys and API keys " +
    "stay. Another administrator must approve the reset if the setting `two_administrators` is on or the " +
    "account is an administrator's. The reset is cancelled if a needed approval is missing seven days " +
    "after `run_at`, or if the requesting or approving administrator loses the role. 422 for the caller's " +
    "own account.",
  body: z.object({
    factors: f.nullish(
      z.array(FactorKind).min(1).max(FactorKind.options.length),
      "Second factors to remove; all when omitted.",
      ["totp"],
    ),
    reason: textLine({ min: 3, max: 200 }).meta({
      description: "Reason, kept in the audit log.",
      example: "Call of 20 November, ticket 4711",
    }),
  }),
  status: 201,
  output: f.changeOutput({ reset: FactorReset }),
  errors: [
    "identity_unproven",
    "own_account",
    "no_second_factor",
    "factor_reset_waiting",
    "second_administrator_missing",
  ],
});

const RESET_BY_ID = {
  ...ADMIN_OPERATION,
  record: "FactorReset",
  params: z.object({ id: pathUlid }),
} as const;

export const approveFactorReset = operation({
  id: "approveFactorReset",
  method: "POST",
  path: "/api/admin/factor-resets/{id}/approve",
  ...RESET_BY_ID,
  summary: "Approve the reset of second factors",
  description:
    "The requesting administrator and the account's owner cannot approve the reset (`own_approval`). Needs " +
    "a recent proof of identity. The approved reset still waits for `run_at`.",
  output: f.changeOutput({ reset: FactorReset }),
  errors: ["identity_unproven", "own_approval", "factor_reset_over"],
});

export const cancelFactorReset = operation({
  id: "cancelFactorReset",
  method: "POST",
  path: "/api/admin/factor-resets/{id}/cancel",
  ...RESET_BY_ID,
  summary: "Cancel the reset of second factors",
  description: "Any administrator can cancel a waiting reset. The account's owner is notified by email.",
  output: f.changeOutput({ reset: FactorReset }),
  errors: ["factor_reset_over"],
});

export const stopFactorReset = operation({
  id: "stopFactorReset",
  method: "POST",
  path: "/api/auth/stop-factor-reset",
  tag: "Second factor resets",
  summary: "Stop the reset of the caller's own second factors",
  description:
    "Uses the link that was emailed when the reset was requested. The link works once, while the reset is " +
    "waiting; afterwards 400.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ description: "Token from the emailed link.", example: "dsa_…" }),
  }),
  output: f.changeOutput(),
  errors: ["factor_reset_invalid"],
});
