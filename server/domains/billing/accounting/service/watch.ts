import { Finding } from "@/server/core/domain";
import { env } from "@/server/core/env";
import type { Work } from "@/server/infrastructure/database/transaction";
import { CLOSED, OPEN } from "../policy";
import { isPaused } from "./access";

/**
 * Whether invoices are made by their legal deadline, as a part of health. A late one that a person has to go on with is no
 * fault of this installation: administrators are written to every morning, and their list is red.
 */
export async function watchInvoices(work: Pick<Work, "db">): Promise<string> {
  if (!env().parasut) return "not set up";
  if (await isPaused(work)) throw new Finding("paused");
  const late = await work.db.accountingDocument.findMany({
    where: { state: { notIn: [...CLOSED] }, deadlineAt: { lt: new Date() } },
    distinct: "state",
    select: { state: true },
  });
  if (late.some(({ state }) => OPEN.some((open) => open === state))) throw new Finding("late");
  return late.length > 0 ? "in time, but for those that wait for a person" : "in time";
}
