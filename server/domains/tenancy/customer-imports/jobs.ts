import { type Context, systemContext } from "@/server/core/context";
import { isAppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { guardSignUp } from "@/server/domains/access/registration/service/guard";
import { hasSigned } from "@/server/domains/accounts/portals/service/access";
import { lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { obstacleTo, openInvitation } from "@/server/domains/tenancy/customers/service/invite";
import { returnMail, takeMail } from "@/server/domains/tenancy/customers/service/mail-limit";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { importKey, type Outcome } from "./policy";
import { type Judged, judge, Report, StoredMapping } from "./service/judge";
import { returnReport, takeReport } from "./service/ration";
import { storedTable } from "./service/table";
import { lockImport } from "./statements";

/** Rows per transaction: at most these are repeated after a crash. */
const BATCH = 20;
/** Timeout of a batch; generous, because a batch that times out is repeated forever. */
const BATCH_SECONDS = 30;
/** Concurrent DNS lookups. */
const LOOKUPS = 10;

/** Invites the people in valid rows of an import, and resumes after the last finished batch. */
export async function importCustomersJob({ importId: id }: { importId: number }): Promise<void> {
  const found = await outside().db.customerImport.findUnique({
    where: { id },
    select: { rows: true, headingRow: true, mapping: true, state: true, done: true },
  });
  if (found?.state !== "running") return;
  const table = storedTable(found.rows, found.headingRow);
  const rows = judge(table, StoredMapping.parse(found.mapping));
  for (let from = found.done; from < rows.length; from += BATCH) {
    const batch = await guarded(rows.slice(from, from + BATCH));
    if ((await inviteBatch(id, from, batch)) < batch.length) return;
  }
  await outside().db.customerImport.updateMany({
    where: { id, state: "running" },
    data: { state: "done", rows: [table.columns] },
  });
}

/** Checks addresses with external lookups, before any lock is taken. */
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

/** Any other error fails the job, which is retried. */
async function isRefused(email: string): Promise<boolean> {
  try {
    await guardSignUp({ email });
    return false;
  } catch (error) {
    if (isAppError(error) && error.code === "sign_up_refused") return true;
    throw error;
  }
}

/**
 * Processes a batch in one transaction. Returns the number of finished rows: 0 if another run is ahead or the
 * import is over, and fewer than all if the rest must wait for a run that this one has scheduled.
 */
async function inviteBatch(id: number, from: number, batch: Judged[]): Promise<number> {
  const counted: Array<() => Promise<unknown>> = [];
  const invited = inTransaction(
    async (work) => {
      const known = await work.db.customerImport.findUnique({ where: { id }, select: { resellerId: true } });
      if (!known || !(await lockUserIfAny(work, known.resellerId))) return 0;
      const [locked] = await lockImport(work, { id });
      if (!locked) return 0;
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
      if (row.done !== from) return 0;
      const { isActive, role, emailVerifiedAt } = row.reseller;
      const allowed =
        isActive && role === "reseller" && emailVerifiedAt !== null && (await hasSigned(work, resellerId));
      const tx = { ...systemContext(work), locale: isLocale(row.locale) ? row.locale : FALLBACK_LOCALE };
      const report = Report.parse(row.report);
      let wait = 0;
      for (const each of batch) {
        const outcome = await outcomeOf(tx, { resellerId, each, allowed, counted });
        if (typeof outcome === "number") {
          wait = outcome;
          break;
        }
        report.push({ ...each, outcome });
      }
      if (wait > 0) {
        const runAt = fromNow(wait * SECOND);
        await addJob(work, "import_customers", { importId: id }, { key: importKey(id), runAt });
      }
      await work.db.customerImport.update({
        where: { id },
        data: { done: report.length, report: report as object[] },
        select: { id: true },
      });
      return report.length - from;
    },
    { seconds: BATCH_SECONDS },
  );
  return invited.catch(async (error: unknown) => {
    // Rolled back: no mail was sent, and the rows are repeated.
    await Promise.allSettled(counted.map((giveBack) => giveBack()));
    throw error;
  });
}

interface Case {
  resellerId: number;
  each: Judged;
  allowed: boolean;
  /** Reverts the rate limits consumed in this transaction. */
  counted: Array<() => Promise<unknown>>;
}

/** Returns the outcome of a row, or the seconds it must wait. */
async function outcomeOf(
  tx: Context,
  { resellerId, each, allowed, counted }: Case,
): Promise<Outcome | number> {
  if (each.outcome !== "ready") return each.outcome;
  if (!allowed) return "stopped";
  const [name, email] = [each.name!, each.email!];
  const obstacle = await obstacleTo(tx, resellerId, email);
  if (obstacle === "has_account" && !(await isBelow(tx, resellerId, email))) {
    const wait = await takeReport(resellerId);
    if (wait > 0) return wait;
    counted.push(() => returnReport(resellerId));
  }
  if (obstacle) return obstacle;
  if (!(await takeMail(email)).allowed) return "mailed_enough";
  counted.push(() => returnMail(email));
  await openInvitation(tx, resellerId, { name, email, phone: each.phone });
  return "invited";
}

/** Whether the address belongs to an account that the reseller can see anyway. */
async function isBelow({ db }: Pick<Context, "db">, resellerId: number, email: string): Promise<boolean> {
  const below = [
    { id: resellerId },
    { resellerId },
    { parentUserId: resellerId },
    { parent: { resellerId } },
  ];
  return (await db.user.count({ where: { emailKey: emailKey(email), OR: below } })) > 0;
}

/** Deletes imports after 30 days: they contain addresses of people who may never have accepted. */
export async function forgetImportsJob(): Promise<void> {
  await outside().db.customerImport.deleteMany({ where: { createdAt: { lt: fromNow(-30 * DAY) } } });
}
