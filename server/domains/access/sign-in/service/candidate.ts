import type * as z from "zod";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockCandidateRow, selectCandidate } from "../statements";

export type FoundCandidate = z.output<typeof selectCandidate.row>;

export async function findCandidate(
  work: Pick<Work, "sql">,
  by: { id: number } | { key: string },
): Promise<FoundCandidate | undefined> {
  const [user] = await selectCandidate(work, by);
  return user;
}

/** Reads and locks the account in the transaction that signs in: it may have changed since it was checked. */
export async function lockCandidate(tx: Pick<Work, "sql">, id: number): Promise<FoundCandidate | undefined> {
  const [user] = await lockCandidateRow(tx, { id });
  return user;
}
