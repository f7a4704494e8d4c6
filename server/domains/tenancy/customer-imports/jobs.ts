import { type Context, systemContext } from "@/server/core/context";
import { isAppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { guardSignUp } from "@/server/domains/access/registration/service/guard";
import { hasSigned } from "@/server/domains/accounts/portal-lock/service";
import { lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { obstacleTo, openInvitation } from "@/server/domains/tenancy/customers/service/invite";
import { returnMail, takeMail } from "@/server/domains/tenancy/customers/service/mail-limit";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import type { Outcome } from "./policy";
import { type Judged, judge, Report, StoredMapping } from "./service/judge";
import { StoredTable } from "./service/table";
import { lockImport } from "./statements";

/** Rows of one transaction: a process that dies loses at most so many, and they are done again. */
const BATCH = 50;
/** Names that are looked up at once. */
const LOOKUPS = 10;

/** Invites whoever is in the good rows of an import; goes on where an earlier run ended. */
export async function importCustomersJob({ importId: id }: { importId: number }): Promise<void> {
  const found = await outside().db.customerImport.findUnique({
    where: { id },
    select: { rows: true, mapping: true, state: true, done: true },
  });
  if (found?.state !== "running") return;
  const table = StoredTable.parse(found.rows);
  const rows = judge(table, StoredMapping.parse(found.mapping));
  for (let from = found.done; from < rows.length; from += BATCH) {
    const batch = await guarded(rows.slice(from, from + BATCH));
    if (!(await inviteBatch(id, from, batch))) return;
  }
  await outside().db.customerImport.updateMany({
    where: { id, state: "running" },
    data: { state: "done", rows: [table.columns] },
  });
}

/** What the outside knows about addresses, found out before anything is locked. */
async function guarded(batch: Judged[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let from = 0; from < batch.length; from += LOOKUPS)
    judged.push(
      ...(await Promise.all(
        batch.slice(from, from + LOOKUPS).map(async (row): Promise<Judged> => {
          if (row.outcome !== "ready") return row;
          return (await isRefused(row.email!)) ? { ...row, outcome: "refused" } : row;
        }),
      )),
    );
  return judged;
}

/** Anything but the refusal itself is for the job to try again. */
async function isRefused(email: string): Promise<boolean> {
  try {
    await guardSignUp({ email });
    return false;
  } catch (error) {
    if (isAppError(error) && error.code === "sign_up_refused") return true;
    throw error;
  }
}

/** One transaction. False when another run is further, or there is nothing to do any more. */
async function inviteBatch(id: number, from: number, batch: Judged[]): Promise<boolean> {
  const counted: string[] = [];
  const invited = inTransaction(async (work) => {
    const known = await work.db.customerImport.findUnique({ where: { id }, select: { resellerId: true } });
    if (!known || !(await lockUserIfAny(work, known.resellerId))) return false;
    const [locked] = await lockImport(work, { id });
    if (!locked) return false;
    const { resellerId } = known;
    const row = await work.db.customerImport.findUniqueOrThrow({
      where: { id },
      select: {
        done: true,
        report: true,
        locale: true,
        reseller: { select: { isActive: true, role: true, emailVerifiedAt: true } },
      },
    });
    if (row.done !== from) return false;
    const { isActive, role, emailVerifiedAt } = row.reseller;
    const allowed =
      isActive && role === "reseller" && emailVerifiedAt !== null && (await hasSigned(work, resellerId));
    const tx = { ...systemContext(work), locale: isLocale(row.locale) ? row.locale : FALLBACK_LOCALE };
    const report = Report.parse(row.report);
    for (const each of batch)
      report.push({ ...each, outcome: await outcomeOf(tx, { resellerId, each, allowed, counted }) });
    await work.db.customerImport.update({
      where: { id },
      data: { done: from + batch.length, report: report as object[] },
      select: { id: true },
    });
    return true;
  });
  return invited.catch(async (error: unknown) => {
    // Nobody was mailed, and the rows are done again.
    await Promise.allSettled(counted.map(returnMail));
    throw error;
  });
}

interface Case {
  resellerId: number;
  each: Judged;
  allowed: boolean;
  /** Addresses whose mails were counted in this transaction. */
  counted: string[];
}

async function outcomeOf(tx: Context, { resellerId, each, allowed, counted }: Case): Promise<Outcome> {
  if (each.outcome !== "ready") return each.outcome;
  if (!allowed) return "stopped";
  const [name, email] = [each.name!, each.email!];
  const obstacle = await obstacleTo(tx, resellerId, email);
  if (obstacle) return obstacle;
  if (!(await takeMail(email)).allowed) return "mailed_enough";
  counted.push(email);
  await openInvitation(tx, resellerId, { name, email, phone: each.phone });
  return "invited";
}

/** Deletes imports after 30 days: they are addresses of people who may never have answered. */
export async function forgetImportsJob(): Promise<void> {
  await outside().db.customerImport.deleteMany({ where: { createdAt: { lt: fromNow(-30 * DAY) } } });
}
