import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import "@/server/domains";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BILL_TO_PURPOSE } from "@/server/domains/billing/payments/service/record";
import { wake } from "@/server/domains/billing/payments/service/wake";
import { outside } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { memoryStore } from "@/server/sandbox/kit";
import { type Mount, play } from "@/server/sandbox/mount";
import { fillAccounts } from "./data";
import { sqlAt, withDatabase } from "./in-process";
import { steadily } from "./latency";
import { cpuTime } from "./processes";
import { tokenReads } from "./scenarios";
import { moveToLoadCore, serverEnv, startServer } from "./servers";
import { short, table } from "./table";

/*
 * npm run bench:accounting
 *
 * Lets the one worker of the production server make 1,000 queued invoices at the sandbox of the accounting service, and
 * measures reads at the same time. The sandbox runs in this process and has no rate limit; RATE_LIMITS=relaxed lifts ours.
 * INVOICES=200 is for a busy machine. Needs `npm run build`. Only measures: always exits with 0.
 */

/** `INVOICES=200` on a machine with much else to do. */
const INVOICES = Number(process.env.INVOICES ?? 1000);
/** Reads a second: a busy afternoon, not what the server can do. */
const READS = 50;
/** Seconds of reads alone, before and after. */
const ALONE = 15;

const store = memoryStore();
let calls = 0;
const party = createServer(async (req, res) => {
  calls++;
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(req.url!, "http://sandbox");
  const mount: Mount = { store: () => store, failure: async () => undefined, seen: async () => {} };
  await play(
    "parasut",
    {
      ...{ method: req.method!, path: pathname.replace("/parasut", ""), query: searchParams },
      ...{ header: (name) => req.headers[name] as string | undefined, base: `${address}/parasut` },
      body: Buffer.concat(chunks).toString(),
    },
    { mount, res },
  );
});
await new Promise<void>((resolve) => party.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(party.address() as AddressInfo).port}`;

const settings = {
  // As a demo: production lets nobody reach a private address.
  ...{ APP_MODE: "demo", RATE_LIMITS: "relaxed", OUTBOUND_TRUSTED: address },
  PARASUT_BASE_URL: `${address}/parasut`,
};
Object.assign(process.env, serverEnv({ APP_URL: "http://localhost:3000", ...settings }));

const dir = await mkdtemp(join(tmpdir(), "tellal-bench-"));
let tokens: string[] = [];
const fill = async (url: string) => {
  tokens = await fillAccounts(url);
};
await withDatabase(fill, async (url) => {
  moveToLoadCore();
  const server = await startServer("front door", url, dir, { env: settings });
  try {
    await measure(server, (text) => sqlAt(url, text));
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
    party.close();
  }
});

async function measure(
  { port, pid }: { port: number; pid: number },
  sql: (text: string) => ReturnType<typeof sqlAt>,
): Promise<void> {
  const reads = tokenReads(tokens);
  const read = async (seconds: number) => {
    const { times, others } = await steadily(port, reads, READS, seconds);
    if (others.length > 0) throw new Error(`a read failed: ${others[0]}`);
    return times;
  };
  await read(5);
  const before = p99(await read(ALONE));

  const ids = await queue(sql);
  const [startedAt, counted] = [performance.now(), calls];
  const cpu = cpuTime(pid);
  for (const id of ids) await wake(outside(), id);
  let seconds = 0;
  const making = (async () => {
    const open = "select count(*)::int as open from accounting_documents where state <> 'done'";
    while ((await sql(open)).rows[0].open > 0) await sleep(500);
    seconds = (performance.now() - startedAt) / 1000;
  })();
  const during: number[] = [];
  let busy = true;
  const over = making.finally(() => {
    busy = false;
  });
  while (busy) during.push(...(await read(5)));
  await over;
  const spent = cpuTime(pid)! - cpu!;
  const after = p99(await read(ALONE));

  const perSecond = INVOICES / seconds;
  const alone = (before + after) / 2;
  const beside = p99(during);
  // Reads that differ so much by themselves say nothing of what the invoices do to them.
  const unclear = Math.max(before, after) > 1.2 * Math.min(before, after);
  const change = Math.abs(beside / alone - 1);
  const rows = [
    ["row", "measured", "CPU ms each", "calls each", "target", "holds"],
    [
      `${INVOICES.toLocaleString("en-US")} queued invoices, one worker`,
      `${perSecond.toFixed(1)} a second, ${seconds.toFixed(0)} s`,
      short(spent / 1000 / INVOICES),
      ((calls - counted) / INVOICES).toFixed(1),
      "20 a second",
      perSecond >= 20 ? "yes" : "no",
    ],
    [
      `token read beside it, ${READS}/s`,
      `p99 ${short(beside)} ms, alone ${short(before)} and ${short(after)} ms`,
      "",
      "",
      "± 20 %",
      unclear ? "unclear" : change <= 0.2 ? "yes" : "no",
    ],
  ];
  process.stdout.write(`${table(rows)}\n`);
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

/** Payments of as many accounts, each with an invoice to a company of its own. Returns the numbers of the invoices. */
async function queue(sql: (text: string) => ReturnType<typeof sqlAt>): Promise<number[]> {
  const billTo = (nth: number) => ({
    ...{ kind: "company", title: `Kaya ${nth} Ltd. Şti.`, tax_number: String(2_000_000_000 + nth) },
    ...{ tax_office: "Beyoğlu", address: "İstiklal Cad. 1", district: "Beyoğlu", city: "İstanbul" },
    ...{ country: "TR", email: `muhasebe${nth}@example.com` },
  });
  const sealed = Array.from({ length: INVOICES }, (_, nth) =>
    Buffer.from(seal(JSON.stringify(billTo(nth)), BILL_TO_PURPOSE)).toString("hex"),
  );
  await sql(`insert into payments (user_id, subscription_id, amount_minor, paid_at, bill_to_sealed)
    select s.user_id, s.id, 999900, now(), decode(hex, 'hex')
      from unnest('{${sealed.join(",")}}'::text[]) with ordinality as given (hex, nth) join subscriptions s on s.id = nth`);
  const { rows } = await sql(`insert into accounting_documents
      (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, deadline_at)
    select id, 'queued', 999900, 833250, 166650, 20, now() + interval '7 days' from payments returning id`);
  return rows.map(({ id }) => id as number);
}
