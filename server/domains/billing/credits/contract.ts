import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { line, pathId, recordId, success, timestamp } from "@/server/core/schema";

/** The most credits that one adjustment moves, either way. */
const ADJUSTMENT_MAX = 1_000_000;

const reason = z.enum(["welcome", "usage", "admin_adjust", "refund"]).meta({ example: "admin_adjust" });
const credits = z.int().meta({ example: 1500 });

export const CreditEntry = z
  .object({
    id: recordId,
    /** Negative for a spend. */
    amount: z.int().meta({ example: 500 }),
    /** After this entry. */
    balance: credits,
    reason,
    /** Who moved them: the platform by itself, or an administrator. */
    actor: z.enum(["system", "administrator"]).meta({ example: "administrator" }),
    note: z.string().nullable().meta({ example: "Credits of November" }),
    created_at: timestamp,
  })
  .meta({ id: "CreditEntry" });

const CreditFilter = listFilter({ sorts: ["created_at"], filters: { reason: reason.nullish() } }).omit({
  q: true,
});

export const listCredits = operation({
  id: "listCredits",
  method: "GET",
  path: "/api/user/credits",
  tag: "Subscriptions",
  summary: "List what moved the caller's credits",
  description:
    "`credits` is the balance. `sort` is `created_at`, or `-created_at` for the newest first, which is the default.",
  access: "token",
  query: CreditFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({ success, credits, data: z.array(CreditEntry), meta: PageMeta }),
});

export const listUserCredits = operation({
  id: "listUserCredits",
  method: "GET",
  path: "/api/admin/users/{id}/credits",
  tag: "Administration",
  summary: "List what moved the credits of an account",
  description: "The same entries, in the same order, as the account sees them.",
  access: "token",
  ability: "admin:*",
  record: "User",
  params: z.object({ id: pathId }),
  query: CreditFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({ success, credits, data: z.array(CreditEntry), meta: PageMeta }),
  errors: ["record_not_found"],
});

export const downloadCredits = operation({
  id: "downloadCredits",
  method: "GET",
  path: "/api/user/credits.csv",
  tag: "Subscriptions",
  summary: "Download the same entries as a CSV file",
  description: "All entries that match, without pages.",
  access: "token",
  viewAs: false,
  limit: { points: 60, per: 3600, by: "account" },
  query: CreditFilter,
  status: 200,
  file: CSV,
  output: z.never(),
});

export const adjustCredits = operation({
  id: "adjustCredits",
  method: "POST",
  path: "/api/admin/users/{id}/credits",
  tag: "Administration",
  summary: "Give an account credits, or take some",
  description:
    "Needs a fresh proof of identity. " +
    "The person gets a mail with the amount, the note and the new balance. A balance is never negative.",
  access: "token",
  ability: "admin:*",
  record: "User",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    /** Negative takes credits; not zero. */
    amount: z
      .int()
      .min(-ADJUSTMENT_MAX)
      .max(ADJUSTMENT_MAX)
      .refine((amount) => amount !== 0, { error: "validation.not_zero" })
      .meta({ example: 500 }),
    /** Why; the person reads it. */
    note: line({ min: 3, max: 200 }).meta({ example: "Credits of November" }),
  }),
  status: 201,
  output: z.object({ success, entry: CreditEntry, credits }),
  errors: ["identity_unproven", "record_not_found", "credits_too_low"],
});
