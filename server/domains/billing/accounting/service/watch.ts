import { Finding } from "@/server/core/domain";
import { env } from "@/server/core/env";
import type { Work } from "@/server/infrastructure/database/transaction";
import { CLOSED } from "../policy";
import { isPaused } from "./access";

/** Whether invoices are made by their legal deadline, as a part of health. */
export async function watchInvoices(work: Pick<Work, "db">): Promise<string> {
  if (!env().parasut) return "not set up";
  if (await isPaused(work)) throw new Finding("paused");
  const late = await work.db.accountingDocument.count({
    where: { state: { notIn: [...CLOSED] }, deadlineAt: { lt: new Date() } },
  });
  if (late > 0) throw new Finding("late");
  return "in time";
}
