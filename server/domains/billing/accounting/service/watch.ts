import { Finding } from "@/server/core/domain";
import { env } from "@/server/core/env";
import type { Work } from "@/server/infrastructure/database/transaction";
import { CLOSED, OPEN } from "../policy";
import { isPaused } from "./access";

/** Health check: fails for late invoices that jobs should process, not for those that wait for a person. */
export async function watchInvoices(tx: Pick<Work, "db">): Promise<string> {
  if (!env().parasut) return "not set up";
  if (await isPaused(tx)) throw new Finding("paused");
  const late = await tx.db.accountingDocument.findMany({
    where: { state: { notIn: [...CLOSED] }, deadlineAt: { lt: new Date() } },
    distinct: "state",
    select: { state: true },
  });
  if (late.some(({ state }) => OPEN.some((open) => open === state))) throw new Finding("late");
  return late.length > 0 ? "in time, but for those that wait for a person" : "in time";
}
