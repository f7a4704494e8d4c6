import { createHmac } from "node:crypto";
import { deriveKey, deriveKeys } from "./secrets/derive";
import { areBytesEqual } from "./secrets/tokens";

/*
 * Tamper-evident hash chains. The keys are outside of the database, so write access is not enough to alter
 * rows unnoticed. Stored MACs depend on key purposes and canonical forms: never change them.
 */

type Bytes = Buffer<ArrayBuffer>;

const MAC_BYTES = 32;

const BATCH_SIZE = 2000;

export function toHex(bytes: Uint8Array): string;
export function toHex(bytes: Uint8Array | null): string | null;
export function toHex(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString("hex");
}

export interface Mac<T> {
  compute(value: T): Bytes;
  /** Verifies a MAC under the current and former keys. */
  matches(value: T, mac: Uint8Array): boolean;
}

/** HMAC-SHA-256 of a canonical JSON array under the key of a purpose, truncated to `bytes`. */
export function createMac<T>(
  purpose: string,
  toCanonical: (value: T) => Array<string | number | boolean | null>,
  macBytes = MAC_BYTES,
): Mac<T> {
  const computeMac = (value: T, key = deriveKey(purpose)) =>
    createHmac("sha256", key)
      .update(JSON.stringify(toCanonical(value)))
      .digest()
      .subarray(0, macBytes);
  return {
    compute: (value) => computeMac(value),
    matches: (value, mac) => deriveKeys(purpose).some((key) => areBytesEqual(computeMac(value, key), mac)),
  };
}

/** Row of a chain. Rows older than the chain have no hash. */
interface ChainedRow {
  id: number;
  prevHash: Uint8Array | null;
  hash: Uint8Array | null;
}
type Unlinked<Row extends ChainedRow> = Omit<Row, "prevHash" | "hash">;
type Unhashed<Row extends ChainedRow> = Omit<Row, "hash">;

/** End of a chain: hash of the last row, and optionally its id and the number of rows. */
interface ChainHead {
  id?: number;
  count?: number;
  hash: Uint8Array;
}
type Signed<T> = T & { mac: Uint8Array };

interface ChainPosition {
  id: number;
  prev: string | null;
  hash: string | null;
}
/** Position of an erased row, stored in the audit log. */
export type Stub = ChainPosition & { hash: string };
/** Stub as read from the audit log: unverified, may have any content. */
export type StoredStub = (Stub & { mac: string }) | null;

function toPosition({ id, prevHash, hash }: ChainedRow): ChainPosition {
  return { id, prev: toHex(prevHash), hash: toHex(hash) };
}

export function createStubSigner(purpose: string) {
  const stubMac = createMac<Stub>(purpose, ({ id, prev, hash }) => [id, prev, hash]);
  return {
    create(row: ChainedRow & { hash: Uint8Array }) {
      const stub = toPosition(row) as Stub;
      return { ...stub, mac: toHex(stubMac.compute(stub)) };
    },
    /** Drops forged stubs, so that their rows count as removed. */
    filterAuthentic: (stored: StoredStub[]): Stub[] =>
      stored.filter(
        (stub) => stub !== null && stubMac.matches(stub, Buffer.from(String(stub.mac), "hex")),
      ) as Stub[],
  };
}

/** First broken row. `removed_before`: the previous row was removed or moved. */
export interface ChainBreak {
  id: number;
  reason: "altered" | "removed_before" | "unchained" | "cut_off" | "head_removed" | "head_forged";
}

export interface VerificationResult {
  checked: number;
  /** Id and hash of the last valid row. */
  lastId: number;
  lastHash: string | null;
  /** Hashes of all valid rows, to look up heads recorded elsewhere. */
  validHashes: Set<string>;
  broken?: ChainBreak;
}

interface RowSource<Row> {
  read(after: number, limit: number): Promise<Row[]>;
  stubs?: Stub[];
  /** Last row removed by retention; verification starts after it. */
  start?: { id: number; hash: Uint8Array };
}

interface ChainSource<Row, HeadType> extends RowSource<Row> {
  head: Signed<HeadType> | undefined;
  /** Heads recorded elsewhere, such as in the audit log. */
  recordedHeads?: HeadType[];
}

export async function* readBatches<Row extends { id: unknown }>(
  read: (after: Row["id"], limit: number) => Promise<Row[]>,
  start: Row["id"],
): AsyncGenerator<Row[]> {
  for (let after = start; ; ) {
    const rows = await read(after, BATCH_SIZE);
    yield rows;
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)!.id;
  }
}

interface ChainDefinition<Row extends ChainedRow, HeadType extends ChainHead> {
  row: Mac<Unhashed<Row>>;
  head: Mac<HeadType>;
  /** Ids have no gaps. */
  hasContiguousIds?: boolean;
  /** Rows may be added during verification, after the head was read. */
  isGrowing?: boolean;
}

export function defineHashChain<Row extends ChainedRow, HeadType extends ChainHead>({
  row: rowMac,
  head: headMac,
  ...definition
}: ChainDefinition<Row, HeadType>) {
  function linkRows<R extends Unlinked<Row>>(rows: R[], lastHash: Uint8Array | null | undefined) {
    let prevHash = lastHash ? Buffer.from(lastHash) : null;
    return rows.map((unlinked) => {
      const row = { ...unlinked, prevHash };
      const hash = rowMac.compute(row as unknown as Unhashed<Row>);
      prevHash = hash;
      return { ...row, hash };
    });
  }

  async function verifyRows({ read, stubs = [], start }: RowSource<Row>): Promise<VerificationResult> {
    const result: VerificationResult = {
      checked: 0,
      lastId: start?.id ?? 0,
      lastHash: start ? toHex(start.hash) : null,
      validHashes: new Set(),
    };
    function acceptPosition({ id, prev, hash }: ChainPosition, isMacValid: boolean): boolean {
      const isNext = prev === result.lastHash && (!definition.hasContiguousIds || id === result.lastId + 1);
      if (hash && isMacValid && isNext) {
        result.checked++;
        result.lastId = id;
        result.lastHash = hash;
        result.validHashes.add(hash);
        return true;
      }
      result.broken = { id, reason: !hash ? "unchained" : !isMacValid ? "altered" : "removed_before" };
      return false;
    }
    const pendingStubs = stubs.toSorted((a, b) => a.id - b.id);
    for await (const rows of readBatches(read, result.lastId))
      for (const row of rows) {
        while (pendingStubs[0] && pendingStubs[0].id < row.id)
          if (!acceptPosition(pendingStubs.shift()!, true)) return result;
        const isMacValid = row.hash !== null && rowMac.matches(row, row.hash);
        if (!acceptPosition(toPosition(row), isMacValid)) return result;
      }
    for (const stub of pendingStubs) if (!acceptPosition(stub, true)) return result;
    return result;
  }

  function findEndBreak(
    { checked, lastId, lastHash: chainEnd, validHashes }: VerificationResult,
    { head, recordedHeads = [], start }: ChainSource<Row, HeadType>,
  ): ChainBreak | undefined {
    if (!head) {
      // A growing chain may have got its first row, and its head, after the head was read.
      const isHeadRemoved =
        recordedHeads.length > 0 || start !== undefined || checked > (definition.isGrowing ? 1 : 0);
      return isHeadRemoved ? { id: lastId, reason: "head_removed" } : undefined;
    }
    if (!isAuthenticHead(head)) return { id: lastId, reason: "head_forged" };
    const hash = toHex(head.hash);
    const isEnd = definition.isGrowing ? validHashes.has(hash) : head.count === checked && hash === chainEnd;
    const missingHead = isEnd ? recordedHeads.find((each) => !validHashes.has(toHex(each.hash))) : head;
    return missingHead && { id: missingHead.id ?? lastId, reason: "cut_off" };
  }

  const isAuthenticHead = (head: Signed<HeadType>) => headMac.matches(head, head.mac);

  return {
    linkRows,
    verifyRows,
    isAuthenticHead,
    signHead: (head: HeadType) => ({ ...head, mac: headMac.compute(head) }),
    /** Verifies all rows and compares the end with the head, which must be read first. */
    async verify(source: ChainSource<Row, HeadType>): Promise<VerificationResult> {
      const result = await verifyRows(source);
      result.broken ??= findEndBreak(result, source);
      return result;
    },
  };
}
