import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { countCustomerStates } from "../statements";

/** Counts a reseller's customers by state, and the invitations without an account. */
export async function countCustomersByState(dbAccess: Pick<DbAccess, "sql">, resellerId: number) {
  const [counts] = await countCustomerStates(dbAccess, { resellerId });
  return counts!;
}
