import "@/server/domains";
import type { QueryResult } from "pg";
import { escapeLike, fold } from "@/server/core/fold";
import { listResellers } from "@/server/domains/access/registration/service/register";
import { listJson } from "@/server/domains/tenancy/customers/service/list";
import { searchFewCustomers } from "@/server/domains/tenancy/customers/statements";
import { migrate } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { callContext, connectDatabase, runSql } from "./environment";
import { measureTimes, median } from "./measure";
import { cpuTime } from "./processes";
import { formatNumber, yesOrNo } from "./table";

const RESELLER = 3;
const CUSTOMERS = 200;
const ROUNDS = 200;
/** Milliseconds in the database for one search. */
const SEARCH_TARGET = 3;

let database = "";
const sql = (text: string) => runSql(database, text);

const page = { skip: 0, take: CUSTOMERS, page: 1 };
const CALLS = {
  "list of 200 customers": () => listJson(withoutTransaction(), RESELLER, {}, page),
  "search for a name": () => listJson(withoutTransaction(), RESELLER, { search: "IŞIL kaya 150" }, page),
  "search for an address": () => listJson(withoutTransaction(), RESELLER, { search: "person250@" }, page),
  "resellers to choose from": () => searchResellers(),
} satisfies Record<string, () => Promise<string>>;

async function searchResellers(): Promise<string> {
  const { text } = await listResellers(callContext(RESELLER, "reseller"), {
    query: { q: "ankara ajans" },
  } as Parameters<typeof listResellers>[1]);
  return text;
}

/** Measures customer lists and searches with 10,000 and 100,000 accounts. In this process, without HTTP. */
export default async function resellers(): Promise<string[][]> {
  database = await connectDatabase(migrate);
  await fill(1, 10_000);
  const few = await measureCalls();
  await fill(10_001, 100_000);
  const many = await measureCalls();
  const rows = [["row, of 100,000 accounts", "clock ms", "CPU ms", "measured", "target", "holds"]];
  for (const name of Object.keys(CALLS)) {
    const [before, after] = [few.get(name)!, many.get(name)!];
    const growth = after.cpu / before.cpu;
    const comparison = `${growth.toFixed(2)} of 10,000 by CPU, ${(after.clock / before.clock).toFixed(2)} by clock`;
    rows.push([
      name,
      formatNumber(after.clock),
      formatNumber(after.cpu),
      comparison,
      "1.2",
      yesOrNo(growth <= 1.2),
    ]);
  }
  for (const words of ["IŞIL kaya 150", "person250@"]) {
    const milliseconds = await explainSearch(words);
    const name = `the database alone, "${words}"`;
    const target = `${SEARCH_TARGET} ms`;
    const met = yesOrNo(milliseconds <= SEARCH_TARGET);
    rows.push([name, formatNumber(milliseconds), "", "by EXPLAIN ANALYZE", target, met]);
  }
  return rows;
}

/** Account 3 is the reseller of 101 to 300; every hundredth account is a reseller of those after it. */
async function fill(from: number, to: number): Promise<void> {
  const name = fold("Işıl Kaya ");
  await sql(`insert into users (name, email, email_key, role, email_verified_at, reseller_id, search_text)
    select 'Işıl Kaya ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
           (case when i = 1 then 'admin' when i = ${RESELLER} or i % 100 = 0 then 'reseller' else 'user' end)::"Role", now(),
           case when i % 100 = 0 or i < 101 then null when i < ${101 + CUSTOMERS} then ${RESELLER} else i / 100 * 100 end,
           '${name}' || i || ' person' || i || '@example.com'
      from generate_series(${from}, ${to}) i;
    insert into resellers (user_id, agreement_signed_at, referral_code, display_name, display_folded, city, city_folded,
                           joined_at, public_listing_at)
    select id, now(), 'CODE' || id, 'Ajans ' || id, 'ajans ' || id, 'Ankara', 'ankara', now(), now()
      from users where role = 'reseller' and id between ${from} and ${Math.min(to, 10_000)};
    insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, updated_at)
    select id, 'Site ' || id, 'site' || id || '.example.com', sha256(id::text::bytea), '', 'abcd', now()
      from users where reseller_id = ${RESELLER} and id between ${from} and ${to}`);
  await sql("vacuum (analyze)");
}

/** Returns milliseconds; the CPU time includes the database. */
async function measureCalls() {
  const figures = new Map<string, { clock: number; cpu: number }>();
  for (const [name, call] of Object.entries(CALLS)) {
    await measureTimes(call, { rounds: 0, warmUp: 20 });
    const before = await cpuUsed();
    const clocks = await measureTimes(call, { rounds: ROUNDS, warmUp: 0 });
    figures.set(name, { clock: median(clocks), cpu: ((await cpuUsed()) - before) / 1000 / ROUNDS });
  }
  return figures;
}

async function cpuUsed(): Promise<number> {
  const own = process.cpuUsage();
  const { rows } = await sql("select pid from pg_stat_activity where backend_type = 'client backend'");
  const backends = rows.map(({ pid }) => cpuTime(pid as number) ?? 0);
  return own.user + own.system + backends.reduce((sum, time) => sum + time, 0);
}

async function explainSearch(words: string): Promise<number> {
  const [first, ...others] = words
    .split(" ")
    .map((word) => `%${escapeLike(fold(word))}%`)
    .toSorted((a, b) => b.length - a.length);
  const view = {
    resellerId: RESELLER,
    isActive: null,
    first: first!,
    others,
    sort: "-created_at" as const,
    ...page,
  };
  const { text, values = [] } = searchFewCustomers.bindParams(view);
  const literal = (value: unknown): string => {
    if (value === null) return "null";
    if (Array.isArray(value)) return `array[${value.map(literal).join(",")}]::text[]`;
    return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  };
  const statement = text.replace(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1]));
  const durations: number[] = [];
  for (let round = 0; round < 20; round++) {
    // Uses the second result: with the first, a new connection loads its catalogue cache.
    const explain = `explain (analyze, timing off, format json) ${statement}`;
    const results = (await sql(`${explain};${explain}`)) as unknown as QueryResult[];
    const [{ "Planning Time": planning, "Execution Time": execution }] = results[1]!.rows[0]["QUERY PLAN"];
    durations.push(planning + execution);
  }
  return median(durations);
}
