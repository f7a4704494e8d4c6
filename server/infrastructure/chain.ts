import { createHmac } from "node:crypto";
import { derivedKey, derivedKeys } from "./secrets/derive";
import { sameBytes } from "./secrets/tokens";

/*
 * Tamper-evident hash chains. Each row stores a MAC of its content and the previous row's hash; a separate
 * head stores the end of the chain. The keys are outside of the database, so write access is not enough to
 * alter, remove, move or truncate rows unnoticed. Stored MACs depend on key purposes and canonical forms:
 * never change them.
 */

type Bytes = Buffer<ArrayBuffer>;

const MAC_BYTES = 32;

const PORTION = 2000;

export function hexOf(bytes: Uint8Array): string;
export function hexOf(bytes: Uint8Array | null): string | null;
export function hexOf(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString("hex");
}

export interface Mac<T> {
  of(value: T): Bytes;
  /** Verifies a MAC under the current and former keys. */
  matches(value: T, mac: Uint8Array): boolean;
}

/** HMAC-SHA-256 of a canonical JSON array under the key of a purpose, truncated to `bytes`. */
export function macOver<T>(
  purpose: string,
  canonical: (value: T) => Array<string | number | boolean | null>,
  bytes = MAC_BYTES,
): Mac<T> {
  const macOf = (value: T, key = derivedKey(purpose)) =>
    createHmac("sha256", key)
      .update(JSON.stringify(canonical(value)))
      .digest()
      .subarray(0, bytes);
  return {
    of: (value) => macOf(value),
    matches: (value, mac) => derivedKeys(purpose).some((key) => sameBytes(macOf(value, key), mac)),
  };
}

/** Chained row. Rows older than the chain have no hash. */
interface Link {
  id: number;
  prevHash: Uint8Array | null;
  hash: Uint8Array | null;
}
type Unlinked<Row extends Link> = Omit<Row, "prevHash" | "hash">;
type Unhashed<Row extends Link> = Omit<Row, "hash">;

/** End of a chain: hash of the last row, and optionally its id and the number of rows. */
interface Head {
  id?: number;
  count?: number;
  hash: Uint8Array;
}
type Signed<T> = T & { mac: Uint8Array };

interface Place {
  id: number;
  prev: string | null;
  hash: string | null;
}
/** Position of an erased row, stored in the audit log. */
export type Stub = Place & { hash: string };
/** Stub as read from the audit log: unverified, may have any content. */
export type StoredStub = (Stub & { mac: string }) | null;

function placeOf({ id, prevHash, hash }: Link): Place {
  return { id, prev: hexOf(prevHash), hash: hexOf(hash) };
}

export function stubsUnder(purpose: string) {
  const mac = macOver<Stub>(purpose, ({ id, prev, hash }) => [id, prev, hash]);
  return {
    of(row: Link & { hash: Uint8Array }) {
      const stub = placeOf(row) as Stub;
      return { ...stub, mac: hexOf(mac.of(stub)) };
    },
    /** Drops forged stubs, so that their rows count as removed. */
    authentic: (stored: StoredStub[]): Stub[] =>
      stored.filter(
        (stub) => stub !== null && mac.matches(stub, Buffer.from(String(stub.mac), "hex")),
      ) as Stub[],
  };
}

/** First broken row. `removed_before`: the previous row was removed or moved. */
export interface Break {
  id: number;
  reason: "altered" | "removed_before" | "unchained" | "cut_off" | "head_removed" | "head_forged";
}

export interface Verdict {
  /** Number of valid rows and stubs. */
  checked: number;
  /** Id and hash of the last valid row. */
  lastId: number;
  head: string | null;
  /** Hashes of all valid rows, to look up heads noted elsewhere. */
  heads: Set<string>;
  broken?: Break;
}

interface Rows<Row> {
  read(after: number, limit: number): Promise<Row[]>;
  /** Stubs of erased rows, in any order. */
  stubs?: Stub[];
  /** Last row removed by retention; verification starts after it. */
  start?: { id: number; hash: Uint8Array };
}

interface Source<Row, H> extends Rows<Row> {
  head: Signed<H> | undefined;
  /** Heads recorded elsewhere, such as in the audit log. */
  noted?: H[];
}

export async function* readBatches<Row extends { id: unknown }>(
  read: (after: Row["id"], limit: number) => Promise<Row[]>,
  start: Row["id"],
): AsyncGenerator<Row[]> {
  for (let after = start; ; ) {
    const rows = await read(after, PORTION);
    yield rows;
    if (rows.length < PORTION) return;
    after = rows.at(-1)!.id;
  }
}

interface Form<Row extends Link, H extends Head> {
  row: Mac<Unhashed<Row>>;
  head: Mac<H>;
  /** Ids have no gaps. */
  isNumbered?: boolean;
  /** Rows may be added during verification, after the head was read. */
  isGrowing?: boolean;
}

export function hashChain<Row extends Link, H extends Head>({
  row: mac,
  head: headMac,
  ...form
}: Form<Row, H>) {
  function link<R extends Unlinked<Row>>(rows: R[], last: Uint8Array | null | undefined) {
    let prevHash = last ? Buffer.from(last) : null;
    return rows.map((unlinked) => {
      const row = { ...unlinked, prevHash };
      const hash = mac.of(row as unknown as Unhashed<Row>);
      prevHash = hash;
      return { ...row, hash };
    });
  }

  async function walk({ read, stubs = [], start }: Rows<Row>): Promise<Verdict> {
    const verdict: Verdict = {
      checked: 0,
      lastId: start?.id ?? 0,
      head: start ? hexOf(start.hash) : null,
      heads: new Set(),
    };
    function step({ id, prev, hash }: Place, isSound: boolean): boolean {
      const isNext = prev === verdict.head && (!form.isNumbered || id === verdict.lastId + 1);
      if (hash && isSound && isNext) {
        verdict.checked++;
        verdict.lastId = id;
        verdict.head = hash;
        verdict.heads.add(hash);
        return true;
      }
      verdict.broken = { id, reason: !hash ? "unchained" : !isSound ? "altered" : "removed_before" };
      return false;
    }
    const places = stubs.toSorted((a, b) => a.id - b.id);
    for await (const rows of readBatches(read, verdict.lastId))
      for (const row of rows) {
        while (places[0] && places[0].id < row.id) if (!step(places.shift()!, true)) return verdict;
        const isSound = row.hash !== null && mac.matches(row, row.hash);
        if (!step(placeOf(row), isSound)) return verdict;
      }
    for (const stub of places) if (!step(stub, true)) return verdict;
    return verdict;
  }

  function endBreak(
    { checked, lastId, head: end, heads }: Verdict,
    { head, noted = [], start }: Source<Row, H>,
  ): Break | undefined {
    if (!head) {
      const isGone = noted.length > 0 || start !== undefined || checked > (form.isGrowing ? 1 : 0);
      return isGone ? { id: lastId, reason: "head_removed" } : undefined;
    }
    if (!isHead(head)) return { id: lastId, reason: "head_forged" };
    const hash = hexOf(head.hash);
    const isEnd = form.isGrowing ? heads.has(hash) : head.count === checked && hash === end;
    const lost = isEnd ? noted.find((each) => !heads.has(hexOf(each.hash))) : head;
    return lost && { id: lost.id ?? lastId, reason: "cut_off" };
  }

  const isHead = (head: Signed<H>) => headMac.matches(head, head.mac);

  return {
    link,
    walk,
    isHead,
    sign: (head: H) => ({ ...head, mac: headMac.of(head) }),
    /** Verifies all rows and compares the end with the head, which must be read first. */
    async verify(source: Source<Row, H>): Promise<Verdict> {
      const verdict = await walk(source);
      verdict.broken ??= endBreak(verdict, source);
      return verdict;
    },
  };
}
