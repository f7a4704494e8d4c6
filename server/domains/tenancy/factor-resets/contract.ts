import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  count,
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
    user: z.object({
      id: recordId,
      name: User.shape.name,
      email: User.shape.email,
      role: z.enum(["user", "reseller", "admin"]).meta({ example: "user" }),
    }),
    /** What is removed. */
    factors: z.array(FactorKind).meta({ example: ["totp"] }),
    reason: z.string().meta({ example: "Call of 20 November, ticket 4711" }),
    state: z.enum(["waiting", "done", "cancelled"]).meta({ example: "waiting" }),
    /** From when on it is done; until then its owner can stop it. */
    run_at: expiry,
    /** Whether another administrator still has to approve it. */
    approval_due: z.boolean().meta({ example: false }),
    /** Null once that account is deleted. */
    requested_by: administrator,
    approved_by: administrator,
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: "FactorReset" });

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
  summary: "List the resets of second factors that wait",
  description:
    "The one that is due first comes first, at most 200. With `user_id`, the last 20 of that account, the newest first, also those " +
    "that are done or cancelled.",
  access: "token",
  ability: "admin:*",
  query: z.object({ user_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish() }),
  status: 200,
  output: z.object({ success, resets: z.array(FactorReset), data: z.array(FactorReset), count }),
});

export const resetTwoFactor = operation({
  id: "resetTwoFactor",
  method: "POST",
  path: "/api/admin/users/{id}/reset-two-factor",
  ...ADMINISTRATORS,
  record: "User",
  limit: { points: 30, per: 3600, by: "account" },
  summary: "Ask for the reset of an account's second factor",
  description:
    "Needs a fresh proof of identity. The owner is mailed at once, with a link that stops it. After `factor_reset_delay_hours` a job " +
    "removes the second factors (`factors`, else all), with the last of them the recovery codes, and ends sign-ins and trusted " +
    "devices; password, passkeys and API keys stay. Another administrator has to approve it first where `two_administrators` is " +
    "on, and always where the account is an administrator's. One that nobody approves within seven days of that moment is cancelled, " +
    "and so is one whose administrators are none any more. The caller's own account is refused.",
  params: z.object({ id: pathId }),
  body: z.object({
    /** What is removed; all when it is left out. */
    factors: z
      .array(FactorKind)
      .min(1)
      .max(FactorKind.options.length)
      .meta({ example: ["totp"] })
      .nullish(),
    /** Why; it is in the audit log. */
    reason: line({ min: 3, max: 200 }).meta({ example: "Call of 20 November, ticket 4711" }),
  }),
  status: 201,
  output: z.object({ success, message, reset: FactorReset }),
  errors: [
    "identity_unproven",
    "record_not_found",
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
  summary: "Approve the reset of a second factor",
  description:
    "By an administrator who neither asked for it nor is the account's owner, with a fresh proof of identity. It still waits for its time.",
  status: 200,
  output: z.object({ success, message, reset: FactorReset }),
  errors: ["identity_unproven", "record_not_found", "own_approval", "factor_reset_over"],
});

export const cancelFactorReset = operation({
  id: "cancelFactorReset",
  method: "POST",
  path: "/api/admin/factor-resets/{id}/cancel",
  ...ONE,
  summary: "Cancel the reset of a second factor",
  description: "By any administrator, while it waits. The account's owner is mailed.",
  status: 200,
  output: z.object({ success, message, reset: FactorReset }),
  errors: ["record_not_found", "factor_reset_over"],
});

/** Public: whoever reads the mail need not be signed in. */
export const stopFactorReset = operation({
  id: "stopFactorReset",
  method: "POST",
  path: "/api/auth/stop-factor-reset",
  tag: "Second factor resets",
  summary: "Stop the reset of one's own second factor",
  description:
    "With the link that was mailed to the account when the reset was asked for, while it waits. It works once.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({ token: z.string().max(255).meta({ example: "dsa_…" }) }),
  status: 200,
  output: z.object({ success, message }),
  errors: ["factor_reset_invalid"],
});
