import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import "@/server/domains";
import { activateSubscriptionByTransfer } from "@/server/domains/billing/payments/service/activate";
import { advanceSubscriptionsJob } from "@/server/domains/billing/subscriptions/jobs";
import { getBillingOverview } from "@/server/domains/billing/subscriptions/service/overview";
import { Connection } from "@/server/infrastructure/database/connection";
import { ACCOUNT_COUNT, fillAccounts } from "./data";
import { connectDatabase, createCallContext, runSql } from "./environment";
import { measureDurations, median, medianRatio, percentile } from "./measure";
import { formatNumber, yesOrNo } from "./table";

interface SentStatement {
  text: string;
  values: unknown[];
  returnedIds: unknown[];
}

const { query: originalQuery, sendWithoutWaiting: originalSend } = Connection.prototype;
let statementCount = 0;
let statementListener: ((statement: SentStatement) => void) | undefined;
// Patches the driver: counts every statement and reports it to the listener.
Connection.prototype.query = function (this: Connection, config, values, callback) {
  // A BEGIN is counted in sendWithoutWaiting(), which query() calls.
  const isBegin = /^begin$/i.test(config.text ?? config);
  if (!isBegin) statementCount++;
  const result = originalQuery.call(this, config, values, callback);
  if (statementListener && !isBegin && typeof result?.then === "function") {
    const sentStatement = {
      text: config.text ?? config,
      values: config.values ?? values ?? [],
      returnedIds: [] as unknown[],
    };
    statementListener(sentStatement);
    result.then(
      ({ rows }: pg.QueryResult) => {
        sentStatement.returnedIds = rows?.[0] ? Object.values(rows[0]) : [];
      },
      () => {},
    );
  }
  return result;
};

Connection.prototype.sendWithoutWaiting = function (this: Connection, statement) {
  statementCount++;
  statementListener?.({ text: statement.text, values: statement.values ?? [], returnedIds: [] });
  originalSend.call(this, statement);
};

/** Measures CPU time of this process, elapsed time and statements. */
async function measureWork(
  work: () => Promise<unknown>,
): Promise<{ cpuMs: number; clockMs: number; statementCount: number }> {
  const [cpuBefore, startedAt, statementsBefore] = [process.cpuUsage(), performance.now(), statementCount];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    cpuMs: (user + system) / 1000,
    clockMs: performance.now() - startedAt,
    statementCount: statementCount - statementsBefore,
  };
}

let databaseUrl = "";
const sql = (text: string) => runSql(databaseUrl, text);

/** Measures activations, the job that advances subscriptions, and overviews. Runs here, without HTTP. */
export default async function measureBilling(): Promise<string[][]> {
  databaseUrl = await connectDatabase(fillAccounts);
  const header = ["row", "CPU ms", "clock ms", "statements", "measured", "target", "holds"];
  return [header, ...(await measureAdvance()), await measureOverview(), ...(await measureActivation())];
}

async function measureAdvance(): Promise<string[][]> {
  await sql(`insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
    select 1 + i % ${ACCOUNT_COUNT}, 1, 'Starter', 299900, 1000, 'active', 1, now(), now() + interval '1 year' from generate_series(1, 40000) i`);
  await sql(`update subscriptions set starts_at = now() - interval '1 year', ends_at = now() - interval '1 hour' where id <= 500;
    analyze`);
  const medianBefore = await measureOverviewDuring(sleep(2000));
  const job = measureWork(advanceSubscriptionsJob);
  const [medianDuring, result] = [await measureOverviewDuring(job), await job];
  const slowdown = medianDuring / medianBefore;
  return [
    [
      "advance_subscriptions, 500 due of 50,000",
      ...[result.cpuMs, result.clockMs, result.statementCount].map(formatNumber),
      `${(result.clockMs / 1000).toFixed(1)} s`,
      "10 s",
      yesOrNo(result.clockMs <= 10_000),
    ],
    [
      "GET /api/billing beside it",
      "",
      formatNumber(medianDuring),
      "",
      `median ${slowdown.toFixed(1)} x ${formatNumber(medianBefore)} ms`,
      "2 x",
      yesOrNo(slowdown <= 2),
    ],
  ];
}

async function measureOverviewDuring(work: Promise<unknown>): Promise<number> {
  let isBusy = true;
  const workEnd = work.finally(() => {
    isBusy = false;
  });
  const durations: number[] = [];
  while (isBusy) {
    const { clockMs } = await measureWork(() => getBillingOverview(createCallContext(7000, "user")));
    durations.push(clockMs);
    await sleep(20);
  }
  await workEnd;
  return median(durations);
}

async function measureOverview(): Promise<string[]> {
  const ownerId = ACCOUNT_COUNT;
  await sql(`insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, search_text)
      select ${ownerId}, 'Site ' || i, 'licensed' || i || '.example.com', sha256(i::text::bytea), '\\x00', 'abcd', 'site ' || i
        from generate_series(1, 10000) i;
    insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by, status)
      select id, ${ownerId}, 3999, now(), now() + interval '1 year', now() + interval '14 days',
             (case when id % 2 = 0 then 'active' else 'pending' end)::"LicenceStatus" from sites where user_id = ${ownerId};
    insert into payments (user_id, amount_minor, paid_at, licence_id, bill_to_sealed)
      select ${ownerId}, 399900, now(), id, '\\x00' from site_licences where user_id = ${ownerId} and status = 'active';
    insert into accounting_documents (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, deadline_at)
      select id, 'queued', 399900, 333250, 66650, 20, now() from payments where user_id = ${ownerId};
    analyze`);
  const ctx = createCallContext(ownerId, "reseller");
  let durations: number[] = [];
  const total = await measureWork(async () => {
    durations = await measureDurations(() => getBillingOverview(ctx), { rounds: 100, warmUp: 20 });
  });
  const p95 = percentile(durations, 0.95);
  // Divided by 120: `total` includes the warm-up.
  return [
    "GET /api/billing, 10,000 licences",
    ...[total.cpuMs / 120, median(durations), total.statementCount / 120].map(formatNumber),
    `p95 ${formatNumber(p95)} ms`,
    "p95 150 ms",
    yesOrNo(p95 <= 150),
  ];
}

/** Compares an activation with its recorded statements, which the driver sends again with new ids. */
async function measureActivation(): Promise<string[][]> {
  // Disjoint ranges, so that an id among the values identifies its table.
  await sql(`select setval(pg_get_serial_sequence('payments', 'id'), 100000000),
    setval(pg_get_serial_sequence('subscriptions', 'id'), 200000000)`);
  const administrator = createCallContext(1, "admin");
  await sql(`update users set role = 'admin' where id = 1;
    update access_tokens set proven_at = now() + interval '1 hour' where id = ${administrator.actor.token.id}`);
  let userId = 1000;
  const activateOnce = () =>
    activateSubscriptionByTransfer(administrator, { body: { user_id: ++userId, plan_id: 2 } } as never);
  for (let turn = 0; turn < 50; turn++) await activateOnce();
  const recordedStatements: SentStatement[] = [];
  statementListener = (statement) => recordedStatements.push(statement);
  await activateOnce();
  statementListener = undefined;
  const recordedUserId = userId;

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const runByHand = async () => {
    userId++;
    const replacements = new Map<unknown, unknown>([[recordedUserId, userId]]);
    for (const [index, { text, values, returnedIds }] of recordedStatements.entries()) {
      const { rows } = await client.query({
        name: `s${index}`,
        text,
        values: values.map(
          (value) => replacements.get(value) ?? replacements.get(Number(value)) ?? replaceUlid(value),
        ),
        rowMode: "array",
      });
      for (const [column, id] of returnedIds.entries())
        if (typeof id === "number" && id > 100_000_000) replacements.set(id, rows[0]?.[column]);
    }
  };
  for (let turn = 0; turn < 50; turn++) await runByHand();
  const [ourCpu, byHandCpu]: [number[], number[]] = [[], []];
  const clocks: [number[], number[]] = [[], []];
  for (let round = 0; round < 10; round++)
    for (const [index, work] of [activateOnce, runByHand].entries()) {
      const { cpuMs, clockMs } = await measureWork(async () => {
        for (let turn = 0; turn < 50; turn++) await work();
      });
      [ourCpu, byHandCpu][index]!.push(cpuMs / 50);
      clocks[index]!.push(clockMs / 50);
    }
  await client.end();
  const [byCpu, byClock] = [medianRatio(byHandCpu, ourCpu), medianRatio(clocks[1], clocks[0])];
  return [
    [
      "activation",
      ...[median(ourCpu), median(clocks[0]), recordedStatements.length].map(formatNumber),
      `${byClock.toFixed(2)} by clock, ${byCpu.toFixed(2)} by CPU`,
      "0.6",
      yesOrNo(byClock >= 0.6),
    ],
    [
      "the same statements by hand",
      ...[median(byHandCpu), median(clocks[1]), recordedStatements.length].map(formatNumber),
      "",
      "",
      "",
    ],
  ];
}

/** Replaces the random part of a ULID, because keys must be unique. */
function replaceUlid(value: unknown): unknown {
  return typeof value === "string" && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value)
    ? `${value.slice(0, 16)}${Math.floor(Math.random() * 1e10)
        .toString()
        .padStart(10, "0")}`
    : value;
}
