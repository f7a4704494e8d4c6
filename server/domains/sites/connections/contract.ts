import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  expiry,
  flag,
  id,
  line,
  MAX_ID,
  mailHost,
  mailPassword,
  message,
  pathId,
  pathUlid,
  queryInt,
  recordId,
  recordUlid,
  SiteLine,
  success,
  timestamp,
  webAddress,
} from "@/server/core/schema";
import { CHANNELS, CLEANUP_MAX, CONNECTABLE_CHANNELS, IDLE_LIST_MAX, IDLE_REASONS } from "./policy";

const READ = { tag: "Connections", access: "token", status: 200 } as const;
const CHANGE = { ...READ, ability: "*" } as const;

const channel = z.string().meta({ example: "telegram" });
export const anyChannel = z.enum(CHANNELS).meta({ example: "telegram" });
const label = z.string().meta({ example: "@kayakahve_bot" });

/** docs/contract.md 2.6. */
const IdleConnection = z
  .object({
    channel,
    id: recordId,
    label,
    connection_type: z.string().meta({ example: "bot" }),
    reasons: z.array(z.enum(IDLE_REASONS)).meta({ example: ["no_site"] }),
    token_dead: z.boolean(),
    is_active: z.boolean(),
    linked_sites: z.array(SiteLine),
    owner_user_id: recordId,
    can_manage: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: "IdleConnection" });

export const listIdleConnections = operation({
  id: "listIdleConnections",
  method: "GET",
  path: "/api/idle-connections",
  ...READ,
  summary: "List idle connections",
  description:
    "Those in your scope that serve no active site, oldest first; connections in use never appear. At most " +
    `${IDLE_LIST_MAX}: \`after\` is the last number of the list before. \`data\` repeats \`connections\`.`,
  query: z.object({ after: queryInt({ min: 0, max: 2_147_483_647 }).meta({ example: "0" }).nullish() }),
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
    sites: z.array(SiteLine),
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
  ...CHANGE,
  summary: "Clean up idle connections",
  description:
    "Removes each connection for good: at the outside party, its links to sites, and itself. Items are independent, " +
    "their results in the same order; a repeated item is performed once. What is in use, not yours to manage " +
    "or unknown stays, with its reason. What is not done within a minute, or fails for now, is finished by itself: " +
    "`retryable` says so, the receipt shows it. With `dry_run` nothing is changed and `plan` says what would be; with " +
    "`background` the response does not wait.",
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

export const listCleanups = operation({
  id: "listCleanups",
  method: "GET",
  path: "/api/connection-cleanups",
  ...READ,
  summary: "List receipts of clean-ups",
  description: "The last hundred that you asked for or that cleaned up your connections, newest first.",
  output: z.object({ success, receipts: z.array(ReceiptHead), data: z.array(ReceiptHead) }),
});

export const getCleanup = operation({
  id: "getCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}",
  ...READ,
  summary: "Read the receipt of a clean-up",
  description: "Items with calls, without secrets; names and calls of accounts in reach alone.",
  record: "CleanupRun",
  params: z.object({ id: pathUlid }),
  output: z.object({ success, receipt: ReceiptHead.extend({ items: z.array(ReceiptItem) }) }),
  errors: ["record_not_found"],
});

export const downloadCleanup = operation({
  id: "downloadCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}/csv",
  ...READ,
  viewAs: false,
  summary: "Download the receipt of a clean-up as a CSV file",
  description: "One line for each call, and one for an item without calls.",
  record: "CleanupRun",
  params: z.object({ id: pathUlid }),
  file: "text/csv; charset=utf-8",
  output: z.never(),
  errors: ["record_not_found"],
});

export const retryCleanup = operation({
  id: "retryCleanup",
  method: "POST",
  path: "/api/connection-cleanups/{id}/retry",
  ...READ,
  summary: "Try the failed items of a clean-up again",
  description: "For whoever asked; `forbidden`: out of reach by now.",
  ability: "connections:cleanup",
  record: "CleanupRun",
  limit: { points: 10, per: 60, by: "account" },
  params: z.object({ id: pathUlid }),
  output: Cleaned,
  errors: ["record_not_found"],
});

const Row = z
  .object({
    id: recordId,
    channel: anyChannel,
    connection_type: z.string().meta({ example: "bot" }),
    label,
    is_active: z.boolean(),
    /** What the last look at the party found. */
    health: z.enum(["unknown", "ok", "unreachable", "dead"]),
    token_dead: z.boolean(),
    /** Why it is idle; none: it is in use. */
    reasons: z.array(z.enum(IDLE_REASONS)),
    cleanup: z.enum(["none", "running", "failed"]),
    linked_sites: z.array(SiteLine),
    owner: z.object({ id: recordId, name: z.string().meta({ example: "Ayşe Kaya" }) }),
    can_manage: z.boolean(),
    secret_last_four: z.string().nullable().meta({ example: "8f2a" }),
    last_ok_at: timestamp.nullable(),
    checked_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Connection" });

export const listConnections = operation({
  id: "listConnections",
  method: "GET",
  path: "/api/connections",
  ...READ,
  summary: "List channel connections",
  description:
    "`q` finds parts of the label. `state` is `active`, `idle` or `dead`, `site` the number of a site that they serve.",
  query: listFilter({
    sorts: ["label", "created_at"],
    filters: {
      channel: anyChannel.nullish(),
      state: z.enum(["active", "idle", "dead"]).meta({ example: "active" }).nullish(),
      site: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
    },
  }).extend(pageQuery.shape),
  output: z.object({ success, connections: z.array(Row), data: z.array(Row), count, meta: PageMeta }),
});

export const countDeadConnections = operation({
  id: "countDeadConnections",
  method: "GET",
  path: "/api/connections/dead",
  ...READ,
  summary: "Count the caller's own connections whose token is dead",
  description: "A token is dead once its party has refused it twice, ten minutes apart.",
  output: z.object({ success, count }),
});

const spelled = (pattern: RegExp, max: number, min = 1) =>
  line({ min, max }).refine((value) => pattern.test(value), { error: "validation.text" });
const secret = spelled(/^[\x21-\x7e]+$/, 1000, 8);
const remote = spelled(/^[\w-]+$/, 64);
const siteIds = z.array(id).max(100);

export const createConnection = operation({
  id: "createConnection",
  method: "POST",
  path: "/api/connections",
  ...CHANGE,
  summary: "Connect a channel",
  description:
    "The party is asked first, then calls our webhook. Fields by channel: `telegram`: bot_token. `whatsapp`: waba_id, " +
    "phone_number_id, access_token. `messenger`: page_id, access_token. `instagram`: ig_user_id, access_token. " +
    "`whatsapp_qr`: base_url, api_key, instance. `sms` and `voice`: account_sid, auth_token, phone_number_sid. `email`: " +
    "host, user, password, port (993, or 143). `web_chat`: site_ids with one site. The label is its name there by default.",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  body: z.object({
    channel: z.enum(CONNECTABLE_CHANNELS).meta({ example: "telegram" }),
    connection_type: z.string().max(20).meta({ example: "bot" }).nullish(),
    label: line({ max: 120 }).meta({ example: "@kayakahve_bot" }).nullish(),
    site_ids: siteIds.nullish(),
    bot_token: secret.meta({ example: "123456789:AAExampleExampleExampleExampleExample" }).nullish(),
    access_token: secret.meta({ example: "EAAGexample" }).nullish(),
    waba_id: remote.meta({ example: "102290129340398" }).nullish(),
    phone_number_id: remote.meta({ example: "1022901293403981" }).nullish(),
    page_id: remote.meta({ example: "110200345" }).nullish(),
    ig_user_id: remote.meta({ example: "17840000000000001" }).nullish(),
    base_url: webAddress({ max: 300 }).meta({ example: "https://evolution.example.com" }).nullish(),
    api_key: secret.meta({ example: "evolution-key" }).nullish(),
    instance: remote.meta({ example: "kayakahve" }).nullish(),
    account_sid: line({ max: 34 }).meta({ example: "AC00000000000000000000000000000000" }).nullish(),
    auth_token: secret.meta({ example: "a-token-of-twilio" }).nullish(),
    phone_number_sid: line({ max: 34 }).meta({ example: "PN00000000000000000000000000000000" }).nullish(),
    host: mailHost.meta({ example: "imap.example.com" }).nullish(),
    port: z.int().min(1).max(65535).meta({ example: 993 }).nullish(),
    user: line({ max: 255 }).meta({ example: "hello@example.com" }).nullish(),
    password: mailPassword.nullish(),
  }),
  status: 201,
  output: z.object({ success, message, connection: Row }),
  errors: ["connection_refused", "connection_in_cleanup"],
});

export const updateConnection = operation({
  id: "updateConnection",
  method: "PUT",
  path: "/api/connections/{id}",
  ...CHANGE,
  summary: "Change a connection",
  description:
    "Only the fields that are given. `site_ids` are the owner's sites that it serves from now on. `secret` replaces the " +
    "token or key once the party has accepted it. What is being cleaned up cannot be linked or switched on; one whose " +
    "clean-up has failed can, which ends the clean-up.",
  record: "Connection",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    label: line({ max: 120 }).meta({ example: "@kayakahve_bot" }).nullish(),
    is_active: flag.nullish(),
    site_ids: siteIds.nullish(),
    secret: mailPassword.meta({ example: "123456789:AAExampleExampleExampleExampleExample" }).nullish(),
  }),
  output: z.object({ success, message, connection: Row }),
  errors: ["record_not_found", "connection_refused", "connection_in_cleanup"],
});

export const checkConnection = operation({
  id: "checkConnection",
  method: "POST",
  path: "/api/connections/{id}/check",
  ...CHANGE,
  summary: "Look whether a connection works",
  description:
    "Asks the party, which changes nothing there. A token counts as dead after two refusals, ten minutes apart.",
  record: "Connection",
  limit: { points: 10, per: 60, by: "account" },
  params: z.object({ id: pathId }),
  output: z.object({ success, message, connection: Row }),
  errors: ["record_not_found"],
});
