import { HealthCheckError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { PROCESSING_STATES, STATES_WITH_DEADLINE } from "../policy";
import { isInvoicingPaused } from "./access";

/** Health check: fails for late invoices that jobs should process, not for those that wait for a person. */
export async function checkInvoicing(tx: Pick<DbAccess, "db">): Promise<string> {
  if (!env().parasut) return "not set up";
  if (await isInvoicingPaused(tx)) throw new HealthCheckError("paused");
  const lateStates = await tx.db.accountingDocument.findMany({
    where: { state: { in: [...STATES_WITH_DEADLINE] }, deadlineAt: { lt: new Date() } },
    distinct: "state",
    select: { state: true },
  });
  if (lateStates.some(({ state }) => PROCESSING_STATES.some((processingState) => processingState === state)))
    throw new HealthCheckError("late");
  return lateStates.length > 0 ? "in time, but for those that wait for a person" : "in time";
}
