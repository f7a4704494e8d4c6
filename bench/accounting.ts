import { setTimeout as sleep } from "node:timers/promises";
import "@/server/domains";
import { BILL_TO_PURPOSE } from "@/server/domains/billing/payments/service/record";
import { wake } from "@/server/domains/billing/payments/service/wake";
import { outside } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { memoryStore } from "@/server/sandbox/kit";
import { fillAccounts } from "./data";
import { connectDatabase, sqlAt, start } from "./environment";
import { steadily } from "./latency";
import { percentile } from "./measure";
import { cpuTime } from "./processes";
import { openSandboxes } from "./sandboxes";
import { tokenReads } from "./scenarios";
import { moveToLoadCore } from "./servers";
import { holds, short } from "./table";

/** Reads a second: a busy afternoon, not what the server can do. */
const READS = 50;
/** Seconds of reads alone, before and after. */
const ALONE = 15;

/**
 * Lets the one worker of the production server make queued invoices at the sandbox of the accounting service, and measures
 * reads at the same time. The sandbox runs in this process and has no rate limit; RATE_LIMITS=relaxed lifts ours.
 */
export default async function accounting([count = "1000"]: string[]): Promise<string[][]> {
  const invoices = Number(count);
  const { url: address, calls } = await openSandboxes({ parasut: memoryStore() });
  const env = {
    // Production does not reach private addresses; a demo does.
    ...{ APP_MODE: "demo", RATE_LIMITS: "relaxed", OUTBOUND_TRUSTED: address },
    PARASUT_BASE_URL: `${address}/parasut`,
  };
  Object.assign(process.env, env);
  let tokens: string[] = [];
  const url = await connectDatabase(async (at) => {
    tokens = await fillAccounts(at);
  });
  moveToLoadCore();
  const { port, pid } = await start("front door", url, { env });
  const sql = (text: string) => sqlAt(url, text);
  const reads = tokenReads(tokens);
  const read = async (seconds: number) => {
    const { times, others } = await steadily(port, reads, READS, seconds);
    if (others.length > 0) throw new Error(`a read failed: ${others[0]}`);
    return times;
  };
  const p99 = (times: number[]) => percentile(times, 0.99);
  await read(5);
  const before = p99(await read(ALONE));

  const ids = await queue(sql, invoices);
  const [startedAt, counted] = [performance.now(), calls()];
  const cpu = cpuTime(pid);
  for (const id of ids) await wake(outside(), id);
  let seconds = 0;
  let busy = true;
  const making = (async () => {
    const open = "select count(*)::int as open from accounting_documents where state <> 'done'";
    while ((await sql(open)).rows[0].open > 0) await sleep(500);
    seconds = (performance.now() - startedAt) / 1000;
  })().finally(() => {
    busy = false;
  });
  const during: number[] = [];
  while (busy) during.push(...(await read(5)));
  await making;
  const spent = cpuTime(pid)! - cpu!;
  const after = p99(await read(ALONE));

  const perSecond = invoices / seconds;
  const beside = p99(during);
  // Reads that differ so much by themselves say nothing of what the invoices do to them.
  const unclear = Math.max(before, after) > 1.2 * Math.min(before, after);
  const change = Math.abs(beside / ((before + after) / 2) - 1);
  return [
    ["row", "measured", "CPU ms each", "calls each", "target", "holds"],
    [
      `${invoices.toLocaleString("en-US")} queued invoices, one worker`,
      `${perSecond.toFixed(1)} a second, ${seconds.toFixed(0)} s`,
      short(spent / 1000 / invoices),
      ((calls() - counted) / invoices).toFixed(1),
      "20 a second",
      holds(perSecond >= 20),
    ],
    [
      `token read beside it, ${READS}/s`,
      `p99 ${short(beside)} ms, alone ${short(before)} and ${short(after)} ms`,
      "",
      "",
      "± 20 %",
      unclear ? "unclear" : holds(change <= 0.2),
    ],
  ];
}

/** Payments of as many accounts, each with an invoice to a company of its own. Returns the numbers of the invoices. */
async function queue(sql: (text: string) => ReturnType<typeof sqlAt>, invoices: number): Promise<number[]> {
  const billTo = (nth: number) => ({
    ...{ kind: "company", title: `Kaya ${nth} Ltd. Şti.`, tax_number: String(2_000_000_000 + nth) },
    ...{ tax_office: "Beyoğlu", address: "İstiklal Cad. 1", district: "Beyoğlu", city: "İstanbul" },
    ...{ country: "TR", email: `muhasebe${nth}@example.com` },
  });
  const sealed = Array.from({ length: invoices }, (_, nth) =>
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
