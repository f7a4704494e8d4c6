import type * as z from "zod";
import type { Work } from "@/server/infrastructure/database/transaction";
import { selectCandidate } from "../statements";

/** What the gates look at, and the password's hash. */
export type FoundCandidate = z.output<typeof selectCandidate.row>;

/** The account behind an address or a number, with all that sign-in needs to know of it. */
export async function findCandidate(
  work: Pick<Work, "sql">,
  by: { id: number } | { key: string },
): Promise<FoundCandidate | undefined> {
  const [user] = await selectCandidate(work, by);
  return user;
}
