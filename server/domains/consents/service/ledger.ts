import { createHmac } from "node:crypto";
import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/audit/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKey } from "@/server/infrastructure/secrets/derive";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";

/*
 * Consents are an append-only ledger: each row carries an HMAC over its content and the hash of the row before
 * it, of whatever account, under a key outside the database. Whoever can only write to the database can
 * neither alter, remove nor move a row unseen. Rows of a deleted account leave their hashes behind.
 */

/** What the lock of the ledger is called; appends are one after the other. */
const LOCK = 7_355_107;
const BATCH = 2000;

export interface Entry {
  user_id: number;
  key: string;
  granted: boolean;
  text_version: string;
  text_hash: string;
  locale: string;
  ip: string | null;
  user_agent: string | null;
  source: string;
}

interface Row extends Entry {
  id: number;
  created_at: Date;
  prev_hash: Buffer | null;
  hash: Buffer | null;
}

/** What is left of a row of a deleted account: its place in the chain. */
interface Stub {
  id: number;
  prev: string | null;
  hash: string;
}

/** The one spelling of a row that is hashed. */
function hashOf(row: Omit<Row, "hash">): Buffer {
  const content = [
    row.id,
    row.prev_hash?.toString("hex") ?? null,
    row.user_id,
    row.key,
    row.granted,
    row.text_version,
    row.text_hash,
    row.locale,
    row.ip,
    row.user_agent,
    row.source,
    row.created_at.toISOString(),
  ];
  return createHmac("sha256", derivedKey("consents")).update(JSON.stringify(content)).digest();
}

function stubMac({ id, prev, hash }: Stub): string {
  const content = JSON.stringify([id, prev, hash]);
  return createHmac("sha256", derivedKey("consents:erased")).update(content).digest("hex");
}

/** Waits until nobody else appends; the lock ends with the transaction. */
export async function lockLedger({ sql }: Pick<Work, "sql">): Promise<void> {
  await sql`select 1 from pg_advisory_xact_lock(${LOCK}::bigint)`;
}

/** Appends entries to the chain, in the caller's transaction. Rows from before there was a chain are chained first. */
export async function appendEntries({ sql }: Pick<Work, "sql">, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await lockLedger({ sql });
  await chainOldRows({ sql });
  let prev = await headOf({ sql });
  const ids = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('consent_records', 'id'))::int as id from generate_series(1, ${entries.length}::int)`;
  const rows = entries.map((entry, index) => {
    const row = { ...entry, id: ids[index]!.id, prev_hash: prev, created_at: new Date() };
    prev = hashOf(row);
    return { ...row, prev_hash: row.prev_hash?.toString("hex") ?? null, hash: prev.toString("hex") };
  });
  await sql`
    insert into consent_records
      (id, user_id, key, granted, text_version, text_hash, locale, ip, user_agent, source, created_at, prev_hash, hash)
    select id, user_id, key, granted, text_version, text_hash, locale, ip, user_agent, source, created_at,
           decode(prev_hash, 'hex'), decode(hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id int, user_id int, key text, granted bool,
           text_version text, text_hash text, locale text, ip text, user_agent text, source text,
           created_at timestamptz, prev_hash text, hash text)`;
}

async function headOf({ sql }: Pick<Work, "sql">): Promise<Buffer | null> {
  const [row] = await sql<{ id: number; hash: Buffer | null }>`
    select id, hash from consent_records where hash is not null order by id desc limit 1`;
  const [stub] = await sql<{ id: number; hash: string }>`
    select (details->>'id')::int as id, details->>'hash' as hash from audit_events
     where action = 'consents.erased' order by (details->>'id')::int desc limit 1`;
  return stub && stub.id > (row?.id ?? 0) ? Buffer.from(stub.hash, "hex") : (row?.hash ?? null);
}

/** Chains rows from before there was a chain; once there is one, a row without a hash is a break. */
export async function chainOldRows({ sql }: Pick<Work, "sql">): Promise<number> {
  const [any] = await sql`select 1 from consent_records where hash is not null limit 1`;
  if (any || (await stubsOf({ sql })).length > 0) return 0;
  let [count, after, prev] = [0, 0, null as Buffer | null];
  for (;;) {
    const rows = await batch({ sql }, after);
    for (const row of rows) {
      const hash = hashOf({ ...row, prev_hash: prev });
      await sql`update consent_records set prev_hash = ${prev}, hash = ${hash} where id = ${row.id}`;
      [prev, after] = [hash, row.id];
    }
    count += rows.length;
    if (rows.length < BATCH) return count;
  }
}

async function batch({ sql }: Pick<Work, "sql">, after: number): Promise<Row[]> {
  return sql<Row>`
    select id, user_id, key, granted, text_version, text_hash, locale, ip, user_agent, source, created_at, prev_hash, hash
      from consent_records where id > ${after} order by id limit ${BATCH}`;
}

/**
 * Removes the rows of an account that is deleted for good; their places in the chain stay as hashes in the
 * audit log. Call it in the transaction of the deletion.
 */
export async function eraseEntries(ctx: Context, userId: number): Promise<void> {
  await lockLedger(ctx);
  await chainOldRows(ctx);
  const rows =
    await ctx.sql<Row>`delete from consent_records where user_id = ${userId} returning id, prev_hash, hash`;
  for (const row of rows.sort((a, b) => a.id - b.id)) {
    if (!row.hash) continue;
    const stub = { id: row.id, prev: row.prev_hash?.toString("hex") ?? null, hash: row.hash.toString("hex") };
    await audit(ctx, { action: "consents.erased", details: { ...stub, mac: stubMac(stub) } });
  }
}

/** Stubs in the chain's order; a forged one is left out, so that its row counts as removed. */
async function stubsOf({ sql }: Pick<Work, "sql">): Promise<Stub[]> {
  const rows = await sql<{ details: Stub & { mac: string } }>`
    select details from audit_events where action = 'consents.erased'`;
  return rows
    .map(({ details }) => details)
    .filter(({ mac, ...stub }) => stubMac(stub) === mac)
    .sort((a, b) => a.id - b.id);
}

export interface Verdict {
  /** Rows and stubs that were looked at. */
  checked: number;
  /** Hash of the newest one: note it elsewhere, and a ledger cut off at its end is noticed too. */
  head: string | null;
  /** Each seen on the way, so that a noted head can be looked for. */
  heads: Set<string>;
  /** The first row that breaks the chain. */
  broken?: { id: number; reason: "altered" | "removed_before" | "unchained" };
}

/** Walks the whole chain, in the order of the rows' numbers. */
export async function verifyLedger({ sql }: Pick<Work, "sql">): Promise<Verdict> {
  const stubs = await stubsOf({ sql });
  const verdict: Verdict = { checked: 0, head: null, heads: new Set() };
  const step = (id: number, prev: string | null, hash: string | null, sound: boolean): boolean => {
    const reason = !hash
      ? "unchained"
      : !sound
        ? "altered"
        : prev !== verdict.head
          ? "removed_before"
          : undefined;
    if (reason) verdict.broken = { id, reason };
    else {
      verdict.checked++;
      verdict.head = hash;
      verdict.heads.add(hash!);
    }
    return !reason;
  };
  let after = 0;
  for (;;) {
    const rows = await batch({ sql }, after);
    for (const row of rows) {
      while (stubs[0] && stubs[0].id < row.id) {
        const stub = stubs.shift()!;
        if (!step(stub.id, stub.prev, stub.hash, true)) return verdict;
      }
      const sound = row.hash !== null && sameBytes(row.hash, hashOf(row));
      const prev = row.prev_hash?.toString("hex") ?? null;
      if (!step(row.id, prev, row.hash?.toString("hex") ?? null, sound)) return verdict;
      after = row.id;
    }
    if (rows.length < BATCH) break;
  }
  for (const stub of stubs) if (!step(stub.id, stub.prev, stub.hash, true)) return verdict;
  return verdict;
}
