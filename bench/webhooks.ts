import { createHmac, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import pg from "pg";
import { ulid } from "ulid";
import { request as ask } from "undici";
import type { Context, UserActor } from "@/server/core/context";
import "@/server/domains";
import { pump } from "@/server/domains/accounts/webhooks/service/pump";
import { newSecret } from "@/server/domains/accounts/webhooks/service/sign";
import { ensurePlans } from "@/server/domains/billing/subscriptions/service/plans";
import { newSite } from "@/server/domains/sites/sites/service/create";
import { insertSite } from "@/server/domains/sites/sites/statements";
import { newSiteLock } from "@/server/domains/sites/slots/service";
import { prisma } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { inOneTrip, outside } from "@/server/infrastructure/database/transaction";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { serve } from "@/server/transports/rest/run";
import { connectDatabase, sqlAt } from "./environment";
import { median } from "./measure";
import { listen } from "./sandboxes";
import { holds, short } from "./table";

const CREATIONS = 200;
const DELIVERIES = 1500;
const ENDPOINTS = 20;
const CROWD = 10_000;

/** When each message came, by the number in its path; paths with `hang` are never answered. */
const arrivals: Array<{ path: string; at: number }> = [];
const hanging = new Set<ServerResponse>();
let over = false;
let url = "";

/** The part of the creating statement that writes the event. */
const EVENT = /event as \([\s\S]*?returning id\)/;

let database = "";
let sites = 0;

/**
 * Measures the cost of an event for the creation of a site, with and without an endpoint; deliveries a second to a local
 * receiver, compared with a hand-written loop that does the least a safe delivery can; and the delay of other deliveries while
 * one endpoint in ten hangs. Runs in this process, without HTTP of its own.
 */
export default async function webhooks(): Promise<string[][]> {
  url = await listen((req, res) => {
    req.resume().on("end", () => {
      arrivals.push({ path: req.url!, at: performance.now() });
      if (req.url!.includes("hang") && !over) hanging.add(res);
      else res.writeHead(204).end();
    });
  });
  Object.assign(process.env, { APP_MODE: "demo", OUTBOUND_TRUSTED: url, LOG_LEVEL: "error" });
  database = await connectDatabase(migrate);
  await sqlAt(
    database,
    `insert into users (name, email, email_key, role, email_verified_at)
     select 'Ayşe ' || i, 'p' || i || '@example.com', 'p' || i || '@example.com',
            (case i when 1 then 'admin' else 'user' end)::"Role", now() from generate_series(1, 1000) i`,
  );
  await ensurePlans(outside());
  for (const userId of [2, 3])
    await sqlAt(
      database,
      `insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
       select ${userId}, id, name, price, monthly_credits, 'active', 100000, now(), now() + interval '1 year'
         from subscription_plans order by id limit 1`,
    );
  const head = ["row", "measured", "compared with", "ratio", "target", "holds"];
  return [head, ...(await creations()), await deliveries(), await others(), await crowd()];
}

async function endpoint(userId: number, path: string): Promise<number> {
  const { secret: _, ...sealed } = newSecret();
  const address = `${url}/${path}`;
  const { id } = await prisma().webhookEndpoint.create({
    data: { userId, url: address, urlHash: digest(address), events: [], ...sealed },
    select: { id: true },
  });
  return id;
}

/** Milliseconds of the one trip of a creation, as the service sends it: with its event, or without. */
async function trip(userId: number, withEvent: boolean): Promise<number> {
  const caller = { actor: { id: userId }, ip: "127.0.0.1", userAgent: null, requestId: "" };
  const domain = `site${++sites}.example.com`;
  const bound = insertSite.with(newSite(caller as Context<UserActor>, { name: "Kaya", domain }));
  const event = `event as (select where $${bound.values!.length}::text is null)`;
  const without = { ...bound, name: "without_event", text: bound.text.replace(EVENT, event) };
  const begun = performance.now();
  await inOneTrip(newSiteLock(userId), withEvent ? bound : without);
  return performance.now() - begun;
}

/** Milliseconds of `POST /api/sites` as REST serves it, without a socket. */
async function request(token: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ name: "Kaya", domain: `site${++sites}.example.com` }));
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": String(body.length),
    host: "localhost:3000",
  };
  const begun = performance.now();
  const { status } = await serve({
    method: "POST",
    pathname: "/api/sites",
    search: "",
    header: (name) => headers[name] ?? null,
    ip: "127.0.0.1",
    isWhole: async () => true,
    body: async () => body,
    stream: () => Readable.from([body]),
  });
  if (status !== 201) throw new Error(`a creation answered ${status}`);
  return performance.now() - begun;
}

/** In turns, because machines are noisy: an account that nobody listens to, and one with an endpoint. */
async function creations(): Promise<string[][]> {
  await endpoint(3, "quiet");
  const token = newToken("dsu");
  await sqlAt(
    database,
    `insert into access_tokens (user_id, kind, name, token_hash, last_four, last_used_at, expires_at)
     values (2, 'sign_in', 'bench', '\\x${digest(token).toString("hex")}', 'abcd', now(), now() + interval '1 day')`,
  );
  const figures: Record<string, number[]> = { plain: [], unheard: [], heard: [], whole: [] };
  for (let turn = 0; turn < CREATIONS + 20; turn++) {
    const times = {
      plain: await trip(2, false),
      unheard: await trip(2, true),
      heard: await trip(3, true),
      whole: await request(token),
    };
    for (const [name, time] of Object.entries(times)) if (turn >= 20) figures[name]!.push(time);
  }
  const [plain, unheard, heard, whole] = ["plain", "unheard", "heard", "whole"].map((name) =>
    median(figures[name]!),
  ) as [number, number, number, number];
  await sqlAt(database, "truncate webhook_events cascade; delete from webhook_endpoints");
  const without = whole - (unheard - plain);
  return [
    ["creation of a site, nobody hears, ms", without + (unheard - plain)] as const,
    ["creation of a site, somebody hears, ms", without + (heard - plain)] as const,
  ].map(([name, time]) => {
    const ratio = time / without;
    return [name, short(time), short(without), short(ratio), "1.05", holds(ratio <= 1.05)];
  });
}

/** Deliveries that are due, spread over endpoints whose paths begin with a word. */
async function fill(word: string, endpoints: number, count: number): Promise<void> {
  const ids: number[] = [];
  for (let index = 0; index < endpoints; index++) ids.push(await endpoint(100 + index, `${word}${index}`));
  await sqlAt(
    database,
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

async function deliveries(): Promise<string[]> {
  await fill("pump", ENDPOINTS, DELIVERIES);
  const begun = performance.now();
  await pump();
  const own = DELIVERIES / ((performance.now() - begun) / 1000);
  const failed = await prisma().webhookDelivery.count({ where: { state: { not: "delivered" } } });
  if (failed > 0) throw new Error(`${failed} were not delivered`);
  const byHand = await handWritten();
  const share = own / byHand;
  const met = holds(own >= 300 && share >= 0.6);
  return ["deliveries a second", short(own), short(byHand), short(share), "300, 0.6", met];
}

/** The least that is safe: take a row under its lock, sign, send, note, with 50 hands and a pool of connections. */
async function handWritten(): Promise<number> {
  await sqlAt(
    database,
    `create table outgoing as select v.id, v.body, e.url from webhook_events v
       join webhook_deliveries d on d.event_id = v.id join webhook_endpoints e on e.id = d.endpoint_id;
     alter table outgoing add done_at timestamptz, add claimed_at timestamptz, add status int;
     create index on outgoing (id) where done_at is null and claimed_at is null`,
  );
  const pool = new pg.Pool({ connectionString: database, max: 10 });
  const key = randomBytes(32);
  const begun = performance.now();
  const hand = async () => {
    for (;;) {
      const { rows: taken } = await pool.query(
        `update outgoing set claimed_at = now() where id =
           (select id from outgoing where done_at is null and claimed_at is null limit 1 for update skip locked)
         returning id, url, body`,
      );
      const [message] = taken;
      if (!message) return;
      const timestamp = Math.floor(Date.now() / 1000);
      const signed = createHmac("sha256", key)
        .update(`${message.id}.${timestamp}.${message.body}`)
        .digest("base64");
      const headers = {
        "content-type": "application/json",
        "webhook-id": message.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": `v1,${signed}`,
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
  await Promise.all(Array.from({ length: 50 }, hand));
  const seconds = (performance.now() - begun) / 1000;
  await pool.end();
  return DELIVERIES / seconds;
}

/** Seconds from the beginning of a run until each of the others' messages came; what hangs is let go once all are there. */
async function lateness(others: number): Promise<number[]> {
  arrivals.length = 0;
  over = false;
  const quick = () => arrivals.filter(({ path }) => path.startsWith("/quick"));
  const begun = performance.now();
  // A pump hands over after a minute.
  const pumping = (async () => {
    do await pump();
    while (quick().length < others);
  })();
  while (quick().length < others) await new Promise((resolve) => setTimeout(resolve, 50));
  const late = quick().map(({ at }) => (at - begun) / 1000);
  over = true;
  for (const res of hanging) res.writeHead(204).end();
  hanging.clear();
  await pumping;
  await sqlAt(database, "truncate webhook_events cascade; delete from webhook_endpoints");
  return late.sort((a, b) => a - b);
}

/** How late the others come while one endpoint in ten never answers: at the end of a run that begins with all due at once. */
async function others(): Promise<string[]> {
  await sqlAt(database, "truncate webhook_events cascade; delete from webhook_endpoints");
  await fill("hang", 2, 40);
  await fill("quick", 18, 180);
  const typical = median(await lateness(180));
  return ["others’ delay beside what hangs, s", short(typical), "", "", "1", holds(typical <= 1)];
}

/** The same of ten thousand, by the slowest hundredth: beside one endpoint of twenty that hangs, and beside none. */
async function crowd(): Promise<string[]> {
  const others = CROWD - CROWD / ENDPOINTS;
  const slowest = async () => (await lateness(others))[Math.floor(others * 0.99)]!;
  await fill("quick", ENDPOINTS - 1, others);
  const alone = await slowest();
  await fill("hang", 1, CROWD / ENDPOINTS);
  await fill("quick", ENDPOINTS - 1, others);
  const beside = await slowest();
  const ratio = beside / alone;
  const figures = [short(beside), short(alone), short(ratio)];
  return ["others’ p99 of 10,000, one hangs, s", ...figures, "1.2", holds(ratio <= 1.2)];
}
