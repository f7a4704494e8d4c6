import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import "@/server/domains";
import { activate } from "@/server/domains/billing/payments/service/activate";
import { advanceSubscriptionsJob } from "@/server/domains/billing/subscriptions/jobs";
import { overview } from "@/server/domains/billing/subscriptions/service/overview";
import { Connection } from "@/server/infrastructure/database/connection";
import { ACCOUNTS, fillAccounts } from "./data";
import { connectDatabase, context, sqlAt } from "./environment";
import { median, percentile, ratio, times } from "./measure";
import { holds, short } from "./table";

interface Sent {
  text: string;
  values: unknown[];
  /** Numbers of the rows that it made. */
  ids: unknown[];
}

const { query: send, later } = Connection.prototype;
let statements = 0;
let listener: ((sent: Sent) => void) | undefined;
// Every statement of the application passes here.
Connection.prototype.query = function (this: Connection, config, values, callback) {
  // A beginning passes here, and then there.
  const begins = /^begin$/i.test(config.text ?? config);
  if (!begins) statements++;
  const result = send.call(this, config, values, callback);
  if (listener && !begins && typeof result?.then === "function") {
    const hear = listener;
    const sent = { text: config.text ?? config, values: config.values ?? values ?? [], ids: [] as unknown[] };
    hear(sent);
    result.then(
      (found: pg.QueryResult) => {
        sent.ids = found.rows?.[0] ? Object.values(found.rows[0]) : [];
      },
      () => {},
    );
  }
  return result;
};

// Statements whose rows are not needed.
Connection.prototype.later = function (this: Connection, statement) {
  statements++;
  listener?.({ text: statement.text, values: statement.values ?? [], ids: [] });
  later.call(this, statement);
};

/** Processor time of this process for some work, and the time on the clock, in milliseconds. */
async function measured(
  work: () => Promise<unknown>,
): Promise<{ cpu: number; clock: number; statements: number }> {
  const [before, started, counted] = [process.cpuUsage(), performance.now(), statements];
  await work();
  const { user, system } = process.cpuUsage(before);
  return {
    cpu: (user + system) / 1000,
    clock: performance.now() - started,
    statements: statements - counted,
  };
}

let url = "";
const sql = (text: string) => sqlAt(url, text);

/**
 * Compares an activation with the same statements sent by hand, times the job for 500 accounts of 50,000 subscriptions and
 * the reads beside it, and times the overview of an account with 10,000 licences. Runs in this process, without HTTP.
 */
export default async function billing(): Promise<string[][]> {
  url = await connectDatabase(fillAccounts);
  const head = ["row", "CPU ms", "clock ms", "statements", "measured", "target", "holds"];
  return [head, ...(await advancing()), await reading(), ...(await activating())];
}

/** 500 accounts whose subscription ended, among 50,000 subscriptions. */
async function advancing(): Promise<string[][]> {
  await sql(`insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
    select 1 + i % ${ACCOUNTS}, 1, 'Starter', 299900, 1000, 'active', 1, now(), now() + interval '1 year' from generate_series(1, 40000) i`);
  await sql(`update subscriptions set starts_at = now() - interval '1 year', ends_at = now() - interval '1 hour' where id <= 500;
    analyze`);
  const before = await reader(sleep(2000));
  const job = measured(advanceSubscriptionsJob);
  const [during, found] = [await reader(job), await job];
  const slower = during / before;
  return [
    [
      "advance_subscriptions, 500 due of 50,000",
      ...[found.cpu, found.clock, found.statements].map(short),
      `${(found.clock / 1000).toFixed(1)} s`,
      "10 s",
      holds(found.clock <= 10_000),
    ],
    [
      "GET /api/billing beside it",
      "",
      short(during),
      "",
      `median ${slower.toFixed(1)} x ${short(before)} ms`,
      "2 x",
      holds(slower <= 2),
    ],
  ];
}

/** How long somebody waits for an overview while some work lasts, in milliseconds: the median of fifty a second. */
async function reader(work: Promise<unknown>): Promise<number> {
  let busy = true;
  const done = work.finally(() => {
    busy = false;
  });
  const waits: number[] = [];
  while (busy) {
    const { clock } = await measured(() => overview(context(7000, "user")));
    waits.push(clock);
    await sleep(20);
  }
  await done;
  return median(waits);
}

/** The overview of a reseller with 10,000 licences, 5,000 of them with a payment. */
async function reading(): Promise<string[]> {
  const owner = ACCOUNTS;
  await sql(`insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, search_text)
      select ${owner}, 'Site ' || i, 'licensed' || i || '.example.com', sha256(i::text::bytea), '\\x00', 'abcd', 'site ' || i
        from generate_series(1, 10000) i;
    insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by, status)
      select id, ${owner}, 3999, now(), now() + interval '1 year', now() + interval '14 days',
             (case when id % 2 = 0 then 'active' else 'pending' end)::"LicenceStatus" from sites where user_id = ${owner};
    insert into payments (user_id, amount_minor, paid_at, licence_id, bill_to_sealed)
      select ${owner}, 399900, now(), id, '\\x00' from site_licences where user_id = ${owner} and status = 'active';
    insert into accounting_documents (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, deadline_at)
      select id, 'queued', 399900, 333250, 66650, 20, now() from payments where user_id = ${owner};
    analyze`);
  const ctx = context(owner, "reseller");
  let taken: number[] = [];
  const all = await measured(async () => {
    taken = await times(() => overview(ctx), { rounds: 100, warmUp: 20 });
  });
  const p95 = percentile(taken, 0.95);
  return [
    "GET /api/billing, 10,000 licences",
    ...[all.cpu / 120, median(taken), all.statements / 120].map(short),
    `p95 ${short(p95)} ms`,
    "p95 150 ms",
    holds(p95 <= 150),
  ];
}

/** Activations, and the same statements with the numbers of their own rows, sent by the driver alone. */
async function activating(): Promise<string[][]> {
  // Numbers that no two tables share, so that each can be told apart in the values of a statement.
  await sql(`select setval(pg_get_serial_sequence('payments', 'id'), 100000000),
    setval(pg_get_serial_sequence('subscriptions', 'id'), 200000000)`);
  const boss = context(1, "admin");
  await sql(`update users set role = 'admin' where id = 1;
    update access_tokens set proven_at = now() + interval '1 hour' where id = ${boss.actor.token.id}`);
  let user = 1000;
  const once = () => activate(boss, { body: { user_id: ++user, plan_id: 2 } } as never);
  for (let turn = 0; turn < 50; turn++) await once();
  const sent: Sent[] = [];
  listener = (one) => sent.push(one);
  await once();
  listener = undefined;
  const template = user;

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const byHand = async () => {
    user++;
    const known = new Map<unknown, unknown>([[template, user]]);
    for (const [index, { text, values, ids }] of sent.entries()) {
      const { rows } = await client.query({
        name: `s${index}`,
        text,
        values: values.map((value) => known.get(value) ?? known.get(Number(value)) ?? fresh(value)),
        rowMode: "array",
      });
      for (const [at, id] of ids.entries())
        if (typeof id === "number" && id > 100_000_000) known.set(id, rows[0]?.[at]);
    }
  };
  for (let turn = 0; turn < 50; turn++) await byHand();
  const [ours, theirs]: [number[], number[]] = [[], []];
  const clocks: [number[], number[]] = [[], []];
  for (let round = 0; round < 10; round++)
    for (const [index, work] of [once, byHand].entries()) {
      const { cpu, clock } = await measured(async () => {
        for (let turn = 0; turn < 50; turn++) await work();
      });
      [ours, theirs][index]!.push(cpu / 50);
      clocks[index]!.push(clock / 50);
    }
  await client.end();
  const [byCpu, byClock] = [ratio(theirs, ours), ratio(clocks[1], clocks[0])];
  return [
    [
      "activation",
      ...[median(ours), median(clocks[0]), sent.length].map(short),
      `${byClock.toFixed(2)} by clock, ${byCpu.toFixed(2)} by CPU`,
      "0.6",
      holds(byClock >= 0.6),
    ],
    [
      "the same statements by hand",
      ...[median(theirs), median(clocks[1]), sent.length].map(short),
      "",
      "",
      "",
    ],
  ];
}

/** Keys that the application makes are another each time. */
function fresh(value: unknown): unknown {
  return typeof value === "string" && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value)
    ? `${value.slice(0, 16)}${Math.floor(Math.random() * 1e10)
        .toString()
        .padStart(10, "0")}`
    : value;
}
