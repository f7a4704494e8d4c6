import { type Context, systemContext } from "@/server/core/context";
import { isAppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { guardSignUp } from "@/server/domains/access/registration/service/guard";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { obstacleTo, openInvitation } from "@/server/domains/tenancy/customers/service/invite";
import { consumeMail, releaseMail } from "@/server/domains/tenancy/customers/service/mail-limit";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { importKey, type Outcome } from "./policy";
import { type CheckedRow, checkRows, Report, StoredMapping } from "./service/check-rows";
import { consumeReport, releaseReport } from "./service/report-limit";
import { parseStoredTable } from "./service/table";
import { lockImport } from "./statements";

const BATCH = 20;
/** Timeout of a batch; generous, because a batch that times out is repeated forever. */
const BATCH_SECONDS = 30;
const LOOKUPS = 10;

/** Invites the people in valid rows of an import, and resumes after the last finished batch. */
export async function importCustomersJob({ importId: id }: { importId: number }): Promise<void> {
  const stored = await withoutTransaction().db.customerImport.findUnique({
    where: { id },
    select: { rows: true, headingRow: true, mapping: true, state: true, done: true },
  });
  if (stored?.state !== "running") return;
  const table = parseStoredTable(stored.rows, stored.headingRow);
  const rows = checkRows(table, StoredMapping.parse(stored.mapping));
  for (let from = stored.done; from < rows.length; from += BATCH) {
    const batch = await checkAddresses(rows.slice(from, from + BATCH));
    if ((await inviteBatch(id, from, batch)) < batch.length) return;
  }
  await withoutTransaction().db.customerImport.updateMany({
    where: { id, state: "running" },
    data: { state: "done", rows: [table.columns] },
  });
}

/** Checks addresses with external lookups, before any lock is taken. */
async function checkAddresses(batch: CheckedRow[]): Promise<CheckedRow[]> {
  const judged: CheckedRow[] = [];
  for (let from = 0; from < batch.length; from += LOOKUPS)
    judged.push(
      ...(await Promise.all(
        batch.slice(from, from + LOOKUPS).map(async (row): Promise<CheckedRow> => {
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
 * Returns the number of finished rows: 0 if another run is ahead, fewer than all if the rest waits for a
 * later run.
 */
async function inviteBatch(id: number, from: number, batch: CheckedRow[]): Promise<number> {
  const consumed: Array<() => Promise<unknown>> = [];
  const result = inTransaction(
    async (work) => {
      const stored = await work.db.customerImport.findUnique({ where: { id }, select: { resellerId: true } });
      if (!stored || !(await lockUserIfAny(work, stored.resellerId))) return 0;
      const [locked] = await lockImport(work, { id });
      if (!locked) return 0;
      const { resellerId } = stored;
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
      const canInvite =
        isActive &&
        role === "reseller" &&
        emailVerifiedAt !== null &&
        (await hasSignedAgreement(work, resellerId));
      const tx = { ...systemContext(work), locale: isLocale(row.locale) ? row.locale : FALLBACK_LOCALE };
      const report = Report.parse(row.report);
      let waitSeconds = 0;
      for (const each of batch) {
        const outcome = await outcomeOf(tx, { resellerId, each, canInvite, consumed });
        if (typeof outcome === "number") {
          waitSeconds = outcome;
          break;
        }
        report.push({ ...each, outcome });
      }
      if (waitSeconds > 0) {
        const runAt = fromNow(waitSeconds * SECOND);
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
  return result.catch(async (error: unknown) => {
    // Rolled back: no mail was sent, and the rows are repeated.
    await Promise.allSettled(consumed.map((giveBack) => giveBack()));
    throw error;
  });
}

interface RowContext {
  resellerId: number;
  each: CheckedRow;
  canInvite: boolean;
  /** Reverts the rate limits consumed in this transaction. */
  consumed: Array<() => Promise<unknown>>;
}

async function outcomeOf(
  tx: Context,
  { resellerId, each, canInvite, consumed }: RowContext,
): Promise<Outcome | number> {
  if (each.outcome !== "ready") return each.outcome;
  if (!canInvite) return "stopped";
  const [name, email] = [each.name!, each.email!];
  const obstacle = await obstacleTo(tx, resellerId, email);
  if (obstacle === "has_account" && !(await isVisible(tx, resellerId, email))) {
    const waitSeconds = await consumeReport(resellerId);
    if (waitSeconds > 0) return waitSeconds;
    consumed.push(() => releaseReport(resellerId));
  }
  if (obstacle) return obstacle;
  if (!(await consumeMail(email)).allowed) return "mailed_enough";
  consumed.push(() => releaseMail(email));
  await openInvitation(tx, resellerId, { name, email, phone: each.phone });
  return "invited";
}

/** Whether the address belongs to an account that the reseller can see anyway. */
async function isVisible({ db }: Pick<Context, "db">, resellerId: number, email: string): Promise<boolean> {
  const visible = [
    { id: resellerId },
    { resellerId },
    { parentUserId: resellerId },
    { parent: { resellerId } },
  ];
  return (await db.user.count({ where: { emailKey: emailKey(email), OR: visible } })) > 0;
}

/** Deletes imports after 30 days: they contain addresses of people who may never have accepted. */
export async function deleteOldImportsJob(): Promise<void> {
  await withoutTransaction().db.customerImport.deleteMany({
    where: { createdAt: { lt: fromNow(-30 * DAY) } },
  });
}
