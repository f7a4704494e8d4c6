import { setTimeout as sleep } from "node:timers/promises";
import "@/server/domains";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createMemoryStore } from "@/server/sandbox/sandbox";
import { fillAccounts } from "./data";
import { connectDatabase, runSql, startTrackedServer } from "./environment";
import { sendAtRate } from "./latency";
import { percentile } from "./measure";
import { readCpuMicroseconds } from "./processes";
import { startSandboxes } from "./sandboxes";
import { createTokenReads } from "./scenarios";
import { moveSelfToLoadCore } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const READS_PER_SECOND = 50;
const ALONE_SECONDS = 15;

/** Measures how fast one worker creates queued invoices at the sandbox, and the latency of reads. */
export default async function measureAccounting([countArgument = "1000"]: string[]): Promise<string[][]> {
  const invoiceCount = Number(countArgument);
  const { url: sandboxUrl, countCalls } = await startSandboxes({ parasut: createMemoryStore() });
  const env = {
    // Demo mode may connect to private addresses. RATE_LIMITS lifts our own limit of calls to the service.
    ...{ APP_MODE: "demo", RATE_LIMITS: "relaxed", OUTBOUND_TRUSTED: sandboxUrl },
    PARASUT_BASE_URL: `${sandboxUrl}/parasut`,
  };
  Object.assign(process.env, env);
  let tokens: string[] = [];
  const url = await connectDatabase(async (databaseUrl) => {
    tokens = await fillAccounts(databaseUrl);
  });
  moveSelfToLoadCore();
  const { port, pid } = await startTrackedServer("HTTP server", url, { env });
  const sql = (text: string) => runSql(url, text);
  const reads = createTokenReads(tokens);
  const readForSeconds = async (seconds: number) => {
    const { times, failures } = await sendAtRate(port, reads, READS_PER_SECOND, seconds);
    if (failures.length > 0) throw new Error(`a read failed: ${failures[0]}`);
    return times;
  };
  const getP99 = (times: number[]) => percentile(times, 0.99);
  await readForSeconds(5);
  const p99Before = getP99(await readForSeconds(ALONE_SECONDS));

  const documentIds = await queueInvoices(sql, invoiceCount);
  const [startedAt, callsBefore] = [performance.now(), countCalls()];
  const cpuBefore = readCpuMicroseconds(pid);
  for (const id of documentIds) await enqueueDocument(withoutTransaction(), id);
  let creationSeconds = 0;
  let isBusy = true;
  const creationPromise = (async () => {
    const openCountSql = "select count(*)::int as open from accounting_documents where state <> 'done'";
    while ((await sql(openCountSql)).rows[0].open > 0) await sleep(500);
    creationSeconds = (performance.now() - startedAt) / 1000;
  })().finally(() => {
    isBusy = false;
  });
  const timesDuring: number[] = [];
  while (isBusy) timesDuring.push(...(await readForSeconds(5)));
  await creationPromise;
  const cpuUsed = readCpuMicroseconds(pid)! - cpuBefore!;
  const p99After = getP99(await readForSeconds(ALONE_SECONDS));

  const invoicesPerSecond = invoiceCount / creationSeconds;
  const p99During = getP99(timesDuring);
  // If reads alone vary this much, the effect of the invoices is not measurable.
  const isUnclear = Math.max(p99Before, p99After) > 1.2 * Math.min(p99Before, p99After);
  const latencyChange = Math.abs(p99During / ((p99Before + p99After) / 2) - 1);
  return [
    ["row", "measured", "CPU ms each", "calls each", "target", "holds"],
    [
      `${invoiceCount.toLocaleString("en-US")} queued invoices, one worker`,
      `${invoicesPerSecond.toFixed(1)} a second, ${creationSeconds.toFixed(0)} s`,
      formatNumber(cpuUsed / 1000 / invoiceCount),
      ((countCalls() - callsBefore) / invoiceCount).toFixed(1),
      "20 a second",
      yesOrNo(invoicesPerSecond >= 20),
    ],
    [
      `token read beside it, ${READS_PER_SECOND}/s`,
      `p99 ${formatNumber(p99During)} ms, alone ${formatNumber(p99Before)} and ${formatNumber(p99After)} ms`,
      "",
      "",
      "± 20 %",
      isUnclear ? "unclear" : yesOrNo(latencyChange <= 0.2),
    ],
  ];
}

async function queueInvoices(
  sql: (text: string) => ReturnType<typeof runSql>,
  invoiceCount: number,
): Promise<number[]> {
  const buildBillTo = (nth: number) => ({
    ...{ kind: "company", title: `Kaya ${nth} Ltd. Şti.`, tax_number: String(2_000_000_000 + nth) },
    ...{ tax_office: "Beyoğlu", address: "İstiklal Cad. 1", district: "Beyoğlu", city: "İstanbul" },
    ...{ country: "TR", email: `muhasebe${nth}@example.com` },
  });
  const sealedBillTos = Array.from({ length: invoiceCount }, (_, nth) =>
    Buffer.from(seal(JSON.stringify(buildBillTo(nth)), BILL_TO_SEAL_PURPOSE)).toString("hex"),
  );
  await sql(`insert into payments (user_id, subscription_id, amount_minor, paid_at, bill_to_sealed)
    select s.user_id, s.id, 999900, now(), decode(hex, 'hex')
      from unnest('{${sealedBillTos.join(",")}}'::text[]) with ordinality as given (hex, nth) join subscriptions s on s.id = nth`);
  const { rows } = await sql(`insert into accounting_documents
      (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, deadline_at)
    select id, 'queued', 999900, 833250, 166650, 20, now() + interval '7 days' from payments returning id`);
  return rows.map(({ id }) => id as number);
}
