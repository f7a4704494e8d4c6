import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, pageOutput, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  expiry,
  flag,
  id,
  mailHost,
  mailPassword,
  pathUlid,
  phone,
  queryId,
  queryInt,
  recordId,
  recordUlid,
  SiteLine,
  textLine,
  timestamp,
  webAddress,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import {
  CHANNELS,
  CHECK_RETENTION_DAYS,
  CLEANUP_ITEMS_MAX,
  CONNECTABLE_CHANNELS,
  IDLE_LIST_MAX,
  IDLE_REASONS,
} from "./policy";

export { CHANNELS } from "./policy";

const READ = { tag: "Connections", access: "token" } as const;
const WRITE = { ...READ, ability: "*" } as const;

const channel = z.string().meta({ example: "telegram" });
const anyChannel = f.oneOf(CHANNELS, "Channel of the connection.", "telegram");
const label = f.text("Label of the connection.", "@kayakahve_bot");
const IDLE_REASONS_DESCRIPTION =
  "Why the connection is idle. `no_site`: it serves no site. `sites_inactive`: all its sites are " +
  "suspended. `deactivated`: it is switched off.";

const IdleConnection = f.namedObject("IdleConnection", "A connection that serves no active site.", {
  channel: channel.meta({ description: "Channel of the connection." }),
  id: recordId,
  label,
  connection_type: f.text("Method of connection.", "bot"),
  reasons: f.list(z.enum(IDLE_REASONS), IDLE_REASONS_DESCRIPTION, ["no_site"]),
  token_dead: f.boolean("True when the provider rejects the stored token for good."),
  is_active: f.boolean("True when the connection is switched on."),
  linked_sites: f.list(SiteLine, "Sites the connection serves."),
  owner_user_id: recordId.meta({ description: "ID of the account that owns the connection.", example: 12 }),
  can_manage: f.boolean("True when the caller may change and clean up the connection."),
  created_at: createdAt,
});

export const listIdleConnections = operation({
  id: "listIdleConnections",
  method: "GET",
  path: "/api/idle-connections",
  ...READ,
  summary: "List idle connections",
  description: `Returns the connections in the caller's scope that serve no active site or are switched off, except those being cleaned up. Oldest first, at most ${IDLE_LIST_MAX}; pass the last ID as \`after\` to get the next ones.`,
  query: z.object({
    after: f.nullish(
      queryInt({ min: 0, max: 2_147_483_647 }).meta({ example: "0" }),
      "ID of the last connection already read; returns the ones after it.",
    ),
  }),
  output: f.success({
    connections: f.list(IdleConnection, "Idle connections, oldest first."),
    data: f.list(IdleConnection, "Same as `connections`."),
  }),
});

const CleanupReason = z
  .enum(["not_found", "forbidden", "in_use", "remote_failed", "remote_forbidden", "already_clean", "running"])
  .meta({ example: "remote_failed" });

const CleanupPlan = f.namedObject("CleanupPlan", "Effect that a clean-up would have on a connection.", {
  steps: f.list(z.string(), "Calls to the provider, in order, without secrets.", [
    "POST api.telegram.org/bot{token}/deleteWebhook",
  ]),
  hook: f.oneOf(
    ["ours", "foreign", "none", "unknown"],
    "Webhook set at the provider. `ours`: it calls us. `foreign`: it calls another URL and is kept. " +
      "`none`: none is set. `unknown`: it could not be read.",
  ),
  shared: f.boolean(
    "True for the last connection of a provider account: the clean-up also removes account-wide settings.",
    false,
  ),
  siblings: f.list(
    z.object({
      id: recordId.meta({ description: "ID of the connection.", example: 8 }),
      label: f.text("Label of the connection.", "@kayakahve_destek_bot"),
    }),
    "Other connections of the same provider account. They are kept.",
  ),
  sites: f.list(SiteLine, "Sites that lose this channel."),
});

export const CleanupResult = f.namedObject("CleanupResult", "Result for one connection.", {
  channel: channel.meta({ description: "Channel of the connection, as requested." }),
  id: f.integer("ID of the connection, as requested.", 7),
  ok: f.boolean("True when the connection was cleaned up.", false),
  reason: CleanupReason.optional().meta({
    description:
      "Why the connection was not cleaned up; absent on success. `not_found`: it does not exist, or the " +
      "caller may not see it. `forbidden`: the caller may not manage it. `in_use`: it serves an active " +
      "site. `running`: its clean-up is not finished. `remote_failed`: the provider failed. " +
      "`remote_forbidden`: the provider rejects the clean-up until its settings are changed there. " +
      "`already_clean`: it was cleaned up before.",
  }),
  retryable: z
    .boolean()
    .optional()
    .meta({
      description:
        "True when jobs continue the clean-up or a retry may succeed; otherwise absent. Absent for " +
        "`remote_forbidden`, which can be retried once the provider's settings are changed.",
      example: true,
    }),
  token_dead: z.boolean().optional().meta({
    description: "True when the provider rejected the token, so nothing could be removed there.",
    example: false,
  }),
  plan: CleanupPlan.optional().meta({ description: "Effect of a clean-up; in a dry run only." }),
});

const CleanupResponse = f.success({
  results: f.list(CleanupResult, "One result per item, in the order of the clean-up request.", [
    { channel: "telegram", id: 7, ok: false, reason: "remote_failed", retryable: true },
  ]),
  cleaned_count: count.meta({
    description: "Number of connections of this clean-up that are cleaned up so far.",
    example: 0,
  }),
  receipt_id: f.nullable(recordUlid, "ID of the clean-up and its receipt; null in a dry run."),
  dry_run: f.boolean("True when nothing was changed.", false),
});

export const cleanConnections = operation({
  id: "cleanConnections",
  method: "POST",
  path: "/api/idle-connections/cleanup",
  ...WRITE,
  summary: "Clean up idle connections",
  description:
    "Removes each connection for good: our settings at the provider, its links to sites, and the " +
    "connection itself. Each item gets its own result, in the order of the request; a repeated item is " +
    "processed once. A connection is kept if it is in use, does not exist or may not be managed by the " +
    "caller; `reason` says which. Jobs complete items that fail temporarily or take longer than 55 " +
    "seconds: their `retryable` is true, and the receipt shows the result later. With `dry_run` " +
    "nothing changes and `plan` shows the effect.",
  ability: "connections:cleanup",
  limit: { points: 30, per: 60, by: "account", durable: true },
  body: z.object({
    items: z
      .array(
        z.object({
          channel: textLine({ max: 40 }).meta({
            description: "Channel of the connection.",
            example: "telegram",
          }),
          id: f.integer("ID of the connection.", 7),
        }),
      )
      .min(1)
      .max(CLEANUP_ITEMS_MAX)
      .meta({ description: "Connections to clean up, at most 100." }),
    dry_run: f.nullish(flag, "True to return the effect without changing anything."),
    background: f.nullish(flag, "True to respond immediately and clean up in jobs."),
  }),
  output: CleanupResponse,
});

const ReceiptCall = z.object({
  step: f.text(
    "Step of the clean-up: `compare`, `clear`, `verify` or `shared` (settings of the whole provider " +
      "account).",
    "clear",
  ),
  call: f.text(
    "Method, host and path of the call, without secrets.",
    "POST api.telegram.org/bot{token}/deleteWebhook",
  ),
  status: f.nullable(z.int(), "HTTP status of the response; null if there was none.", 200),
  code: f.nullable(
    z.string(),
    "Error code of the provider, or the kind of network failure; null if none.",
    null,
  ),
  outcome: f.text(
    "Result of the call. `ok`: done. `gone`: nothing was set. `not_ours`: another URL is set and was left " +
      "unchanged. `dead`: the token is rejected. `retry`: failed temporarily. `forbidden`: not allowed.",
    "ok",
  ),
  ms: f.integer("Duration in milliseconds.", 84),
  at: timestamp.meta({ description: "When the call was made." }),
});

const ReceiptItem = CleanupResult.omit({ plan: true }).extend({
  label,
  state: f.oneOf(
    ["queued", "running", "ok", "failed", "refused"],
    "State of the item. `queued`: not started. `running`: in progress. `ok`: cleaned up. `failed`: see " +
      "`reason` and `next_at`. `refused`: see `reason`.",
  ),
  attempts: count.meta({ description: "Number of attempts." }),
  next_at: f.nullable(expiry, "When the next attempt starts; null if none is scheduled."),
  finished_at: f.nullable(timestamp, "When the item was finished; null if it is open."),
  calls: f.list(ReceiptCall, "Calls to the provider, in order."),
});

/** A receipt belongs to a row of `cleanup_runs`: the code calls it a run. */
const ReceiptSummary = z.object({
  id: recordUlid,
  cause: f.oneOf(
    ["asked", "site_deleted"],
    "Why the clean-up was started. `asked`: an account requested it. `site_deleted`: the last site of " +
      "the connections was deleted.",
  ),
  asked_by: f.nullable(
    z.object({
      id: recordId.meta({ description: "ID of the account.", example: 12 }),
      name: f.text("Name of the account.", "Ayşe Kaya"),
    }),
    "Account that requested the clean-up; null if none, deleted, or hidden from the caller.",
  ),
  created_at: createdAt,
  finished_at: f.nullable(timestamp, "When all items were finished; null if some are open."),
  counts: z
    .object({
      ok: count.meta({ description: "Items cleaned up." }),
      refused: count.meta({ description: "Items refused." }),
      failed: count.meta({ description: "Items failed." }),
      open: count.meta({ description: "Items queued or running." }),
    })
    .meta({ description: "Number of items by result." }),
});

export const listCleanups = operation({
  id: "listCleanups",
  method: "GET",
  path: "/api/connection-cleanups",
  ...READ,
  summary: "List clean-up receipts",
  description:
    "The latest 100 clean-ups, newest first, that the caller requested or that contain connections of " +
    "accounts that the caller manages.",
  output: f.success({
    receipts: f.list(ReceiptSummary, "Receipts, newest first."),
    data: f.list(ReceiptSummary, "Same as `receipts`."),
  }),
});

export const getCleanup = operation({
  id: "getCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}",
  ...READ,
  summary: "Get a clean-up receipt",
  description:
    "Items with their calls, without secrets. Items of accounts that the caller can no longer manage have " +
    "no label and no calls.",
  record: "ConnectionCleanup",
  params: z.object({ id: pathUlid }),
  output: f.success({
    receipt: ReceiptSummary.extend({
      items: f.list(ReceiptItem, "Items of the clean-up."),
    }).meta({ description: "Receipt of the clean-up." }),
  }),
});

export const downloadCleanup = operation({
  id: "downloadCleanup",
  method: "GET",
  path: "/api/connection-cleanups/{id}/csv",
  ...READ,
  viewAs: false,
  summary: "Download a clean-up receipt as a CSV file",
  description: "One row per call. An item without calls has one row.",
  record: "ConnectionCleanup",
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
    "Only the account that requested the clean-up can retry it; 403 for other accounts. Refused items, " +
    "such as `in_use`, are not retried. Neither are items of accounts that the caller can no longer " +
    "manage: their reason becomes `forbidden`. The call waits at most 55 seconds, then jobs complete the " +
    "items. Returns all items of the clean-up.",
  ability: "connections:cleanup",
  record: "ConnectionCleanup",
  limit: { points: 10, per: 60, by: "account" },
  params: z.object({ id: pathUlid }),
  output: CleanupResponse,
});

export const Connection = f.namedObject("Connection", "A channel connection.", {
  id: recordId,
  channel: anyChannel,
  connection_type: f.text("Method of connection.", "bot"),
  label,
  address: f.nullable(
    z.string(),
    "Address at the provider that visitors write to or call: @name of a bot or account, phone number, mailbox or ID of a page; null if unknown.",
    "@kayakahve_bot",
  ),
  is_active: f.boolean("True when the connection is switched on."),
  health: f.oneOf(
    ["unknown", "ok", "unreachable", "dead"],
    "Result of the latest check. `unknown`: not checked. `ok`: works. `unreachable`: the check failed. " +
      "`dead`: the provider refused the token twice.",
  ),
  token_dead: f.boolean("True when the provider rejects the stored token for good."),
  reasons: f.list(z.enum(IDLE_REASONS), `${IDLE_REASONS_DESCRIPTION} Empty when the connection is in use.`),
  cleanup: f.oneOf(
    ["none", "running", "failed"],
    "Clean-up of the connection. `none`: none started. `running`: in progress. `failed`: failed; jobs " +
      "retry it, or it can be requested again.",
  ),
  linked_sites: f.list(SiteLine, "Sites the connection serves."),
  owner: z
    .object({
      id: recordId.meta({ description: "ID of the account.", example: 12 }),
      name: f.text("Name of the account.", "Ayşe Kaya"),
    })
    .meta({ description: "Account that owns the connection." }),
  can_manage: f.boolean("True when the caller may change and clean up the connection."),
  secret_last_four: f.nullable(z.string(), "Last four characters of the token or key; null if none.", "8f2a"),
  last_ok_at: f.nullable(
    timestamp,
    "When a check last succeeded or the provider last called our webhook; null if never.",
  ),
  checked_at: f.nullable(timestamp, "When the connection was last checked; null if never."),
  created_at: createdAt,
});

export const listConnections = operation({
  id: "listConnections",
  method: "GET",
  path: "/api/connections",
  ...READ,
  summary: "List channel connections",
  description: "Connections in the caller's scope, newest first by default. `q` searches the label.",
  query: listFilter({
    sorts: ["label", "created_at"],
    filters: {
      channel: f.nullish(anyChannel, "Only connections of this channel."),
      state: f.nullish(
        z.enum(["active", "idle", "dead"]),
        "Only connections in this state. `active`: switched on and serves an active site. `idle`: all " +
          "others. `dead`: the token is dead.",
        "active",
      ),
      site: f.nullish(queryId, "ID of a site: only connections that serve it."),
    },
  }).extend(pageQuery.shape),
  output: pageOutput("connections", Connection, "Connections on this page."),
});

export const getConnection = operation({
  id: "getConnection",
  method: "GET",
  path: "/api/connections/{id}",
  ...READ,
  summary: "Get a channel connection",
  ...byId("Connection"),
  output: f.success({ connection: Connection, data: Connection }),
});

export const CONNECTION_PERIODS = ["30d", "24h", "7d", "90d"] as const;

export const getConnectionSeries = operation({
  id: "getConnectionSeries",
  method: "GET",
  path: "/api/connections/series",
  ...READ,
  summary: "Get checks of connections over time",
  description:
    "Counts checks of the stored credentials at the provider, in the interval in which they were made. Connections in use are checked " +
    `about every six hours, others once a day. Checks are kept for ${CHECK_RETENTION_DAYS} days, and as long as their connection exists.`,
  query: seriesQuery({
    periods: CONNECTION_PERIODS,
    filters: {
      connection_id: f.nullish(queryId, "Only this connection; all in the caller's scope when omitted."),
    },
  }),
  output: f.success({
    data: series("ConnectionSeries", "Checks of connections over time.", {
      ok: "checks that the provider accepted.",
      unreachable: "checks without a usable response.",
      dead: "checks in which the provider refused the token.",
    }),
  }),
  errors: ["record_not_found"],
});

export const DEAD_CONNECTIONS_MAX = 5;

export const countDeadConnections = operation({
  id: "countDeadConnections",
  method: "GET",
  path: "/api/connections/dead",
  ...READ,
  summary: "List the caller's connections with a dead token",
  description:
    "A token counts as dead after its provider refused it twice, at least ten minutes apart. Team agents get the " +
    "connections of their site.",
  output: f.success({
    count: count.meta({ description: "Number of connections with a dead token." }),
    connections: f.list(
      z.object({
        id: recordId,
        channel: anyChannel,
        label,
        dead_since: timestamp.meta({ description: "When its token was found dead." }),
        contact: f.nullable(
          z.object({
            name: f.text("Name of the account that can reconnect it.", "Ayşe Kaya"),
            email: f.text("Email address of the account that can reconnect it."),
          }),
          "Account that can reconnect it; null when it is the caller.",
          null,
        ),
      }),
      `At most ${DEAD_CONNECTIONS_MAX} of them, newest failure first.`,
    ),
  }),
});

const lineMatching = (pattern: RegExp, max: number, min = 1) =>
  textLine({ min, max }).refine((value) => pattern.test(value), { error: "validation.text" });
const secret = lineMatching(/^[\x21-\x7e]+$/, 1000, 8);
const remoteId = lineMatching(/^[\w-]+$/, 64);
const siteIds = z.array(id).max(100);

export const createConnection = operation({
  id: "createConnection",
  method: "POST",
  path: "/api/connections",
  ...WRITE,
  summary: "Connect a channel",
  description:
    "Checks the credentials at the provider, then sets our webhook there. Fields by channel: `telegram`: " +
    "bot_token. `whatsapp`: waba_id, phone_number_id, access_token. `messenger`: page_id, access_token. " +
    "`instagram`: ig_user_id, access_token. `whatsapp_qr`: base_url, api_key, instance. `sms` and `voice`: " +
    "account_sid, auth_token, phone_number_sid. `email`: host, user, password, port. `web_chat`: site_ids " +
    "with one site.",
  limit: { points: 20, per: 3600, by: "account", durable: true },
  body: z.object({
    channel: f.oneOf(CONNECTABLE_CHANNELS, "Channel to connect.", "telegram"),
    connection_type: f.nullish(
      z.string().max(20),
      "Method of connection. Each channel accepts one value only.",
      "bot",
    ),
    label: f.nullish(textLine({ max: 120 }), "Label. Default: the name at the provider.", "@kayakahve_bot"),
    site_ids: f.nullish(siteIds, "IDs of the caller's sites that the connection will serve, at most 100."),
    bot_token: f.nullish(
      secret,
      "Telegram: token of the bot, from BotFather.",
      "123456789:AAExampleExampleExampleExampleExample",
    ),
    access_token: f.nullish(
      secret,
      "WhatsApp, Messenger, Instagram: access token of the Meta app.",
      "EAAGexample",
    ),
    waba_id: f.nullish(remoteId, "WhatsApp: ID of the business account.", "102290129340398"),
    phone_number_id: f.nullish(remoteId, "WhatsApp: ID of the phone number.", "1022901293403981"),
    page_id: f.nullish(remoteId, "Messenger: ID of the Facebook page.", "110200345"),
    ig_user_id: f.nullish(remoteId, "Instagram: ID of the account.", "17840000000000001"),
    base_url: f.nullish(
      webAddress({ max: 300 }),
      "WhatsApp QR: URL of the Evolution server.",
      "https://evolution.example.com",
    ),
    api_key: f.nullish(secret, "WhatsApp QR: API key of the Evolution server.", "evolution-key"),
    instance: f.nullish(remoteId, "WhatsApp QR: name of the instance.", "kayakahve"),
    account_sid: f.nullish(
      textLine({ max: 34 }),
      "SMS and voice: SID of the Twilio account.",
      "AC00000000000000000000000000000000",
    ),
    auth_token: f.nullish(secret, "SMS and voice: auth token of the Twilio account.", "a-token-of-twilio"),
    phone_number_sid: f.nullish(
      textLine({ max: 34 }),
      "SMS and voice: SID of the Twilio phone number.",
      "PN00000000000000000000000000000000",
    ),
    host: f.nullish(mailHost, "Email: host name of the IMAP server.", "imap.example.com"),
    port: f.nullish(
      z.int().min(1).max(65535),
      "Email: port of the IMAP server, 993 (TLS, default) or 143 (STARTTLS).",
      993,
    ),
    user: f.nullish(textLine({ max: 255 }), "Email: user name.", "hello@example.com"),
    password: f.nullish(mailPassword, "Email: password."),
  }),
  status: 201,
  output: f.changeOutput({ connection: Connection }),
  errors: ["connection_refused", "connection_in_cleanup"],
});

export const updateConnection = operation({
  id: "updateConnection",
  method: "PUT",
  path: "/api/connections/{id}",
  ...WRITE,
  summary: "Update a connection",
  description:
    "Omitted fields stay unchanged. A connection that is being cleaned up cannot be linked or switched on. " +
    "Switching on a connection whose clean-up failed cancels the clean-up. Switching on and a new secret " +
    "set our webhook again; if the provider refuses it, the connection is switched off.",
  ...byId("Connection"),
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    label: f.nullish(textLine({ max: 120 }), "New label.", "@kayakahve_bot"),
    is_active: f.nullish(flag, "True to switch the connection on, false to switch it off."),
    site_ids: f.nullish(
      siteIds,
      "IDs of the owner's sites that the connection serves, at most 100. Replaces all previous links.",
    ),
    secret: f.nullish(
      mailPassword,
      "New token or key; for `email`, the password. Stored only if the provider accepts it for the same " +
        "bot, number, page or mailbox; for another one, the reason is `other_account`.",
      "123456789:AAExampleExampleExampleExampleExample",
    ),
  }),
  output: f.changeOutput({ connection: Connection }),
  errors: ["connection_refused", "connection_in_cleanup"],
});

export const checkConnection = operation({
  id: "checkConnection",
  method: "POST",
  path: "/api/connections/{id}/check",
  ...WRITE,
  summary: "Check a connection",
  description:
    "Checks the credentials without changes at the provider. A token counts as dead after two refusals at " +
    "least ten minutes apart.",
  ...byId("Connection"),
  limit: { points: 10, per: 60, by: "account" },
  output: f.changeOutput({ connection: Connection }),
});

export const sendTestMessage = operation({
  id: "sendTestMessage",
  method: "POST",
  path: "/api/connections/{id}/test-message",
  ...WRITE,
  summary: "Send a test message",
  description:
    "Sends one message from the connection to a phone number, for the channels `whatsapp` (the template " +
    "`hello_world`), `whatsapp_qr` and `sms`. The connection must be active and its token valid. The " +
    "number is not stored.",
  ...byId("Connection"),
  limit: { points: 10, per: 3600, by: "account", durable: true },
  body: z.object({
    to: phone.meta({
      description: "Phone number that gets the message. Numbers without a country code are Turkish.",
      example: "+905321234567",
    }),
  }),
  labels: { to: "phone" },
  output: f.changeOutput({}),
  errors: ["test_message_refused"],
});
