import { createHash, type Hash } from "node:crypto";
import { type Break, readBatches, type Verdict } from "@/server/infrastructure/chain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import type { AuditBreak } from "../contract";
import { findAuditHead, findSeals, findStub, listSealedEntries, listSeals, type Seal } from "../statements";
import { keptDigest, type RetentionStub, retentionStub, sealChain, stateOf } from "./hash";

const SEAL_REASONS: Record<Break["reason"], AuditBreak> = {
  altered: "seal_altered",
  removed_before: "seal_removed",
  unchained: "seal_altered",
  cut_off: "cut_off",
  head_removed: "head_removed",
  head_forged: "head_forged",
};

export interface AuditVerdict extends Pick<Verdict, "head" | "heads"> {
  entries: number;
  erased: number;
  seals: number;
  broken?: { reason: AuditBreak; id: number };
}

type Reads = Pick<DbAccess, "sql">;
type Stub = Awaited<ReturnType<typeof findStub>>[number];

/** Retention may delete entries during the check. */
const TRIES = 10;

/** Verifies seals and entries after the retention stub. Ignores seals added during the check. */
export async function verifyAudit(work: Reads): Promise<AuditVerdict> {
  for (let attempt = 1; ; attempt++) {
    const [stub] = await findStub(work);
    const verdict = await verifyFrom(work, stub);
    if (!verdict.broken || attempt === TRIES) return verdict;
    if ((await findStub(work))[0]?.id === stub?.id) return verdict;
  }
}

async function verifyFrom(work: Reads, stub: Stub | undefined): Promise<AuditVerdict> {
  const counts = { entries: 0, erased: 0 };
  if (stub && !retentionStub.matches(stub, stub.mac)) {
    const broken = { reason: "stub_forged" as const, id: stub.id };
    return { ...counts, seals: 0, head: null, heads: new Set(), broken };
  }
  const [head] = await findAuditHead(work);
  let emptySeal: Seal | undefined;
  const read = async (after: number, limit: number) => {
    const seals = await listSeals(work, { after, limit });
    emptySeal ??= seals.find(({ begun }) => !begun);
    return seals;
  };
  const { checked: seals, broken, ...ends } = await sealChain.verify({ head, read, start: stub });
  const verdict: AuditVerdict = { ...counts, seals, head: ends.head, heads: ends.heads };
  if (broken) verdict.broken = { reason: SEAL_REASONS[broken.reason], id: broken.id };
  else if (emptySeal) verdict.broken = { reason: "entry_removed", id: Number(emptySeal.firstId) };
  else verdict.broken = await verifyEntries(work, verdict, { upTo: head?.id ?? 0, stub });
  return verdict;
}

interface OpenSeal {
  seal: Seal;
  count: number;
  digest: Hash;
}

async function verifyEntries(
  work: Reads,
  verdict: AuditVerdict,
  { upTo, stub }: { upTo: number; stub: Stub | undefined },
): Promise<AuditVerdict["broken"]> {
  const open = new Map<number, OpenSeal>();
  const keptEntries: SealedEntry[] = [];
  const read = (after: string, limit: number) => listSealedEntries(work, { after, limit, upTo });
  for await (const entries of readBatches(read, "0")) {
    const unknown = new Set(entries.map(({ sealId }) => sealId).filter((id) => !open.has(id)));
    for (const seal of await findSeals(work, { ids: [...unknown] }))
      open.set(seal.id, { seal, count: 0, digest: createHash("sha256") });
    for (const entry of entries) {
      const id = Number(entry.id);
      const state = stateOf(entry);
      if (state === "altered") return { reason: "entry_altered", id };
      const openSeal = open.get(entry.sealId);
      if (stub && entry.sealId <= stub.id) keptEntries.push(entry);
      else if (!openSeal) return { reason: "entry_added", id };
      verdict.entries++;
      if (state === "erased") verdict.erased++;
      if (!openSeal) continue;
      openSeal.count++;
      openSeal.digest.update(entry.rowHash!);
      if (entry.id !== openSeal.seal.lastId) continue;
      const broken = findSealBreak(openSeal);
      if (broken) return broken;
      open.delete(entry.sealId);
    }
  }
  const [unfinished] = open.values();
  if (unfinished) return { reason: "entry_removed", id: Number(unfinished.seal.lastId) };
  return stub && keptBreak(stub, keptEntries);
}

type SealedEntry = Awaited<ReturnType<typeof listSealedEntries>>[number];

/** Compares the entries that retention kept with the stub's count and digest. */
function keptBreak({ id, kept: count, digest }: RetentionStub, kept: SealedEntry[]): AuditVerdict["broken"] {
  const bySeal = kept.toSorted((a, b) => a.sealId - b.sealId || Number(BigInt(a.id) - BigInt(b.id)));
  const chain = bySeal.reduce<Uint8Array>(
    (before, { rowHash }) => keptDigest(before, rowHash!),
    Buffer.alloc(0),
  );
  if (kept.length === count && sameBytes(chain, digest)) return undefined;
  const reason = kept.length > count ? "entry_added" : "entry_removed";
  return { reason, id: Number(bySeal.at(-1)?.id ?? id) };
}

export function findSealBreak({ seal, count, digest }: OpenSeal): AuditVerdict["broken"] {
  if (count !== seal.rows)
    return { reason: count < seal.rows ? "entry_removed" : "entry_added", id: Number(seal.lastId) };
  return sameBytes(digest.digest(), seal.digest) ? undefined : { reason: "seal_altered", id: seal.id };
}
