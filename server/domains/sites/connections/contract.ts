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
  line,
  mailHost,
  mailPassword,
  pathUlid,
  queryId,
  queryInt,
  recordId,
  recordUlid,
  SiteLine,
  timestamp,
  webAddress,
} from "@/server/core/schema";
import { CHANNELS, CLEANUP_MAX, CONNECTABLE_CHANNELS, IDLE_LIST_MAX, IDLE_REASONS } from "./policy";

const READ = { tag: "Connections", access: "token" } as const;
const CHANGE = { ...READ, ability: "*" } as const;

const channel = z.string().meta({ example: "telegram" });
export const anyChannel = f.oneOf(CHANNELS, "Channel of the connection.", "telegram");
const label = f.text("Label of the connection.", "@kayakahve_bot");

const IdleConnection = f.named("IdleConnection", "A connection that serves no active site.", {
  channel: channel.meta({ description: "Channel of the connection." }),
  id: recordId,
  label,
  connection_type: f.text("Connection type of the channel.", "bot"),
  reasons: f.list(z.enum(IDLE_REASONS), "Why the connection is idle.", ["no_site"]),
  token_dead: f.boolean("True when the provider no longer accepts the stored token."),
  is_active: f.boolean("True when the connection is switched on."),
  linked_sites: f.list(SiteLine, "Sites the connection serves."),
  owner_user_id: recordId.meta({ description: "ID of the account that owns the connection." }),
  can_manage: f.boolean("True when the caller may change the connection."),
  created_at: createdAt,
});

export const listIdleConnections = operation({
  id: "listIdleConnections",
  method: "GET",
  path: "/api/idle-connections",
  ...READ,
  summary: "List idle connections",
  description: `Connections in the caller's scope that serve no active site, oldest first; connections in use never appear. At most ${IDLE_LIST_MAX}: pass the last ID as \`after\` for the next ones. \`data\` repeats \`connections\`.`,
  query: z.object({
    after: f.nullish(
      queryInt({ min: 0, max: 2_147_483_647 }).meta({ example: "0" }),
      "ID of the last connection already read; the next ones follow.",
    ),
  }),
  output: f.success({
    connections: f.list(IdleConnection, "Idle connections, oldest first."),
    data: f.list(IdleConnection, "Same as `connections`."),
  }),
});

/** Why an item was not cleaned up. */
const Reason = z
  .enum(["not_found", "forbidden", "in_use", "remote_failed", "remote_forbidden", "already_clean", "running"])
  .meta({ example: "in_use" });

const Plan = f.named("CleanupPlan", "Effect that a clean-up would have on a connection.", {
  steps: f.list(z.string(), "Calls to the provider, in order, without secrets.", [
    "POST api.telegram.org/bot{token}/deleteWebhook",
  ]),
  hook: f.oneOf(
    ["ours", "foreign", "none", "unknown"],
    "Webhook currently set at the provider: ours, another one, none, or unknown.",
  ),
  shared: f.boolean(
    "True for the last connection of its provider account: shared settings are removed, too.",
  ),
  siblings: f.list(
    z.object({ id: recordId, label }),
    "Other connections of the same provider account, which stay.",
  ),
  sites: f.list(SiteLine, "Sites that lose this channel."),
});

export const CleanupResult = f.named("CleanupResult", "Result for one connection.", {
  channel: channel.meta({ description: "Channel of the connection, as requested." }),
  id: f.integer("ID of the connection, as requested.", 7),
  ok: f.boolean("True when the connection was cleaned up."),
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
});

const Cleaned = f.success({
  results: f.list(CleanupResult, "One result per item, in the same order."),
  cleaned_count: count.meta({ description: "Number of connections cleaned up." }),
  receipt_id: f.nullable(recordUlid, "ID of the receipt; null in a dry run."),
  dry_run: f.boolean("True when nothing was changed."),
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
          id: f.integer("ID of the connection.", 7),
        }),
      )
      .min(1)
      .max(CLEANUP_MAX)
      .meta({ description: "Connections to clean up." }),
    dry_run: f.nullish(flag, "True to preview the effect without changing anything."),
    background: f.nullish(flag, "True to respond before the clean-up has finished."),
  }),
  output: Cleaned,
});

const ReceiptCall = z.object({
  step: f.text("Step of the clean-up.", "clear"),
  call: f.text(
    "Method and URL of the call, without secrets.",
    "POST api.telegram.org/bot{token}/deleteWebhook",
  ),
  status: f.nullable(z.int(), "HTTP status of the provider; null without a response.", 200),
  code: f.nullable(z.string(), "Error code of the provider; null if it named none.", null),
  outcome: f.text("Result of the call.", "ok"),
  ms: f.integer("Duration in milliseconds.", 84),
  at: timestamp.meta({ description: "When the call was made." }),
});

const ReceiptItem = CleanupResult.omit({ plan: true }).extend({
  label,
  state: f.oneOf(["queued", "running", "ok", "failed", "refused"], "State of the item."),
  attempts: count.meta({ description: "Number of attempts." }),
  next_at: f.nullable(expiry, "When the next attempt starts; null if none is planned."),
  finished_at: f.nullable(timestamp, "When the item was finished; null if not yet."),
  calls: f.list(ReceiptCall, "Calls to the provider, in order."),
});

const ReceiptHead = z.object({
  id: recordUlid,
  cause: f.oneOf(["asked", "site_deleted"], "Why the clean-up was started."),
  asked_by: f.nullable(
    z.object({
      id: recordId,
      name: f.text("Name of the person.", "Ayşe Kaya"),
    }),
    "Account that requested the clean-up; null if none or out of reach.",
  ),
  created_at: createdAt,
  finished_at: f.nullable(timestamp, "When the clean-up was finished; null if not yet."),
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
  output: f.success({
    receipts: f.list(ReceiptHead, "Receipts, newest first."),
    data: f.list(ReceiptHead, "Same as `receipts`."),
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
  output: f.success({
    receipt: ReceiptHead.extend({
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

const Row = f.named("Connection", "A channel connection.", {
  id: recordId,
  channel: anyChannel,
  connection_type: f.text("Connection type of the channel.", "bot"),
  label,
  is_active: f.boolean("True when the connection is switched on."),
  health: f.oneOf(["unknown", "ok", "unreachable", "dead"], "Result of the latest check at the provider."),
  token_dead: f.boolean("True when the provider no longer accepts the stored token."),
  reasons: f.list(z.enum(IDLE_REASONS), "Why the connection is idle; empty when it is in use."),
  cleanup: f.oneOf(["none", "running", "failed"], "State of its clean-up."),
  linked_sites: f.list(SiteLine, "Sites the connection serves."),
  owner: z
    .object({
      id: recordId,
      name: f.text("Name of the account.", "Ayşe Kaya"),
    })
    .meta({ description: "Account that owns the connection." }),
  can_manage: f.boolean("True when the caller may change the connection."),
  secret_last_four: f.nullable(z.string(), "Last four characters of the token or key; null if none.", "8f2a"),
  last_ok_at: f.nullable(timestamp, "When a check last succeeded; null if never."),
  checked_at: f.nullable(timestamp, "When it was last checked; null if never."),
  created_at: createdAt,
});

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
      channel: f.nullish(anyChannel, "Only connections of this channel."),
      state: f.nullish(z.enum(["active", "idle", "dead"]), "Only connections in this state.", "active"),
      site: f.nullish(queryId, "Only connections that serve this site, by its ID."),
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
  output: f.success({ count: count.meta({ description: "Number of connections with a dead token." }) }),
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
    channel: f.oneOf(CONNECTABLE_CHANNELS, "Channel to connect.", "telegram"),
    connection_type: f.nullish(
      z.string().max(20),
      "Connection type; only the usual type of the channel is accepted.",
      "bot",
    ),
    label: f.nullish(line({ max: 120 }), "Label; the name at the provider when omitted.", "@kayakahve_bot"),
    site_ids: f.nullish(siteIds, "IDs of the sites it serves."),
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
    waba_id: f.nullish(remote, "WhatsApp: ID of the business account.", "102290129340398"),
    phone_number_id: f.nullish(remote, "WhatsApp: ID of the phone number.", "1022901293403981"),
    page_id: f.nullish(remote, "Messenger: ID of the Facebook page.", "110200345"),
    ig_user_id: f.nullish(remote, "Instagram: ID of the account.", "17840000000000001"),
    base_url: f.nullish(
      webAddress({ max: 300 }),
      "WhatsApp QR: URL of the Evolution server.",
      "https://evolution.example.com",
    ),
    api_key: f.nullish(secret, "WhatsApp QR: API key of the Evolution server.", "evolution-key"),
    instance: f.nullish(remote, "WhatsApp QR: name of the instance.", "kayakahve"),
    account_sid: f.nullish(
      line({ max: 34 }),
      "SMS and voice: SID of the Twilio account.",
      "AC00000000000000000000000000000000",
    ),
    auth_token: f.nullish(secret, "SMS and voice: auth token of the Twilio account.", "a-token-of-twilio"),
    phone_number_sid: f.nullish(
      line({ max: 34 }),
      "SMS and voice: SID of the Twilio phone number.",
      "PN00000000000000000000000000000000",
    ),
    host: f.nullish(mailHost, "E-mail: host name of the IMAP server.", "imap.example.com"),
    port: f.nullish(z.int().min(1).max(65535), "E-mail: port of the IMAP server.", 993),
    user: f.nullish(line({ max: 255 }), "E-mail: user name.", "hello@example.com"),
    password: f.nullish(mailPassword, "E-mail: password."),
  }),
  status: 201,
  output: f.changed({ connection: Row }),
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
  ...byId("Connection"),
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    label: f.nullish(line({ max: 120 }), "New label.", "@kayakahve_bot"),
    is_active: f.nullish(flag, "True to switch the connection on, false to switch it off."),
    site_ids: f.nullish(siteIds, "IDs of the sites it serves."),
    secret: f.nullish(
      mailPassword,
      "New token or key, or the password for `email`.",
      "123456789:AAExampleExampleExampleExampleExample",
    ),
  }),
  output: f.changed({ connection: Row }),
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
  ...byId("Connection"),
  limit: { points: 10, per: 60, by: "account" },
  output: f.changed({ connection: Row }),
});
