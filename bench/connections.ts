import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import "@/server/domains";
import { clean } from "@/server/domains/sites/connections/service/clean";
import { listIdle } from "@/server/domains/sites/connections/service/idle";
import { migrate } from "@/server/infrastructure/database/migrate";
import { outside } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { EVOLUTION_KEY } from "@/server/sandbox/evolution";
import { memoryStore } from "@/server/sandbox/kit";
import { type Mount, play } from "@/server/sandbox/mount";
import type { Party } from "@/server/sandbox/parties";
import { context, sqlAt, withDatabase } from "./in-process";
import { median } from "./measure";
import { serverEnv } from "./servers";
import { short, table } from "./table";

/*
 * npm run bench:connections
 *
 * Times the list of 1,000 idle connections of 10,000 and of 100,000, each of another account, and the clean-up of 100 at the
 * sandboxes. Runs in this process, on a volatile embedded database. Only measures: always exits with 0.
 */

const stores = { meta: memoryStore(), evolution: memoryStore() };
const parties = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
  const [, party, path] = /^\/(\w+)(\/.*)$/.exec(pathname)!;
  const mount: Mount = {
    store: (name) => stores[name as keyof typeof stores],
    failure: async () => undefined,
    seen: async () => {},
  };
  const header = (name: string) => req.headers[name] as string | undefined;
  const body = Buffer.concat(chunks).toString();
  await play(
    party as Party,
    { method: req.method!, path: path!, query: searchParams, header, body, base: `${url}/${party}` },
    { mount, res },
  );
});
await new Promise<void>((resolve) => parties.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(parties.address() as AddressInfo).port}`;

const APP_URL = "http://localhost:3000";
Object.assign(
  process.env,
  // As a demo: production lets nobody reach a private address.
  serverEnv({ APP_URL, APP_MODE: "demo", OUTBOUND_TRUSTED: url, META_GRAPH_URL: `${url}/meta` }),
);

/** Who reads, and sees 1,000 at once. */
const READERS = {
  "their owner": context.bind(null, 2, "user"),
  "the reseller of 1,000": context.bind(null, 3, "reseller"),
  administrator: context.bind(null, 1, "admin"),
};

const rows = [["row", "clock ms", "CPU ms", "measured", "target", "holds"]];
let database = "";
const sql = (text: string) => sqlAt(database, text);

await withDatabase(migrate, async (at) => {
  database = at;
  rows.push(...(await listing()), await cleaning());
  process.stdout.write(`${table(rows)}\n`);
});

/**
 * Accounts `from` to `to`, each with a connection that serves no site. The first is an administrator, the second owns 1,000 more,
 * the third is the reseller of 1,000.
 */
async function fill(from: number, to: number): Promise<void> {
  await sql(`insert into users (name, email, email_key, role, email_verified_at, reseller_id)
    select 'Ayşe Kaya ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
           (case i when 1 then 'admin' when 3 then 'reseller' else 'user' end)::"Role", now(),
           case when i between 101 and 1100 then 3 end
      from generate_series(${from}, ${to}) i`);
  await sql(`insert into connections (user_id, channel, connection_type, label, remote_key, updated_at)
    select i, 'telegram', 'bot', '@bot' || i, i::text, now() from generate_series(${from}, ${to}) i`);
}

async function listing(): Promise<string[][]> {
  await fill(1, 10_000);
  await sql(`insert into connections (user_id, channel, connection_type, label, remote_key, updated_at)
    select 2, 'telegram', 'bot', '@own' || i, 'own' || i, now() from generate_series(1, 1000) i`);
  await sql("vacuum (analyze)");
  const few = await times();
  await fill(10_001, 100_000);
  await sql("vacuum (analyze)");
  const many = await times();
  return Object.entries(READERS).map(([name], index) => {
    const [before, after] = [few[index]!, many[index]!];
    const holds = after / before <= 1.2 ? "yes" : "no";
    return [
      `1,000 idle of 100,000, ${name}`,
      short(after),
      "",
      `${(after / before).toFixed(2)} of 10,000`,
      "1.2",
      holds,
    ];
  });
}

/** Milliseconds of each reader's list, the median of 30 after 5. */
async function times(): Promise<number[]> {
  const found: number[] = [];
  for (const reader of Object.values(READERS)) {
    const taken: number[] = [];
    for (let round = 0; round < 35; round++) {
      const startedAt = performance.now();
      const { text } = (await listIdle(reader(), { query: {} } as Parameters<typeof listIdle>[1])) as {
        text: string;
      };
      if (round >= 5) taken.push(performance.now() - startedAt);
      const { connections } = JSON.parse(text) as { connections: unknown[] };
      if (connections.length !== 1000) throw new Error(`${connections.length} connections`);
    }
    found.push(median(taken));
  }
  return found;
}

/** 50 instances of Evolution, and 50 numbers of five accounts at Meta. */
async function cleaning(): Promise<string[]> {
  const { db } = outside();
  const hook = (channel: string) => `${APP_URL}/hooks/${channel}/x`;
  const items: Array<{ channel: "whatsapp" | "whatsapp_qr"; id: number }> = [];
  const connected = async (
    channel: "whatsapp" | "whatsapp_qr",
    data: { remoteKey: string; accountKey?: string; config?: object },
  ) => {
    const { id } = await db.connection.create({
      data: {
        ...{ userId: 4, channel, label: data.remoteKey.slice(-40) },
        connectionType: channel === "whatsapp" ? "cloud_api" : "evolution",
        secretSealed: seal(channel === "whatsapp" ? "a-token-of-meta" : EVOLUTION_KEY, "connection"),
        ...data,
      },
      select: { id: true },
    });
    items.push({ channel, id });
  };
  for (let index = 0; index < 50; index++) {
    const instance = `bench-${index}`;
    const [base_url, key] = [`${url}/evolution`, `instance:${instance}`];
    await stores.evolution.set(key, { name: instance, key: "k", state: "open", url: hook("whatsapp_qr") });
    await connected("whatsapp_qr", { remoteKey: `${base_url}|${instance}`, config: { base_url, instance } });
    const accountKey = String(88_000 + (index % 5));
    const remoteKey = `${accountKey}${Math.floor(index / 5)}`;
    await stores.meta.set(`apps:${accountKey}`, [process.env.META_APP_ID ?? "100000000000001"]);
    await stores.meta.set(`override:${remoteKey}`, hook("whatsapp"));
    await connected("whatsapp", { remoteKey, accountKey });
  }
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const { cleaned_count: cleaned } = await clean(context(4, "user"), {
    body: { items },
  } as unknown as Parameters<typeof clean>[1]);
  const clock = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  if (cleaned !== items.length) throw new Error(`${cleaned} of ${items.length} were cleaned up`);
  const perSecond = items.length / (clock / 1000);
  const holds = perSecond >= 20 ? "yes" : "no";
  return [
    "clean-up of 100 at sandboxes",
    short(clock),
    short((user + system) / 1000),
    `${perSecond.toFixed(0)} a second`,
    "20",
    holds,
  ];
}
