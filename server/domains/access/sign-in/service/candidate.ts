import type * as z from "zod";
import type { Work } from "@/server/infrastructure/database/transaction";
import { selectCandidate } from "../statements";

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
