import { createHmac, randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { ulid } from "ulid";
import { request } from "undici";
import "@/server/domains";
import { newEventId } from "@/server/domains/accounts/webhook-events/service";
import { ensurePlans } from "@/server/domains/billing/subscriptions/service/plans";
import { pump } from "@/server/domains/platform/webhooks/service/pump";
import { newSecret } from "@/server/domains/platform/webhooks/service/sign";
import { NEW_SITE } from "@/server/domains/sites/sites/service/create";
import { insertSite, noteCreated } from "@/server/domains/sites/sites/statements";
import { newSiteLock } from "@/server/domains/sites/slots/service";
import { prisma } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { inOneTrip } from "@/server/infrastructure/database/one-trip";
import { outside } from "@/server/infrastructure/database/transaction";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { sqlAt, withDatabase } from "./in-process";
import { median } from "./measure";
import { serverEnv } from "./servers";
import { short, table } from "./table";

/*
 * `npm run bench:webhooks`: what an event costs the creation of a site, with and without somebody who hears it; deliveries a second
 * to a local receiver, beside a loop written by hand that does the least a safe delivery can; and how late others are
 * while one endpoint in ten hangs. In this process; the database is embedded and volatile. It measures and does not judge.
 */

const CREATIONS = 200;
const DELIVERIES = 1500;
const ENDPOINTS = 20;

/** When each message came, by the number in its path; paths with `hang` are never answered. */
const arrivals: Array<{ path: string; at: number }> = [];
const hanging = new Set<ServerResponse>();
let over = false;
const receiver = createServer((req, res) => {
  req.resume().on("end", () => {
    arrivals.push({ path: req.url!, at: performance.now() });
    if (req.url!.includes("hang") && !over) hanging.add(res);
    else res.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
Object.assign(
  process.env,
  serverEnv({ APP_URL: "http://localhost:3000", APP_MODE: "demo", OUTBOUND_TRUSTED: url }),
);

const rows = [["row", "measured", "compared with", "ratio", "target", "holds"]];
let database = "";
let sites = 0;
await withDatabase(migrate, async (at) => {
  database = at;
  await sqlAt(
    at,
    `insert into users (name, email, email_key, role, email_verified_at)
     select 'Ayşe ' || i, 'p' || i || '@example.com', 'p' || i || '@example.com',
            (case i when 1 then 'admin' else 'user' end)::"Role", now() from generate_series(1, 1000) i`,
  );
  await ensurePlans(outside());
  for (const userId of [2, 3])
    await sqlAt(
      at,
      `insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
       select ${userId}, id, name, price, monthly_credits, 'active', 100000, now(), now() + interval '1 year'
         from subscription_plans order by id limit 1`,
    );
  rows.push(...(await creations()), await deliveries(), await others());
  process.stdout.write(`${table(rows)}\n`);
});

async function endpoint(userId: number, path: string): Promise<number> {
  const { secret: _, ...sealed } = newSecret();
  const address = `${url}/${path}`;
  const { id } = await prisma().webhookEndpoint.create({
    data: { userId, url: address, urlHash: digest(address), events: [], ...sealed },
    select: { id: true },
  });
  return id;
}

/** Milliseconds of one creation, as the service sends it: with its event, or without. */
async function creation(userId: number, withEvent: boolean): Promise<number> {
  const key = newToken("dsk");
  const domain = `site${++sites}.example.com`;
  const site = {
    ...NEW_SITE,
    userId,
    actorId: userId,
    withoutSlot: false,
    name: "Kaya",
    domain,
    keyHash: digest(key),
    keySealed: randomBytes(80),
    keyLastFour: key.slice(-4),
    searchText: domain,
    caller: { ip: "127.0.0.1", userAgent: null, requestId: null },
  };
  const begun = performance.now();
  if (withEvent) {
    const told = noteCreated.with({ eventId: newEventId(), keyHash: site.keyHash });
    await inOneTrip(newSiteLock(userId), insertSite.with(site), told);
  } else await inOneTrip(newSiteLock(userId), insertSite.with(site));
  return performance.now() - begun;
}

/** In turns, because machines are noisy: an account that nobody listens to, and one with an endpoint. */
async function creations(): Promise<string[][]> {
  await endpoint(3, "quiet");
  const figures: Record<string, number[]> = { plain: [], unheard: [], heard: [] };
  for (let turn = 0; turn < CREATIONS + 20; turn++) {
    const times = {
      plain: await creation(2, false),
      unheard: await creation(2, true),
      heard: await creation(3, true),
    };
    if (turn >= 20) for (const [name, time] of Object.entries(times)) figures[name]!.push(time);
  }
  const plain = median(figures.plain!);
  await sqlAt(database, "truncate webhook_events cascade; delete from webhook_endpoints");
  return (["unheard", "heard"] as const).map((name) => {
    const time = median(figures[name]!);
    const holds = time / plain <= 1.05 ? "yes" : "no";
    const target = name === "unheard" ? "1.05" : "";
    return [
      `creation of a site, ${name}, ms`,
      short(time),
      short(plain),
      short(time / plain),
      target,
      target && holds,
    ];
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
  const holds = own >= 300 && own / byHand >= 0.6 ? "yes" : "no";
  return ["deliveries a second", short(own), short(byHand), short(own / byHand), "300, 0.6", holds];
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
      const { statusCode, body } = await request(message.url, {
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

/** How late the others come while one endpoint in ten never answers: at the end of a run that begins with all due at once. */
async function others(): Promise<string[]> {
  await sqlAt(database, "truncate webhook_events cascade; delete from webhook_endpoints");
  await fill("hang", 2, 40);
  await fill("quick", 18, 180);
  arrivals.length = 0;
  const begun = performance.now();
  const pumping = pump();
  while (arrivals.filter(({ path }) => path.startsWith("/quick")).length < 180)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const late = arrivals.filter(({ path }) => path.startsWith("/quick")).map(({ at }) => (at - begun) / 1000);
  over = true;
  for (const res of hanging) res.writeHead(204).end();
  await pumping;
  const typical = median(late);
  return ["others’ delay beside what hangs, s", short(typical), "", "", "1", typical <= 1 ? "yes" : "no"];
}
