import { createHmac, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import pg from "pg";
import { ulid } from "ulid";
import { request as ask } from "undici";
import type { Context, UserActor } from "@/server/core/context";
import "@/server/domains";
import { dispatchDeliveries } from "@/server/domains/accounts/webhooks/service/dispatcher";
import { createWebhookSecret } from "@/server/domains/accounts/webhooks/service/sign";
import { ensureDefaultPlans } from "@/server/domains/billing/subscriptions/service/plans";
import { buildNewSite } from "@/server/domains/sites/sites/service/create";
import { insertSite } from "@/server/domains/sites/sites/statements";
import { bindSlotLockForNewSite } from "@/server/domains/sites/slots/service";
import { prisma } from "@/server/infrastructure/database/client";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { inOneRoundTrip, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { serveRequest } from "@/server/transports/rest/serve-request";
import { connectDatabase, runSql } from "./environment";
import { median } from "./measure";
import { startLocalServer } from "./sandboxes";
import { formatNumber, yesOrNo } from "./table";

const CREATION_COUNT = 200;
const DELIVERY_COUNT = 1500;
const ENDPOINT_COUNT = 20;
const MANY_DELIVERY_COUNT = 10_000;

/** Received webhooks. Paths with `hang` get no response until `isReleased`. */
const arrivals: Array<{ path: string; at: number }> = [];
const hangingResponses = new Set<ServerResponse>();
let isReleased = false;
let receiverUrl = "";

const EVENT_SQL_PATTERN = /event as \([\s\S]*?returning id\)/;

let databaseUrl = "";
let siteCount = 0;

/** Measures the cost of an event, deliveries per second, and delays while endpoints hang, in this process. */
export default async function measureWebhooks(): Promise<string[][]> {
  receiverUrl = await startLocalServer((req, res) => {
    req.resume().on("end", () => {
      arrivals.push({ path: req.url!, at: performance.now() });
      if (req.url!.includes("hang") && !isReleased) hangingResponses.add(res);
      else res.writeHead(204).end();
    });
  });
  Object.assign(process.env, { APP_MODE: "demo", OUTBOUND_TRUSTED: receiverUrl, LOG_LEVEL: "error" });
  databaseUrl = await connectDatabase(migrateDatabase);
  await runSql(
    databaseUrl,
    `insert into users (name, email, email_key, role, email_verified_at)
     select 'Ayşe ' || i, 'p' || i || '@example.com', 'p' || i || '@example.com',
            (case i when 1 then 'admin' else 'user' end)::"Role", now() from generate_series(1, 1000) i`,
  );
  await ensureDefaultPlans(withoutTransaction());
  for (const userId of [2, 3])
    await runSql(
      databaseUrl,
      `insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
       select ${userId}, id, name, price, monthly_credits, 'active', 100000, now(), now() + interval '1 year'
         from subscription_plans order by id limit 1`,
    );
  const header = ["row", "measured", "compared with", "ratio", "target", "holds"];
  return [
    header,
    ...(await measureCreations()),
    await measureDeliveries(),
    await measureDelay(),
    await measureManyDeliveries(),
  ];
}

async function createEndpoint(userId: number, path: string): Promise<number> {
  const { secret: _, ...sealedSecret } = createWebhookSecret();
  const endpointUrl = `${receiverUrl}/${path}`;
  const { id } = await prisma().webhookEndpoint.create({
    data: { userId, url: endpointUrl, urlHash: hashSecret(endpointUrl), events: [], ...sealedSecret },
    select: { id: true },
  });
  return id;
}

async function timeRoundTrip(userId: number, hasEvent: boolean): Promise<number> {
  const caller = { actor: { id: userId }, ip: "127.0.0.1", userAgent: null, requestId: "" };
  const domain = `site${++siteCount}.example.com`;
  const statement = insertSite.bindParams(
    buildNewSite(caller as Context<UserActor>, { name: "Kaya", domain }),
  );
  const emptyEvent = `event as (select where $${statement.values!.length}::text is null)`;
  const statementWithoutEvent = {
    ...statement,
    name: "without_event",
    text: statement.text.replace(EVENT_SQL_PATTERN, emptyEvent),
  };
  const startedAt = performance.now();
  await inOneRoundTrip(bindSlotLockForNewSite(userId), hasEvent ? statement : statementWithoutEvent);
  return performance.now() - startedAt;
}

async function timeRequest(token: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ name: "Kaya", domain: `site${++siteCount}.example.com` }));
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": String(body.length),
    host: "localhost:3000",
  };
  const startedAt = performance.now();
  const { status } = await serveRequest({
    method: "POST",
    pathname: "/api/sites",
    search: "",
    header: (name) => headers[name] ?? null,
    ip: "127.0.0.1",
    isComplete: async () => true,
    readBody: async () => body,
    streamBody: () => Readable.from([body]),
  });
  if (status !== 201) throw new Error(`a creation returned ${status}`);
  return performance.now() - startedAt;
}

async function measureCreations(): Promise<string[][]> {
  await createEndpoint(3, "quiet");
  const token = createToken("dsu");
  await runSql(
    databaseUrl,
    `insert into access_tokens (user_id, kind, name, token_hash, last_four, last_used_at, expires_at)
     values (2, 'sign_in', 'bench', '\\x${hashSecret(token).toString("hex")}', 'abcd', now(), now() + interval '1 day')`,
  );
  const figures: Record<string, number[]> = { noEvent: [], noEndpoint: [], oneEndpoint: [], request: [] };
  for (let turn = 0; turn < CREATION_COUNT + 20; turn++) {
    const times = {
      noEvent: await timeRoundTrip(2, false),
      noEndpoint: await timeRoundTrip(2, true),
      oneEndpoint: await timeRoundTrip(3, true),
      request: await timeRequest(token),
    };
    for (const [name, time] of Object.entries(times)) if (turn >= 20) figures[name]!.push(time);
  }
  const [noEventMs, noEndpointMs, oneEndpointMs, requestMs] = Object.values(figures).map(median) as [
    number,
    number,
    number,
    number,
  ];
  await runSql(databaseUrl, "truncate webhook_events cascade; delete from webhook_endpoints");
  const msWithoutEvent = requestMs - (noEndpointMs - noEventMs);
  return [
    ["creation of a site, no endpoint, ms", msWithoutEvent + (noEndpointMs - noEventMs)] as const,
    ["creation of a site, one endpoint, ms", msWithoutEvent + (oneEndpointMs - noEventMs)] as const,
  ].map(([name, time]) => {
    const ratio = time / msWithoutEvent;
    return [
      name,
      formatNumber(time),
      formatNumber(msWithoutEvent),
      formatNumber(ratio),
      "1.05",
      yesOrNo(ratio <= 1.05),
    ];
  });
}

async function insertDeliveries(prefix: string, endpointCount: number, count: number): Promise<void> {
  const ids: number[] = [];
  for (let index = 0; index < endpointCount; index++)
    ids.push(await createEndpoint(100 + index, `${prefix}${index}`));
  await runSql(
    databaseUrl,
    `insert into webhook_events (id, type, body, audience)
     select 'msg_${ulid()}' || i, 'site.created', '{"type":"site.created","data":{"id":' || i || '}}', '{}'
       from generate_series(1, ${count}) i;
     insert into webhook_deliveries (endpoint_id, event_id, next_at)
     select (array[${ids}])[1 + i % ${ids.length}], id, now()
       from (select id, row_number() over ()::int as i from webhook_events v
              where not exists (select from webhook_deliveries d where d.event_id = v.id)) e;
     analyze webhook_deliveries, webhook_endpoints, webhook_events`,
  );
}

async function measureDeliveries(): Promise<string[]> {
  await insertDeliveries("bulk", ENDPOINT_COUNT, DELIVERY_COUNT);
  const startedAt = performance.now();
  await dispatchDeliveries();
  const ownRate = DELIVERY_COUNT / ((performance.now() - startedAt) / 1000);
  const failedCount = await prisma().webhookDelivery.count({ where: { state: { not: "delivered" } } });
  if (failedCount > 0) throw new Error(`${failedCount} were not delivered`);
  const handWrittenRate = await runHandWritten();
  const rateRatio = ownRate / handWrittenRate;
  const verdict = yesOrNo(ownRate >= 300 && rateRatio >= 0.6);
  return [
    "deliveries a second",
    formatNumber(ownRate),
    formatNumber(handWrittenRate),
    formatNumber(rateRatio),
    "300, 0.6",
    verdict,
  ];
}

/** Minimal safe baseline: 50 workers claim a row under its lock, sign, send and record. */
async function runHandWritten(): Promise<number> {
  await runSql(
    databaseUrl,
    `create table outgoing as select v.id, v.body, e.url from webhook_events v
       join webhook_deliveries d on d.event_id = v.id join webhook_endpoints e on e.id = d.endpoint_id;
     alter table outgoing add done_at timestamptz, add claimed_at timestamptz, add status int;
     create index on outgoing (id) where done_at is null and claimed_at is null`,
  );
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const key = randomBytes(32);
  const startedAt = performance.now();
  const runWorker = async () => {
    for (;;) {
      const { rows } = await pool.query(
        `update outgoing set claimed_at = now() where id =
           (select id from outgoing where done_at is null and claimed_at is null limit 1 for update skip locked)
         returning id, url, body`,
      );
      const [message] = rows;
      if (!message) return;
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = createHmac("sha256", key)
        .update(`${message.id}.${timestamp}.${message.body}`)
        .digest("base64");
      const headers = {
        "content-type": "application/json",
        "webhook-id": message.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": `v1,${signature}`,
      };
      const { statusCode, body } = await ask(message.url, {
        method: "POST",
        headers,
        body: message.body,
      });
      await body.dump();
      await pool.query("update outgoing set done_at = now(), status = $2 where id = $1", [
        message.id,
        statusCode,
      ]);
    }
  };
  await Promise.all(Array.from({ length: 50 }, runWorker));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.end();
  return DELIVERY_COUNT / seconds;
}

async function measureArrivals(count: number): Promise<number[]> {
  arrivals.length = 0;
  isReleased = false;
  const listQuickArrivals = () => arrivals.filter(({ path }) => path.startsWith("/quick"));
  const startedAt = performance.now();
  // The dispatcher returns after a minute even if deliveries remain.
  const dispatchPromise = (async () => {
    do await dispatchDeliveries();
    while (listQuickArrivals().length < count);
  })();
  while (listQuickArrivals().length < count) await new Promise((resolve) => setTimeout(resolve, 50));
  const delays = listQuickArrivals().map(({ at }) => (at - startedAt) / 1000);
  isReleased = true;
  for (const res of hangingResponses) res.writeHead(204).end();
  hangingResponses.clear();
  await dispatchPromise;
  await runSql(databaseUrl, "truncate webhook_events cascade; delete from webhook_endpoints");
  return delays.sort((a, b) => a - b);
}

async function measureDelay(): Promise<string[]> {
  await runSql(databaseUrl, "truncate webhook_events cascade; delete from webhook_endpoints");
  await insertDeliveries("hang", 2, 40);
  await insertDeliveries("quick", 18, 180);
  const medianDelay = median(await measureArrivals(180));
  return [
    "others’ delay beside hanging endpoints, s",
    formatNumber(medianDelay),
    "",
    "",
    "1",
    yesOrNo(medianDelay <= 1),
  ];
}

async function measureManyDeliveries(): Promise<string[]> {
  const quickCount = MANY_DELIVERY_COUNT - MANY_DELIVERY_COUNT / ENDPOINT_COUNT;
  const measureP99 = async () => (await measureArrivals(quickCount))[Math.floor(quickCount * 0.99)]!;
  await insertDeliveries("quick", ENDPOINT_COUNT - 1, quickCount);
  const p99Alone = await measureP99();
  await insertDeliveries("hang", 1, MANY_DELIVERY_COUNT / ENDPOINT_COUNT);
  await insertDeliveries("quick", ENDPOINT_COUNT - 1, quickCount);
  const p99BesideHanging = await measureP99();
  const ratio = p99BesideHanging / p99Alone;
  const figures = [formatNumber(p99BesideHanging), formatNumber(p99Alone), formatNumber(ratio)];
  return ["others’ p99 of 10,000, one hangs, s", ...figures, "1.2", yesOrNo(ratio <= 1.2)];
}
