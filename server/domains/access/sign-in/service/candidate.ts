import type * as z from "zod";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockCandidateRow, selectCandidate } from "../statements";

export type CandidateRow = z.output<typeof selectCandidate.row>;

export async function findCandidate(
  access: Pick<DbAccess, "sql">,
  by: { id: number } | { emailKey: string },
): Promise<CandidateRow | undefined> {
  const [candidate] = await selectCandidate(access, by);
  return candidate;
}

/** Reads and locks the account in the transaction that signs in: it may have changed since it was checked. */
export async function lockCandidate(
  tx: Pick<DbAccess, "sql">,
  id: number,
): Promise<CandidateRow | undefined> {
  const [candidate] = await lockCandidateRow(tx, { id });
  return candidate;
}
