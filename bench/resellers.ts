import "@/server/domains";
import type { QueryResult } from "pg";
import { escapeLike, foldText } from "@/server/core/fold";
import { searchReferralResellers } from "@/server/domains/access/registration/service/register";
import { readCustomersJson } from "@/server/domains/tenancy/customers/service/list";
import { searchFewCustomers } from "@/server/domains/tenancy/customers/statements";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { connectDatabase, createCallContext, runSql } from "./environment";
import { measureDurations, median } from "./measure";
import { readCpuMicroseconds } from "./processes";
import { formatNumber, yesOrNo } from "./table";

const RESELLER_ID = 3;
const CUSTOMER_COUNT = 200;
const ROUNDS = 200;
const SEARCH_TARGET_MS = 3;

let databaseUrl = "";
const sql = (text: string) => runSql(databaseUrl, text);

const page = { skip: 0, take: CUSTOMER_COUNT, page: 1 };
const CALLS = {
  "list of 200 customers": () => readCustomersJson(withoutTransaction(), RESELLER_ID, {}, page),
  "search for a name": () =>
    readCustomersJson(withoutTransaction(), RESELLER_ID, { search: "IŞIL kaya 150" }, page),
  "search for an address": () =>
    readCustomersJson(withoutTransaction(), RESELLER_ID, { search: "person250@" }, page),
  "resellers to choose from": () => searchResellers(),
} satisfies Record<string, () => Promise<string>>;

async function searchResellers(): Promise<string> {
  const { text } = await searchReferralResellers(createCallContext(RESELLER_ID, "reseller"), {
    query: { q: "ankara ajans" },
  } as Parameters<typeof searchReferralResellers>[1]);
  return text;
}

/** Measures customer lists and searches with 10,000 and 100,000 accounts. In this process, without HTTP. */
export default async function measureResellers(): Promise<string[][]> {
  databaseUrl = await connectDatabase(migrateDatabase);
  await insertAccounts(1, 10_000);
  const figuresOf10k = await measureCalls();
  await insertAccounts(10_001, 100_000);
  const figuresOf100k = await measureCalls();
  const rows = [["row, of 100,000 accounts", "clock ms", "CPU ms", "measured", "target", "holds"]];
  for (const name of Object.keys(CALLS)) {
    const [before, after] = [figuresOf10k.get(name)!, figuresOf100k.get(name)!];
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
    const target = `${SEARCH_TARGET_MS} ms`;
    const verdict = yesOrNo(milliseconds <= SEARCH_TARGET_MS);
    rows.push([name, formatNumber(milliseconds), "", "by EXPLAIN ANALYZE", target, verdict]);
  }
  return rows;
}

/** Inserts accounts. 3 is the reseller of 101 to 300; every hundredth is the reseller of the next 99. */
async function insertAccounts(firstId: number, lastId: number): Promise<void> {
  const name = foldText("Işıl Kaya ");
  await sql(`insert into users (name, email, email_key, role, email_verified_at, reseller_id, search_text)
    select 'Işıl Kaya ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
           (case when i = 1 then 'admin' when i = ${RESELLER_ID} or i % 100 = 0 then 'reseller' else 'user' end)::"Role", now(),
           case when i % 100 = 0 or i < 101 then null when i < ${101 + CUSTOMER_COUNT} then ${RESELLER_ID} else i / 100 * 100 end,
           '${name}' || i || ' person' || i || '@example.com'
      from generate_series(${firstId}, ${lastId}) i;
    insert into resellers (user_id, agreement_signed_at, referral_code, display_name, display_folded, city, city_folded,
                           joined_at, public_listing_at)
    select id, now(), 'CODE' || id, 'Ajans ' || id, 'ajans ' || id, 'Ankara', 'ankara', now(), now()
      from users where role = 'reseller' and id between ${firstId} and ${Math.min(lastId, 10_000)};
    insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, updated_at)
    select id, 'Site ' || id, 'site' || id || '.example.com', sha256(id::text::bytea), '', 'abcd', now()
      from users where reseller_id = ${RESELLER_ID} and id between ${firstId} and ${lastId}`);
  await sql("vacuum (analyze)");
}

/** Measures each call in milliseconds. The CPU time includes the database. */
async function measureCalls() {
  const figures = new Map<string, { clock: number; cpu: number }>();
  for (const [name, call] of Object.entries(CALLS)) {
    await measureDurations(call, { rounds: 0, warmUp: 20 });
    const cpuBefore = await readTotalCpuMicroseconds();
    const clocks = await measureDurations(call, { rounds: ROUNDS, warmUp: 0 });
    figures.set(name, {
      clock: median(clocks),
      cpu: ((await readTotalCpuMicroseconds()) - cpuBefore) / 1000 / ROUNDS,
    });
  }
  return figures;
}

async function readTotalCpuMicroseconds(): Promise<number> {
  const ownCpu = process.cpuUsage();
  const { rows } = await sql("select pid from pg_stat_activity where backend_type = 'client backend'");
  const backends = rows.map(({ pid }) => readCpuMicroseconds(pid as number) ?? 0);
  return ownCpu.user + ownCpu.system + backends.reduce((sum, time) => sum + time, 0);
}

async function explainSearch(words: string): Promise<number> {
  const [longestWord, ...otherWords] = words
    .split(" ")
    .map((word) => `%${escapeLike(foldText(word))}%`)
    .toSorted((a, b) => b.length - a.length);
  const searchParams = {
    resellerId: RESELLER_ID,
    isActive: null,
    state: null,
    longestPattern: longestWord!,
    otherPatterns: otherWords,
    sort: "-created_at" as const,
    ...page,
  };
  const { text, values = [] } = searchFewCustomers.bindParams(searchParams);
  const toSqlLiteral = (value: unknown): string => {
    if (value === null) return "null";
    if (Array.isArray(value)) return `array[${value.map(toSqlLiteral).join(",")}]::text[]`;
    return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  };
  const statement = text.replace(/\$(\d+)/g, (_, position) => toSqlLiteral(values[Number(position) - 1]));
  const durations: number[] = [];
  for (let round = 0; round < 20; round++) {
    // The first run of a connection also loads its catalogue cache.
    const explain = `explain (analyze, timing off, format json) ${statement}`;
    const results = (await sql(`${explain};${explain}`)) as unknown as QueryResult[];
    const [{ "Planning Time": planning, "Execution Time": execution }] = results[1]!.rows[0]["QUERY PLAN"];
    durations.push(planning + execution);
  }
  return median(durations);
}
