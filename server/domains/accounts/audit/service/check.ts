import { createHash, type Hash } from "node:crypto";
import { type ChainBreak, readBatches, type VerificationResult } from "@/server/infrastructure/chain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { areBytesEqual } from "@/server/infrastructure/secrets/tokens";
import type { AuditBreakReason } from "../contract";
import {
  findAuditHead,
  findSeals,
  findStub,
  listEntriesSealedUpTo,
  listSeals,
  type Seal,
} from "../statements";
import { extendEvidenceDigest, getEntryState, type RetentionStub, sealChain, stubMac } from "./hash";

const AUDIT_REASON_BY_CHAIN_REASON: Record<ChainBreak["reason"], AuditBreakReason> = {
  altered: "seal_altered",
  removed_before: "seal_removed",
  unchained: "seal_altered",
  cut_off: "cut_off",
  head_removed: "head_removed",
  head_forged: "head_forged",
};

export interface AuditVerdict extends Pick<VerificationResult, "lastHash" | "validHashes"> {
  entryCount: number;
  erasedCount: number;
  sealCount: number;
  broken?: { reason: AuditBreakReason; id: number };
}

type SqlAccess = Pick<DbAccess, "sql">;
type Stub = Awaited<ReturnType<typeof findStub>>[number];

/** Maximum number of checks: a check is repeated if retention deleted entries during it. */
const MAX_ATTEMPTS = 10;

/** Verifies seals after the retention stub, and older evidence. Ignores seals added during the check. */
export async function verifyAudit(access: SqlAccess): Promise<AuditVerdict> {
  for (let attempt = 1; ; attempt++) {
    const [stub] = await findStub(access);
    const verdict = await verifyAfterStub(access, stub);
    if (!verdict.broken || attempt === MAX_ATTEMPTS) return verdict;
    if ((await findStub(access))[0]?.id === stub?.id) return verdict;
  }
}

async function verifyAfterStub(access: SqlAccess, stub: Stub | undefined): Promise<AuditVerdict> {
  const counts = { entryCount: 0, erasedCount: 0 };
  if (stub && !stubMac.matches(stub, stub.mac)) {
    const broken = { reason: "stub_forged" as const, id: stub.id };
    return { ...counts, sealCount: 0, lastHash: null, validHashes: new Set(), broken };
  }
  const [head] = await findAuditHead(access);
  let sealWithoutFirstEntry: Seal | undefined;
  const readSeals = async (afterSealId: number, limit: number) => {
    const seals = await listSeals(access, { afterSealId, limit });
    sealWithoutFirstEntry ??= seals.find(({ hasFirstEntry }) => !hasFirstEntry);
    return seals;
  };
  const {
    checked: sealCount,
    broken,
    ...chainResult
  } = await sealChain.verify({ head, read: readSeals, start: stub });
  const verdict: AuditVerdict = {
    ...counts,
    sealCount,
    lastHash: chainResult.lastHash,
    validHashes: chainResult.validHashes,
  };
  if (broken) verdict.broken = { reason: AUDIT_REASON_BY_CHAIN_REASON[broken.reason], id: broken.id };
  else if (sealWithoutFirstEntry)
    verdict.broken = { reason: "entry_removed", id: Number(sealWithoutFirstEntry.firstId) };
  else verdict.broken = await verifyEntries(access, verdict, { upToSealId: head?.id ?? 0, stub });
  return verdict;
}

interface OpenSeal {
  seal: Seal;
  count: number;
  digest: Hash;
}

/** Returns the first break. Counts the verified and the erased entries in `verdict`. */
async function verifyEntries(
  access: SqlAccess,
  verdict: AuditVerdict,
  { upToSealId, stub }: { upToSealId: number; stub: Stub | undefined },
): Promise<AuditVerdict["broken"]> {
  const openSeals = new Map<number, OpenSeal>();
  const evidenceEntries: SealedEntry[] = [];
  const readEntries = (afterEntryId: string, limit: number) =>
    listEntriesSealedUpTo(access, { afterEntryId, limit, upToSealId });
  for await (const entries of readBatches(readEntries, "0")) {
    const newSealIds = new Set(entries.map(({ sealId }) => sealId).filter((id) => !openSeals.has(id)));
    for (const seal of await findSeals(access, { ids: [...newSealIds] }))
      openSeals.set(seal.id, { seal, count: 0, digest: createHash("sha256") });
    for (const entry of entries) {
      const id = Number(entry.id);
      const state = getEntryState(entry);
      if (state === "altered") return { reason: "entry_altered", id };
      const openSeal = openSeals.get(entry.sealId);
      if (stub && entry.sealId <= stub.id) evidenceEntries.push(entry);
      else if (!openSeal || BigInt(entry.id) > BigInt(openSeal.seal.lastId))
        return { reason: "entry_added", id };
      verdict.entryCount++;
      if (state === "erased") verdict.erasedCount++;
      if (!openSeal) continue;
      openSeal.count++;
      openSeal.digest.update(entry.rowHash!);
      if (entry.id !== openSeal.seal.lastId) continue;
      const broken = findSealBreak(openSeal);
      if (broken) return broken;
      openSeals.delete(entry.sealId);
    }
  }
  const [incompleteSeal] = openSeals.values();
  if (incompleteSeal) return { reason: "entry_removed", id: Number(incompleteSeal.seal.lastId) };
  return stub && findEvidenceBreak(stub, evidenceEntries);
}

type SealedEntry = Awaited<ReturnType<typeof listEntriesSealedUpTo>>[number];

function findEvidenceBreak(
  { id, kept: evidenceCount, digest }: RetentionStub,
  evidenceEntries: SealedEntry[],
): AuditVerdict["broken"] {
  const orderedEntries = evidenceEntries.toSorted(
    (a, b) => a.sealId - b.sealId || Number(BigInt(a.id) - BigInt(b.id)),
  );
  const computedDigest = orderedEntries.reduce<Uint8Array>(
    (digestSoFar, { rowHash }) => extendEvidenceDigest(digestSoFar, rowHash!),
    Buffer.alloc(0),
  );
  if (evidenceEntries.length === evidenceCount && areBytesEqual(computedDigest, digest)) return undefined;
  const reason = evidenceEntries.length > evidenceCount ? "entry_added" : "entry_removed";
  return { reason, id: Number(orderedEntries.at(-1)?.id ?? id) };
}

export function findSealBreak({ seal, count, digest }: OpenSeal): AuditVerdict["broken"] {
  if (count !== seal.rows)
    return { reason: count < seal.rows ? "entry_removed" : "entry_added", id: Number(seal.lastId) };
  return areBytesEqual(digest.digest(), seal.digest) ? undefined : { reason: "seal_altered", id: seal.id };
}
