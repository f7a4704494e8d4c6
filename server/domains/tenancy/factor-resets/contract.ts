import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput } from "@/server/core/list";
import {
  createdAt,
  expiry,
  line,
  MAX_ID,
  message,
  pathId,
  pathUlid,
  queryInt,
  recordId,
  recordUlid,
  success,
  timestamp,
} from "@/server/core/schema";
import { FactorKind } from "@/server/domains/access/two-factor/contract";
import { User } from "@/server/domains/accounts/profile/contract";

const administrator = z.object({ id: recordId, name: User.shape.name }).nullable().meta({ example: null });

const FactorReset = z
  .object({
    id: recordUlid,
    user: z
      .object({
        id: recordId,
        name: User.shape.name,
        email: User.shape.email,
        role: z
          .enum(["user", "reseller", "admin"])
          .meta({ description: "Role of the account.", example: "user" }),
      })
      .meta({ description: "Account whose second factor is reset." }),
    factors: z.array(FactorKind).meta({ description: "Second factors to remove.", example: ["totp"] }),
    reason: z
      .string()
      .meta({ description: "Reason of the request.", example: "Call of 20 November, ticket 4711" }),
    state: z
      .enum(["waiting", "done", "cancelled"])
      .meta({ description: "State of the reset.", example: "waiting" }),
    run_at: expiry.meta({ description: "When the factors are removed; the owner can stop it until then." }),
    approval_due: z
      .boolean()
      .meta({ description: "True when another administrator still has to approve it.", example: false }),
    requested_by: administrator.meta({
      description: "Administrator who requested it; null once that account is deleted.",
    }),
    approved_by: administrator.meta({ description: "Administrator who approved it; null if not approved." }),
    created_at: createdAt,
    ended_at: timestamp
      .nullable()
      .meta({ description: "When it was done or cancelled; null while it waits." }),
  })
  .meta({ id: "FactorReset", description: "A reset of an account's second factors." });

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
    user_id: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "7" })
      .nullish()
      .meta({ description: "Only resets of this account." }),
  }),
  output: listOutput("resets", FactorReset, "Resets of second factors."),
});

export const resetTwoFactor = operation({
  id: "resetTwoFactor",
  method: "POST",
  path: "/api/admin/users/{id}/reset-two-factor",
  ...ADMINISTRATORS,
  record: "User",
  limit: { points: 30, per: 3600, by: "account" },
  summary: "Request the reset of an account's second factors",
  description:
    "Needs a fresh proof of identity. The owner is mailed immediately, with a link that stops it. After " +
    "`factor_reset_delay_hours` a job removes the second factors (`factors`, or all), with the last of them the recovery " +
    "codes, and ends sessions and trusted devices; password, passkeys and API keys stay. Another administrator has to " +
    "approve it first if `two_administrators` is on or the account is an administrator's. A reset is cancelled if no one " +
    "approves it within seven days of that time, or if its administrators lose their role. Refused for the caller's own " +
    "account.",
  params: z.object({ id: pathId }),
  body: z.object({
    factors: z
      .array(FactorKind)
      .min(1)
      .max(FactorKind.options.length)
      .nullish()
      .meta({ description: "Second factors to remove; all when omitted.", example: ["totp"] }),
    reason: line({ min: 3, max: 200 }).meta({
      description: "Reason, kept in the audit log.",
      example: "Call of 20 November, ticket 4711",
    }),
  }),
  status: 201,
  output: z.object({ success, message, reset: FactorReset }),
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
  output: z.object({ success, message, reset: FactorReset }),
  errors: ["identity_unproven", "own_approval", "factor_reset_over"],
});

export const cancelFactorReset = operation({
  id: "cancelFactorReset",
  method: "POST",
  path: "/api/admin/factor-resets/{id}/cancel",
  ...ONE,
  summary: "Cancel the reset of second factors",
  description: "Open to any administrator while it is pending. The account's owner is mailed.",
  output: z.object({ success, message, reset: FactorReset }),
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
  output: z.object({ success, message }),
  errors: ["factor_reset_invalid"],
});
