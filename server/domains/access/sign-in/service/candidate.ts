import type * as z from "zod";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockCandidateRow, selectCandidate } from "../statements";

/** What the gates check, and the password's hash. */
export type FoundCandidate = z.output<typeof selectCandidate.row>;

/** Returns the account with an address or id, with all that a sign-in needs to know. */
export async function findCandidate(
  work: Pick<Work, "sql">,
  by: { id: number } | { key: string },
): Promise<FoundCandidate | undefined> {
  const [user] = await selectCandidate(work, by);
  return user;
}

/**
 * Reads the account again in the transaction that signs in, and keeps it as it is until then: what was checked before
 * may have been changed or revoked meanwhile.
 */
export async function lockCandidate(tx: Pick<Work, "sql">, id: number): Promise<FoundCandidate | undefined> {
  const [user] = await lockCandidateRow(tx, { id });
  return user;
}
