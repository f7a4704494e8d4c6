import { createHash, type Hash } from "node:crypto";
import type { Work } from "@/server/infrastructure/database/transaction";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { findAuditHead, findSeals, findStub, listSealed, listSeals, type Seal } from "../statements";
import { isOurHead, isOurSeal, isOurStub, keptDigest, stateOf } from "./hash";

const BATCH = 2000;

/** `entry_…`: of the entry with this number; the others are about the seal with it. */
export type AuditBreak =
  | "entry_altered"
  | "entry_removed"
  | "entry_added"
  | "seal_altered"
  | "seal_removed"
  | "cut_off"
  | "head_removed"
  | "head_forged"
  | "stub_forged";

export interface AuditVerdict {
  /** Sealed entries, and those of them whose content an erasure emptied. */
  entries: number;
  erased: number;
  seals: number;
  /** Hash of the last seal, in hexadecimal. */
  head: string | null;
  /** Hashes of all seals, so that one that was noted elsewhere can be looked up. */
  has(hash: string): boolean;
  broken?: { reason: AuditBreak; id: number };
}

type Reads = Pick<Work, "sql">;

type FoundStub = Awaited<ReturnType<typeof findStub>>[number];

/** How often a walk begins anew because what it walked over grew old enough to be deleted meanwhile. */
const WALKS = 10;

/**
 * Walks the seals and every entry under them, from where retention has left it. Entries and seals that come meanwhile
 * are left for the next walk.
 */
export async function verifyAudit(work: Reads): Promise<AuditVerdict> {
  for (let walk = 1; ; walk++) {
    const [stub] = await findStub(work);
    const verdict = await walkFrom(work, stub);
    if (!verdict.broken || walk === WALKS) return verdict;
    if ((await findStub(work))[0]?.sealId === stub?.sealId) return verdict;
  }
}

async function walkFrom(work: Reads, stub: FoundStub | undefined): Promise<AuditVerdict> {
  const hashes = new Set<string>();
  const verdict: AuditVerdict = {
    entries: 0,
    erased: 0,
    seals: 0,
    head: null,
    has: (hash) => hashes.has(hash),
  };
  if (stub && !isOurStub(stub)) {
    verdict.broken = { reason: "stub_forged", id: stub.sealId };
    return verdict;
  }
  const [head] = await findAuditHead(work);
  verdict.broken = (await walkSeals(work, { verdict, hashes, stub })) ?? endOf(verdict, head, hashes);
  verdict.broken ??= await walkEntries(work, verdict, { upTo: head?.sealId ?? 0, stub });
  return verdict;
}

interface Walk {
  verdict: AuditVerdict;
  hashes: Set<string>;
  stub: FoundStub | undefined;
}

async function walkSeals(work: Reads, { verdict, hashes, stub }: Walk) {
  const begin = stub && { id: stub.sealId, hash: stub.hash };
  for (let last: Pick<Seal, "id" | "hash"> | undefined = begin; ; ) {
    const seals = await listSeals(work, { after: last?.id ?? 0, limit: BATCH });
    for (const { begun, ...seal } of seals) {
      const { id, prevHash } = seal;
      if (!isOurSeal(seal)) return { reason: "seal_altered" as const, id };
      const follows = last ? prevHash !== null && sameBytes(prevHash, last.hash) : prevHash === null;
      if (!follows || id !== (last?.id ?? 0) + 1) return { reason: "seal_removed" as const, id };
      if (!begun) return { reason: "entry_removed" as const, id: Number(seal.firstId) };
      last = seal;
      verdict.seals++;
      verdict.head = seal.hash.toString("hex");
      hashes.add(verdict.head);
    }
    if (seals.length < BATCH) return undefined;
  }
}

/** Compares the end of the chain with the head that was read before it. */
function endOf(
  { seals }: AuditVerdict,
  head: Awaited<ReturnType<typeof findAuditHead>>[number] | undefined,
  hashes: Set<string>,
): AuditVerdict["broken"] {
  // Between reading no head and reading seals, the first one may have been made.
  if (!head) return seals > 1 ? { reason: "head_removed", id: seals } : undefined;
  if (!isOurHead(head)) return { reason: "head_forged", id: head.sealId };
  return hashes.has(head.hash.toString("hex")) ? undefined : { reason: "cut_off", id: head.sealId };
}

/** Counts and hashes of the entries of one seal that were met so far. */
interface Open {
  seal: Seal;
  count: number;
  digest: Hash;
}

async function walkEntries(
  work: Reads,
  verdict: AuditVerdict,
  { upTo, stub }: { upTo: number; stub: FoundStub | undefined },
): Promise<AuditVerdict["broken"]> {
  const open = new Map<number, Open>();
  const kept: Kept[] = [];
  for (let after = "0"; ; ) {
    const entries = await listSealed(work, { after, limit: BATCH, upTo });
    const unknown = new Set(entries.map(({ sealId }) => sealId).filter((id) => !open.has(id)));
    for (const seal of await findSeals(work, { ids: [...unknown] }))
      open.set(seal.id, { seal, count: 0, digest: createHash("sha256") });
    for (const entry of entries) {
      const id = Number(entry.id);
      const state = stateOf(entry);
      if (state === "altered") return { reason: "entry_altered", id };
      if (stub && entry.sealId <= stub.sealId) {
        kept.push(entry);
        verdict.entries++;
        if (state === "erased") verdict.erased++;
        continue;
      }
      const under = open.get(entry.sealId);
      if (!under) return { reason: "entry_added", id };
      under.count++;
      under.digest.update(entry.rowHash!);
      verdict.entries++;
      if (state === "erased") verdict.erased++;
      if (entry.id !== under.seal.lastId) continue;
      const broken = closed(under);
      if (broken) return broken;
      open.delete(entry.sealId);
    }
    if (entries.length < BATCH) break;
    after = entries.at(-1)!.id;
  }
  const [left] = open.values();
  if (left) return { reason: "entry_removed", id: Number(left.seal.lastId) };
  return stub && keptUnder(stub, kept);
}

type Kept = Awaited<ReturnType<typeof listSealed>>[number];

/** Whether the entries that outlived their seals are those that the stub counted. */
function keptUnder({ sealId, kept: count, digest }: FoundStub, kept: Kept[]): AuditVerdict["broken"] {
  const bySeal = kept.toSorted((a, b) => a.sealId - b.sealId || Number(BigInt(a.id) - BigInt(b.id)));
  const chain = bySeal.reduce<Uint8Array>(
    (before, { rowHash }) => keptDigest(before, rowHash!),
    Buffer.alloc(0),
  );
  if (kept.length === count && sameBytes(chain, digest)) return undefined;
  return {
    reason: kept.length > count ? "entry_added" : "entry_removed",
    id: Number(bySeal.at(-1)?.id ?? sealId),
  };
}

/** Whether a seal has other entries than it had. */
function closed({ seal, count, digest }: Open): AuditVerdict["broken"] {
  if (count !== seal.rows)
    return { reason: count < seal.rows ? "entry_removed" : "entry_added", id: Number(seal.lastId) };
  return sameBytes(digest.digest(), seal.digest) ? undefined : { reason: "seal_altered", id: seal.id };
}
