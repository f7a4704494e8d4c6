import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { createdAt, line, pathId, recordId, success } from "@/server/core/schema";

/** The most credits that one adjustment moves, either way. */
const ADJUSTMENT_MAX = 1_000_000;

const reason = z
  .enum(["welcome", "usage", "admin_adjust", "refund"])
  .meta({ description: "Why the balance changed.", example: "admin_adjust" });
const credits = z.int().meta({ example: 1500 });

export const CreditEntry = z
  .object({
    id: recordId,
    amount: z.int().meta({ description: "Number of credits; negative when spent.", example: 500 }),
    balance: credits.meta({ description: "Balance after this entry." }),
    reason,
    actor: z.enum(["system", "administrator"]).meta({
      description: "Actor of the change: the platform or an administrator.",
      example: "administrator",
    }),
    note: z
      .string()
      .nullable()
      .meta({ description: "Note of the administrator; null if none.", example: "Credits of November" }),
    created_at: createdAt,
  })
  .meta({ id: "CreditEntry", description: "A change of the balance of credits." });

const CreditFilter = listFilter({
  sorts: ["created_at"],
  filters: { reason: reason.nullish().meta({ description: "Only entries with this reason." }) },
}).omit({
  q: true,
});

export const listCredits = operation({
  id: "listCredits",
  method: "GET",
  path: "/api/user/credits",
  tag: "Subscriptions",
  summary: "List the changes of the caller's credits",
  description:
    "`credits` is the current balance. `sort` is `created_at`, or `-created_at` for the newest first, which is the " +
    "default.",
  access: "token",
  query: CreditFilter.extend(pageQuery.shape),
  output: z.object({
    success,
    credits: credits.meta({ description: "Current balance." }),
    data: z.array(CreditEntry).meta({ description: "Entries on this page." }),
    meta: PageMeta,
  }),
});

export const listUserCredits = operation({
  id: "listUserCredits",
  method: "GET",
  path: "/api/admin/users/{id}/credits",
  tag: "Administration",
  summary: "List the changes of an account's credits",
  description: "The same entries in the same order as the account sees them.",
  access: "token",
  ability: "admin:*",
  record: "User",
  params: z.object({ id: pathId }),
  query: CreditFilter.extend(pageQuery.shape),
  output: z.object({
    success,
    credits: credits.meta({ description: "Current balance." }),
    data: z.array(CreditEntry).meta({ description: "Entries on this page." }),
    meta: PageMeta,
  }),
});

export const downloadCredits = operation({
  id: "downloadCredits",
  method: "GET",
  path: "/api/user/credits.csv",
  tag: "Subscriptions",
  summary: "Download the changes of the caller's credits as a CSV file",
  description: "All matching entries, without pages.",
  access: "token",
  viewAs: false,
  query: CreditFilter,
  ...CSV_DOWNLOAD,
});

export const adjustCredits = operation({
  id: "adjustCredits",
  method: "POST",
  path: "/api/admin/users/{id}/credits",
  tag: "Administration",
  summary: "Add or deduct credits of an account",
  description:
    "Needs a fresh proof of identity. " +
    "The person gets a mail with the amount, the note and the new balance. A balance is never negative.",
  access: "token",
  ability: "admin:*",
  record: "User",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    amount: z
      .int()
      .min(-ADJUSTMENT_MAX)
      .max(ADJUSTMENT_MAX)
      .refine((amount) => amount !== 0, { error: "validation.not_zero" })
      .meta({ description: "Credits to add; negative to deduct, never zero.", example: 500 }),
    note: line({ min: 3, max: 200 }).meta({
      description: "Reason, which is mailed to the person.",
      example: "Credits of November",
    }),
  }),
  status: 201,
  output: z.object({
    success,
    entry: CreditEntry,
    credits: credits.meta({ description: "Balance after the change." }),
  }),
  errors: ["identity_unproven", "credits_too_low"],
});
