import { setTimeout as sleep } from "node:timers/promises";
import "@/server/domains";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createMemoryStore } from "@/server/sandbox/kit";
import { fillAccounts } from "./data";
import { connectDatabase, runSql, start } from "./environment";
import { sendAtRate } from "./latency";
import { percentile } from "./measure";
import { cpuTime } from "./processes";
import { startSandboxes } from "./sandboxes";
import { tokenReads } from "./scenarios";
import { moveToLoadCore } from "./servers";
import { formatNumber, yesOrNo } from "./table";

/** Reads per second: a busy afternoon, well below the server's capacity. */
const READS = 50;
const ALONE = 15;

/**
 * Measures how fast one worker creates queued invoices at the sandbox, and the latency of reads during that
 * time.
 */
export default async function accounting([count = "1000"]: string[]): Promise<string[][]> {
  const invoices = Number(count);
  const { url: address, calls } = await startSandboxes({ parasut: createMemoryStore() });
  const env = {
    // Only demo mode may connect to private addresses. RATE_LIMITS lifts our limit of calls to the service.
    ...{ APP_MODE: "demo", RATE_LIMITS: "relaxed", OUTBOUND_TRUSTED: address },
    PARASUT_BASE_URL: `${address}/parasut`,
  };
  Object.assign(process.env, env);
  let tokens: string[] = [];
  const url = await connectDatabase(async (databaseUrl) => {
    tokens = await fillAccounts(databaseUrl);
  });
  moveToLoadCore();
  const { port, pid } = await start("HTTP server", url, { env });
  const sql = (text: string) => runSql(url, text);
  const reads = tokenReads(tokens);
  const read = async (seconds: number) => {
    const { times, failures } = await sendAtRate(port, reads, READS, seconds);
    if (failures.length > 0) throw new Error(`a read failed: ${failures[0]}`);
    return times;
  };
  const p99 = (times: number[]) => percentile(times, 0.99);
  await read(5);
  const p99Before = p99(await read(ALONE));

  const ids = await queueInvoices(sql, invoices);
  const [startedAt, callsBefore] = [performance.now(), calls()];
  const cpuBefore = cpuTime(pid);
  for (const id of ids) await enqueueDocument(withoutTransaction(), id);
  let seconds = 0;
  let isBusy = true;
  const creation = (async () => {
    const open = "select count(*)::int as open from accounting_documents where state <> 'done'";
    while ((await sql(open)).rows[0].open > 0) await sleep(500);
    seconds = (performance.now() - startedAt) / 1000;
  })().finally(() => {
    isBusy = false;
  });
  const during: number[] = [];
  while (isBusy) during.push(...(await read(5)));
  await creation;
  const cpuUsed = cpuTime(pid)! - cpuBefore!;
  const p99After = p99(await read(ALONE));

  const perSecond = invoices / seconds;
  const p99During = p99(during);
  // If reads alone vary this much, the effect of the invoices is not measurable.
  const isUnclear = Math.max(p99Before, p99After) > 1.2 * Math.min(p99Before, p99After);
  const change = Math.abs(p99During / ((p99Before + p99After) / 2) - 1);
  return [
    ["row", "measured", "CPU ms each", "calls each", "target", "holds"],
    [
      `${invoices.toLocaleString("en-US")} queued invoices, one worker`,
      `${perSecond.toFixed(1)} a second, ${seconds.toFixed(0)} s`,
      formatNumber(cpuUsed / 1000 / invoices),
      ((calls() - callsBefore) / invoices).toFixed(1),
      "20 a second",
      yesOrNo(perSecond >= 20),
    ],
    [
      `token read beside it, ${READS}/s`,
      `p99 ${formatNumber(p99During)} ms, alone ${formatNumber(p99Before)} and ${formatNumber(p99After)} ms`,
      "",
      "",
      "± 20 %",
      isUnclear ? "unclear" : yesOrNo(change <= 0.2),
    ],
  ];
}

/** Inserts payments of different accounts, each with a queued invoice. Returns the ids of the invoices. */
async function queueInvoices(
  sql: (text: string) => ReturnType<typeof runSql>,
  invoices: number,
): Promise<number[]> {
  const billTo = (nth: number) => ({
    ...{ kind: "company", title: `Kaya ${nth} Ltd. Şti.`, tax_number: String(2_000_000_000 + nth) },
    ...{ tax_office: "Beyoğlu", address: "İstiklal Cad. 1", district: "Beyoğlu", city: "İstanbul" },
    ...{ country: "TR", email: `muhasebe${nth}@example.com` },
  });
  const sealed = Array.from({ length: invoices }, (_, nth) =>
    Buffer.from(seal(JSON.stringify(billTo(nth)), BILL_TO_SEAL_PURPOSE)).toString("hex"),
  );
  await sql(`insert into payments (user_id, subscription_id, amount_minor, paid_at, bill_to_sealed)
    select s.user_id, s.id, 999900, now(), decode(hex, 'hex')
      from unnest('{${sealed.join(",")}}'::text[]) with ordinality as given (hex, nth) join subscriptions s on s.id = nth`);
  const { rows } = await sql(`insert into accounting_documents
      (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, deadline_at)
    select id, 'queued', 999900, 833250, 166650, 20, now() + interval '7 days' from payments returning id`);
  return rows.map(({ id }) => id as number);
}
