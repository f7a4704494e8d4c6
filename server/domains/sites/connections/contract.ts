import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  count,
  expiry,
  flag,
  line,
  pathUlid,
  queryInt,
  recordId,
  recordUlid,
  success,
  timestamp,
} from "@/server/core/schema";
import { CLEANUP_MAX, IDLE_LIST_MAX, IDLE_REASONS } from "./policy";

const channel = z.string().meta({ example: "telegram" });
const label = z.string().meta({ example: "@kayakahve_bot" });

export const LinkedSite = z
  .object({
    id: recordId,
    name: z.string().meta({ example: "Kaya Kahve" }),
    domain: z.string().meta({ example: "example.com" }),
    is_active: z.boolean(),
  })
  .meta({ id: "LinkedSite" });

/** docs/contract.md 2.6. */
export const IdleConnection = z
  .object({
    channel,
    id: recordId,
    label,
    connection_type: z.string().meta({ example: "bot" }),
    reasons: z.array(z.enum(IDLE_REASONS)).meta({ example: ["no_site"] }),
    token_dead: z.boolean(),
    is_active: z.boolean(),
    linked_sites: z.array(LinkedSite),
    owner_user_id: recordId,
    can_manage: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: "IdleConnection" });

export const listIdleConnections = operation({
  id: "listIdleConnections",
  method: "GET",
  path: "/api/idle-connections",
  tag: "Connections",
  summary: "List idle connections",
  description:
    "Those in your scope that serve no active site, oldest first; connections in use never appear. At most " +
    `${IDLE_LIST_MAX}: \`after\` is the last number of the list before. \`data\` repeats \`connections\`.`,
  access: "token",
  query: z.object({ after: queryInt({ min: 0, max: 2_147_483_647 }).meta({ example: "0" }).nullish() }),
  status: 200,
  output: z.object({ success, connections: z.array(IdleConnection), data: z.array(IdleConnection) }),
});

/** Why an item was not cleaned up. */
const Reason = z
  .enum(["not_found", "forbidden", "in_use", "remote_failed", "remote_forbidden", "already_clean", "running"])
  .meta({ example: "in_use" });

/** What a clean-up would do for one item. */
const Plan = z
  .object({
    /** Calls to the outside, in order, without secrets. */
    steps: z.array(z.string()).meta({ example: ["POST api.telegram.org/bot{token}/deleteWebhook"] }),
    /** Whose webhook the party calls now: ours, somebody else's, nobody's, or it could not be asked. */
    hook: z.enum(["ours", "foreign", "none", "unknown"]),
    /** It is the last of its account, so that what the account shares goes, too. */
    shared: z.boolean(),
    /** Other connections of the same account, which stay. */
    siblings: z.array(z.object({ id: recordId, label })),
    /** Sites that lose this channel. */
    sites: z.array(LinkedSite),
  })
  .meta({ id: "CleanupPlan" });

export const CleanupResult = z
  .object({
    channel,
    id: z.int().meta({ example: 7 }),
    ok: z.boolean(),
    reason: Reason.optional(),
    /** It is tried again by itself, or may be asked for again. */
    retryable: z.boolean().optional().meta({ example: true }),
    token_dead: z.boolean().optional().meta({ example: false }),
    plan: Plan.optional(),
  })
  .meta({ id: "CleanupResult" });

const Cleaned = z.object({
  success,
  results: z.array(CleanupResult),
  cleaned_count: count,
  /** Null in a dry run, which leaves no receipt. */
  receipt_id: recordUlid.nullable(),
  dry_run: z.boolean(),
});

export const cleanConnections = operation({
  id: "cleanConnections",
  method: "POST",
  path: "/api/idle-connections/cleanup",
  tag: "Connections",
  summary: "Clean up idle connections",
  description:
    "Removes each connection for good: at the outside party, its links to sites, and itself. Items are independent, and " +
    "their results come in the order of the items; a repeated item is performed once. What is in use, not yours to manage " +
    "or unknown stays, with its reason. What is not done within a minute, or fails for now, is finished by itself: " +
    "`retryable` says so, the receipt shows it. With `dry_run` nothing is changed and `plan` says what would be; with " +
    "`background` the response does not wait.",
  access: "token",
  ability: "connections:cleanup",
  limit: { points: 30, per: 60, by: "account", durable: true },
  body: z.object({
    items: z
      .array(
        z.object({
          channel: line({ max: 40 }).meta({ example: "telegram" }),
          id: z.int().meta({ example: 7 }),
        }),
      )
      .min(1)
      .max(CLEANUP_MAX),
    dry_run: flag.nullish(),
    background: flag.nullish(),
  }),
  status: 200,
  output: Cleaned,
});

const ReceiptCall = z.object({
  step: z.string().meta({ example: "clear" }),
  call: z.string().meta({ example: "POST api.telegram.org/bot{token}/deleteWebhook" }),
  status: z.int().nullable().meta({ example: 200 }),
  code: z.string().nullable().meta({ example: null }),
  outcome: z.string().meta({ example: "ok" }),
  ms: z.int().meta({ example: 84 }),
  at: timestamp,
});

const ReceiptItem = CleanupResult.omit({ plan: true }).extend({
  label,
  state: z.enum(["queued", "running", "ok", "failed", "refused"]),
  attempts: count,
  next_at: expiry.nullable(),
  finished_at: timestamp.nullable(),
  calls: z.array(ReceiptCall),
});

const ReceiptHead = z.object({
  id: recordUlid,
  cause: z.enum(["asked", "site_deleted"]),
  asked_by: z.object({ id: recordId, name: z.string().meta({ example: "Ayşe Kaya" }) }).nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  counts: z.object({ ok: count, refused: count, failed: count, open: count }),
});

const RECEIPTS = { tag: "Connections", access: "token" } as const;

export const listCleanups = operation({
  id: "listCleanups",
  method: "GET",
  path: "/api/connection-cleanups",
  ...RECEIPTS,
  summary: "List receipts of clean-ups",
  description: "The last hundred that you asked for or that cleaned up connections of yours, newest first.",
  status: 200,
  output: z.object({ success, receipts: z.array(ReceiptHead), data: z.array(ReceiptHead) }),
});

export const getCleanup = operation({
  id: "getCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}",
  ...RECEIPTS,
  summary: "Read the receipt of a clean-up",
  description: "Every item with every call that was made for it, without secrets.",
  record: "CleanupRun",
  params: z.object({ id: pathUlid }),
  status: 200,
  output: z.object({ success, receipt: ReceiptHead.extend({ items: z.array(ReceiptItem) }) }),
  errors: ["record_not_found"],
});

export const downloadCleanup = operation({
  id: "downloadCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}/csv",
  ...RECEIPTS,
  summary: "Download the receipt of a clean-up as a CSV file",
  description: "One line for each call, and one for an item without calls.",
  record: "CleanupRun",
  params: z.object({ id: pathUlid }),
  status: 200,
  file: "text/csv; charset=utf-8",
  output: z.never(),
  errors: ["record_not_found"],
});

export const retryCleanup = operation({
  id: "retryCleanup",
  method: "POST",
  path: "/api/connection-cleanups/{id}/retry",
  ...RECEIPTS,
  summary: "Try the failed items of a clean-up again",
  description: "For whoever asked for it. The results are those of all its items.",
  ability: "connections:cleanup",
  record: "CleanupRun",
  limit: { points: 10, per: 60, by: "account" },
  params: z.object({ id: pathUlid }),
  status: 200,
  output: Cleaned,
  errors: ["record_not_found"],
});
