import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, pageOutput, pageQuery } from "@/server/core/list";
import {
  count,
  createdAt,
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

const READ = { tag: "Connections", access: "token" } as const;
const CHANGE = { ...READ, ability: "*" } as const;

const channel = z.string().meta({ example: "telegram" });
export const anyChannel = z
  .enum(CHANNELS)
  .meta({ description: "Channel of the connection.", example: "telegram" });
const label = z.string().meta({ description: "Label of the connection.", example: "@kayakahve_bot" });

const IdleConnection = z
  .object({
    channel: channel.meta({ description: "Channel of the connection." }),
    id: recordId,
    label,
    connection_type: z.string().meta({ description: "Connection type of the channel.", example: "bot" }),
    reasons: z
      .array(z.enum(IDLE_REASONS))
      .meta({ description: "Why the connection is idle.", example: ["no_site"] }),
    token_dead: z
      .boolean()
      .meta({ description: "True when the provider no longer accepts the stored token." }),
    is_active: z.boolean().meta({ description: "True when the connection is switched on." }),
    linked_sites: z.array(SiteLine).meta({ description: "Sites the connection serves." }),
    owner_user_id: recordId.meta({ description: "ID of the account that owns the connection." }),
    can_manage: z.boolean().meta({ description: "True when the caller may change the connection." }),
    created_at: createdAt,
  })
  .meta({ id: "IdleConnection", description: "A connection that serves no active site." });

export const listIdleConnections = operation({
  id: "listIdleConnections",
  method: "GET",
  path: "/api/idle-connections",
  ...READ,
  summary: "List idle connections",
  description: `Connections in the caller's scope that serve no active site, oldest first; connections in use never appear. At most ${IDLE_LIST_MAX}: pass the last ID as \`after\` for the next ones. \`data\` repeats \`connections\`.`,
  query: z.object({
    after: queryInt({ min: 0, max: 2_147_483_647 })
      .meta({ example: "0" })
      .nullish()
      .meta({ description: "ID of the last connection already read; the next ones follow." }),
  }),
  output: z.object({
    success,
    connections: z.array(IdleConnection).meta({ description: "Idle connections, oldest first." }),
    data: z.array(IdleConnection).meta({ description: "Same as `connections`." }),
  }),
});

/** Why an item was not cleaned up. */
const Reason = z
  .enum(["not_found", "forbidden", "in_use", "remote_failed", "remote_forbidden", "already_clean", "running"])
  .meta({ example: "in_use" });

const Plan = z
  .object({
    steps: z.array(z.string()).meta({
      description: "Calls to the provider, in order, without secrets.",
      example: ["POST api.telegram.org/bot{token}/deleteWebhook"],
    }),
    hook: z
      .enum(["ours", "foreign", "none", "unknown"])
      .meta({ description: "Webhook currently set at the provider: ours, another one, none, or unknown." }),
    shared: z.boolean().meta({
      description: "True for the last connection of its provider account: shared settings are removed, too.",
    }),
    siblings: z
      .array(z.object({ id: recordId, label }))
      .meta({ description: "Other connections of the same provider account, which stay." }),
    sites: z.array(SiteLine).meta({ description: "Sites that lose this channel." }),
  })
  .meta({ id: "CleanupPlan", description: "Effect that a clean-up would have on a connection." });

export const CleanupResult = z
  .object({
    channel: channel.meta({ description: "Channel of the connection, as requested." }),
    id: z.int().meta({ description: "ID of the connection, as requested.", example: 7 }),
    ok: z.boolean().meta({ description: "True when the connection was cleaned up." }),
    reason: Reason.optional().meta({ description: "Why it was not cleaned up; absent on success." }),
    retryable: z
      .boolean()
      .optional()
      .meta({ description: "True when the clean-up is retried or can be requested again.", example: true }),
    token_dead: z
      .boolean()
      .optional()
      .meta({ description: "True when the provider no longer accepts the stored token.", example: false }),
    plan: Plan.optional().meta({ description: "Effect of a clean-up; with `dry_run` only." }),
  })
  .meta({ id: "CleanupResult", description: "Result for one connection." });

const Cleaned = z.object({
  success,
  results: z.array(CleanupResult).meta({ description: "One result per item, in the same order." }),
  cleaned_count: count.meta({ description: "Number of connections cleaned up." }),
  receipt_id: recordUlid.nullable().meta({ description: "ID of the receipt; null in a dry run." }),
  dry_run: z.boolean().meta({ description: "True when nothing was changed." }),
});

export const cleanConnections = operation({
  id: "cleanConnections",
  method: "POST",
  path: "/api/idle-connections/cleanup",
  ...CHANGE,
  summary: "Clean up idle connections",
  description:
    "Removes each connection for good: at the provider, its links to sites, and the connection itself. Items are " +
    "independent, with results in the same order; a repeated item is processed once. A connection that is in use, unknown " +
    "or not yours to manage stays, with the reason. What is not finished within a minute or fails temporarily is " +
    "completed later: `retryable` says so, and the receipt shows it. With `dry_run` nothing changes and `plan` shows the " +
    "effect; with `background` the response does not wait.",
  ability: "connections:cleanup",
  limit: { points: 30, per: 60, by: "account", durable: true },
  body: z.object({
    items: z
      .array(
        z.object({
          channel: line({ max: 40 }).meta({ description: "Channel of the connection.", example: "telegram" }),
          id: z.int().meta({ description: "ID of the connection.", example: 7 }),
        }),
      )
      .min(1)
      .max(CLEANUP_MAX)
      .meta({ description: "Connections to clean up." }),
    dry_run: flag.nullish().meta({ description: "True to preview the effect without changing anything." }),
    background: flag.nullish().meta({ description: "True to respond before the clean-up has finished." }),
  }),
  output: Cleaned,
});

const ReceiptCall = z.object({
  step: z.string().meta({ description: "Step of the clean-up.", example: "clear" }),
  call: z.string().meta({
    description: "Method and URL of the call, without secrets.",
    example: "POST api.telegram.org/bot{token}/deleteWebhook",
  }),
  status: z
    .int()
    .nullable()
    .meta({ description: "HTTP status of the provider; null without a response.", example: 200 }),
  code: z
    .string()
    .nullable()
    .meta({ description: "Error code of the provider; null if it named none.", example: null }),
  outcome: z.string().meta({ description: "Result of the call.", example: "ok" }),
  ms: z.int().meta({ description: "Duration in milliseconds.", example: 84 }),
  at: timestamp.meta({ description: "When the call was made." }),
});

const ReceiptItem = CleanupResult.omit({ plan: true }).extend({
  label,
  state: z.enum(["queued", "running", "ok", "failed", "refused"]).meta({ description: "State of the item." }),
  attempts: count.meta({ description: "Number of attempts." }),
  next_at: expiry.nullable().meta({ description: "When the next attempt starts; null if none is planned." }),
  finished_at: timestamp.nullable().meta({ description: "When the item was finished; null if not yet." }),
  calls: z.array(ReceiptCall).meta({ description: "Calls to the provider, in order." }),
});

const ReceiptHead = z.object({
  id: recordUlid,
  cause: z.enum(["asked", "site_deleted"]).meta({ description: "Why the clean-up was started." }),
  asked_by: z
    .object({
      id: recordId,
      name: z.string().meta({ description: "Name of the person.", example: "Ayşe Kaya" }),
    })
    .nullable()
    .meta({ description: "Account that requested the clean-up; null if none or out of reach." }),
  created_at: createdAt,
  finished_at: timestamp.nullable().meta({ description: "When the clean-up was finished; null if not yet." }),
  counts: z
    .object({
      ok: count.meta({ description: "Items cleaned up." }),
      refused: count.meta({ description: "Items refused." }),
      failed: count.meta({ description: "Items failed." }),
      open: count.meta({ description: "Items not finished yet." }),
    })
    .meta({ description: "Number of items by result." }),
});

export const listCleanups = operation({
  id: "listCleanups",
  method: "GET",
  path: "/api/connection-cleanups",
  ...READ,
  summary: "List the receipts of clean-ups",
  description: "The latest hundred that you requested or that cleaned up your connections, newest first.",
  output: z.object({
    success,
    receipts: z.array(ReceiptHead).meta({ description: "Receipts, newest first." }),
    data: z.array(ReceiptHead).meta({ description: "Same as `receipts`." }),
  }),
});

export const getCleanup = operation({
  id: "getCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}",
  ...READ,
  summary: "Get the receipt of a clean-up",
  description:
    "Items with their calls, without secrets. Names and calls are shown only for accounts in the caller's scope.",
  record: "CleanupRun",
  params: z.object({ id: pathUlid }),
  output: z.object({
    success,
    receipt: ReceiptHead.extend({
      items: z.array(ReceiptItem).meta({ description: "Items of the clean-up." }),
    }).meta({ description: "Receipt of the clean-up." }),
  }),
});

export const downloadCleanup = operation({
  id: "downloadCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}/csv",
  ...READ,
  viewAs: false,
  summary: "Download the receipt of a clean-up as a CSV file",
  description: "One line per call, and one for an item without calls.",
  record: "CleanupRun",
  params: z.object({ id: pathUlid }),
  file: "text/csv; charset=utf-8",
  output: z.never(),
});

export const retryCleanup = operation({
  id: "retryCleanup",
  method: "POST",
  path: "/api/connection-cleanups/{id}/retry",
  ...READ,
  summary: "Retry the failed items of a clean-up",
  description:
    "Open to the account that requested the clean-up. Items out of its scope fail with `forbidden`.",
  ability: "connections:cleanup",
  record: "CleanupRun",
  limit: { points: 10, per: 60, by: "account" },
  params: z.object({ id: pathUlid }),
  output: Cleaned,
});

const Row = z
  .object({
    id: recordId,
    channel: anyChannel,
    connection_type: z.string().meta({ description: "Connection type of the channel.", example: "bot" }),
    label,
    is_active: z.boolean().meta({ description: "True when the connection is switched on." }),
    health: z
      .enum(["unknown", "ok", "unreachable", "dead"])
      .meta({ description: "Result of the latest check at the provider." }),
    token_dead: z
      .boolean()
      .meta({ description: "True when the provider no longer accepts the stored token." }),
    reasons: z
      .array(z.enum(IDLE_REASONS))
      .meta({ description: "Why the connection is idle; empty when it is in use." }),
    cleanup: z.enum(["none", "running", "failed"]).meta({ description: "State of its clean-up." }),
    linked_sites: z.array(SiteLine).meta({ description: "Sites the connection serves." }),
    owner: z
      .object({
        id: recordId,
        name: z.string().meta({ description: "Name of the account.", example: "Ayşe Kaya" }),
      })
      .meta({ description: "Account that owns the connection." }),
    can_manage: z.boolean().meta({ description: "True when the caller may change the connection." }),
    secret_last_four: z.string().nullable().meta({
      description: "Last four characters of the token or key; null if none.",
      example: "8f2a",
    }),
    last_ok_at: timestamp.nullable().meta({ description: "When a check last succeeded; null if never." }),
    checked_at: timestamp.nullable().meta({ description: "When it was last checked; null if never." }),
    created_at: createdAt,
  })
  .meta({ id: "Connection", description: "A channel connection." });

export const listConnections = operation({
  id: "listConnections",
  method: "GET",
  path: "/api/connections",
  ...READ,
  summary: "List channel connections",
  description:
    "`q` searches the label. `state` is `active`, `idle` or `dead`; `site` is the ID of a site that the connection " +
    "serves.",
  query: listFilter({
    sorts: ["label", "created_at"],
    filters: {
      channel: anyChannel.nullish().meta({ description: "Only connections of this channel." }),
      state: z
        .enum(["active", "idle", "dead"])
        .nullish()
        .meta({ description: "Only connections in this state.", example: "active" }),
      site: queryInt({ min: 1, max: MAX_ID })
        .meta({ example: "7" })
        .nullish()
        .meta({ description: "Only connections that serve this site, by its ID." }),
    },
  }).extend(pageQuery.shape),
  output: pageOutput("connections", Row, "Connections on this page."),
});

export const countDeadConnections = operation({
  id: "countDeadConnections",
  method: "GET",
  path: "/api/connections/dead",
  ...READ,
  summary: "Count the caller's connections whose token is dead",
  description: "A token is dead once its provider has refused it twice, ten minutes apart.",
  output: z.object({
    success,
    count: count.meta({ description: "Number of connections with a dead token." }),
  }),
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
    "The provider is asked first, and then calls our webhook. Fields by channel: `telegram`: bot_token. `whatsapp`: " +
    "waba_id, phone_number_id, access_token. `messenger`: page_id, access_token. `instagram`: ig_user_id, access_token. " +
    "`whatsapp_qr`: base_url, api_key, instance. `sms` and `voice`: account_sid, auth_token, phone_number_sid. `email`: " +
    "host, user, password, port (993, or 143). `web_chat`: site_ids with one site. The label defaults to the name at the " +
    "provider.",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  body: z.object({
    channel: z.enum(CONNECTABLE_CHANNELS).meta({ description: "Channel to connect.", example: "telegram" }),
    connection_type: z.string().max(20).nullish().meta({
      description: "Connection type; only the usual type of the channel is accepted.",
      example: "bot",
    }),
    label: line({ max: 120 })
      .nullish()
      .meta({ description: "Label; the name at the provider when omitted.", example: "@kayakahve_bot" }),
    site_ids: siteIds.nullish().meta({ description: "IDs of the sites it serves." }),
    bot_token: secret.nullish().meta({
      description: "Telegram: token of the bot, from BotFather.",
      example: "123456789:AAExampleExampleExampleExampleExample",
    }),
    access_token: secret.nullish().meta({
      description: "WhatsApp, Messenger, Instagram: access token of the Meta app.",
      example: "EAAGexample",
    }),
    waba_id: remote
      .nullish()
      .meta({ description: "WhatsApp: ID of the business account.", example: "102290129340398" }),
    phone_number_id: remote
      .nullish()
      .meta({ description: "WhatsApp: ID of the phone number.", example: "1022901293403981" }),
    page_id: remote
      .nullish()
      .meta({ description: "Messenger: ID of the Facebook page.", example: "110200345" }),
    ig_user_id: remote
      .nullish()
      .meta({ description: "Instagram: ID of the account.", example: "17840000000000001" }),
    base_url: webAddress({ max: 300 }).nullish().meta({
      description: "WhatsApp QR: URL of the Evolution server.",
      example: "https://evolution.example.com",
    }),
    api_key: secret
      .nullish()
      .meta({ description: "WhatsApp QR: API key of the Evolution server.", example: "evolution-key" }),
    instance: remote
      .nullish()
      .meta({ description: "WhatsApp QR: name of the instance.", example: "kayakahve" }),
    account_sid: line({ max: 34 }).nullish().meta({
      description: "SMS and voice: SID of the Twilio account.",
      example: "AC00000000000000000000000000000000",
    }),
    auth_token: secret.nullish().meta({
      description: "SMS and voice: auth token of the Twilio account.",
      example: "a-token-of-twilio",
    }),
    phone_number_sid: line({ max: 34 }).nullish().meta({
      description: "SMS and voice: SID of the Twilio phone number.",
      example: "PN00000000000000000000000000000000",
    }),
    host: mailHost
      .nullish()
      .meta({ description: "E-mail: host name of the IMAP server.", example: "imap.example.com" }),
    port: z
      .int()
      .min(1)
      .max(65535)
      .nullish()
      .meta({ description: "E-mail: port of the IMAP server.", example: 993 }),
    user: line({ max: 255 })
      .nullish()
      .meta({ description: "E-mail: user name.", example: "hello@example.com" }),
    password: mailPassword.nullish().meta({ description: "E-mail: password." }),
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
    "Changes only the fields that are sent. `site_ids` are the owner's sites that the connection serves. `secret` " +
    "replaces the token or key once the provider has accepted it. A connection that is being cleaned up cannot be linked " +
    "or switched on; one whose clean-up has failed can, which ends the clean-up.",
  record: "Connection",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    label: line({ max: 120 }).nullish().meta({ description: "New label.", example: "@kayakahve_bot" }),
    is_active: flag
      .nullish()
      .meta({ description: "True to switch the connection on, false to switch it off." }),
    site_ids: siteIds.nullish().meta({ description: "IDs of the sites it serves." }),
    secret: mailPassword.nullish().meta({
      description: "New token or key, or the password for `email`.",
      example: "123456789:AAExampleExampleExampleExampleExample",
    }),
  }),
  output: z.object({ success, message, connection: Row }),
  errors: ["connection_refused", "connection_in_cleanup"],
});

export const checkConnection = operation({
  id: "checkConnection",
  method: "POST",
  path: "/api/connections/{id}/check",
  ...CHANGE,
  summary: "Check whether a connection works",
  description:
    "Asks the provider without changing anything there. A token counts as dead after two refusals, ten minutes apart.",
  record: "Connection",
  limit: { points: 10, per: 60, by: "account" },
  params: z.object({ id: pathId }),
  output: z.object({ success, message, connection: Row }),
});
