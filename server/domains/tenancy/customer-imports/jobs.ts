import { type Context, createSystemContext } from "@/server/core/context";
import { isAppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { refuseSpamAddress } from "@/server/domains/access/registration/service/refuse-spam-address";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import {
  createAndMailInvitation,
  findInvitationObstacle,
} from "@/server/domains/tenancy/customers/service/invite";
import {
  consumeInvitationMailPoint,
  returnInvitationMailPoint,
} from "@/server/domains/tenancy/customers/service/mail-limit";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { importJobKey, type RowOutcome } from "./policy";
import { type CheckedRow, checkRows, ImportReport, StoredMapping } from "./service/check-rows";
import { consumeAccountReportPoint, returnAccountReportPoint } from "./service/report-limit";
import { parseStoredTable } from "./service/table";
import { lockRunningImport } from "./statements";

const BATCH_SIZE = 20;
/** Generous, because a batch that times out is repeated forever. */
const BATCH_TIMEOUT_SECONDS = 30;
const CONCURRENT_LOOKUPS = 10;

/** Invites the people in valid rows. A retry resumes after the last finished batch. */
export async function importCustomersJob({ importId: id }: { importId: number }): Promise<void> {
  const customerImport = await withoutTransaction().db.customerImport.findUnique({
    where: { id },
    select: { rows: true, headingRow: true, mapping: true, state: true, done: true },
  });
  if (customerImport?.state !== "running") return;
  const table = parseStoredTable(customerImport.rows, customerImport.headingRow);
  const rows = checkRows(table, StoredMapping.parse(customerImport.mapping));
  for (let firstIndex = customerImport.done; firstIndex < rows.length; firstIndex += BATCH_SIZE) {
    const batch = await checkAddresses(rows.slice(firstIndex, firstIndex + BATCH_SIZE));
    if ((await inviteBatch(id, firstIndex, batch)) < batch.length) return;
  }
  // Keep only the headings of the file; the report has the people.
  await withoutTransaction().db.customerImport.updateMany({
    where: { id, state: "running" },
    data: { state: "done", rows: [table.columns] },
  });
}

/** Runs before any lock is taken, because `refuseSpamAddress` makes external lookups. */
async function checkAddresses(batch: CheckedRow[]): Promise<CheckedRow[]> {
  const checkedRows: CheckedRow[] = [];
  for (let firstIndex = 0; firstIndex < batch.length; firstIndex += CONCURRENT_LOOKUPS)
    checkedRows.push(
      ...(await Promise.all(
        batch.slice(firstIndex, firstIndex + CONCURRENT_LOOKUPS).map(async (row): Promise<CheckedRow> => {
          if (row.outcome !== "ready") return row;
          return (await isSignUpRefused(row.email!)) ? { ...row, outcome: "refused" } : row;
        }),
      )),
    );
  return checkedRows;
}

async function isSignUpRefused(email: string): Promise<boolean> {
  try {
    await refuseSpamAddress({ email });
    return false;
  } catch (error) {
    if (isAppError(error) && error.code === "sign_up_refused") return true;
    throw error;
  }
}

/** Returns the finished rows: 0 if another run is ahead, fewer than all if the report limit pauses it. */
async function inviteBatch(id: number, firstIndex: number, batch: CheckedRow[]): Promise<number> {
  const pointReturners: Array<() => Promise<unknown>> = [];
  const finishedRowCount = inTransaction(
    async (transaction) => {
      const customerImport = await transaction.db.customerImport.findUnique({
        where: { id },
        select: { resellerId: true },
      });
      if (!customerImport || !(await lockUserIfExists(transaction, customerImport.resellerId))) return 0;
      const [lockedImport] = await lockRunningImport(transaction, { id });
      if (!lockedImport) return 0;
      const { resellerId } = customerImport;
      const importRow = await transaction.db.customerImport.findUniqueOrThrow({
        where: { id },
        select: {
          done: true,
          report: true,
          locale: true,
          reseller: { select: { isActive: true, role: true, emailVerifiedAt: true } },
        },
      });
      if (importRow.done !== firstIndex) return 0;
      const { isActive, role, emailVerifiedAt } = importRow.reseller;
      const canInvite =
        isActive &&
        role === "reseller" &&
        emailVerifiedAt !== null &&
        (await hasSignedAgreement(transaction, resellerId));
      const tx = {
        ...createSystemContext(transaction),
        locale: isLocale(importRow.locale) ? importRow.locale : FALLBACK_LOCALE,
      };
      const report = ImportReport.parse(importRow.report);
      let waitSeconds = 0;
      for (const checkedRow of batch) {
        const outcomeOrWaitSeconds = await inviteRow(tx, {
          resellerId,
          checkedRow,
          canInvite,
          pointReturners,
        });
        if (typeof outcomeOrWaitSeconds === "number") {
          waitSeconds = outcomeOrWaitSeconds;
          break;
        }
        report.push({ ...checkedRow, outcome: outcomeOrWaitSeconds });
      }
      if (waitSeconds > 0) {
        const runAt = fromNow(waitSeconds * SECOND);
        await addJob(transaction, "import_customers", { importId: id }, { key: importJobKey(id), runAt });
      }
      await transaction.db.customerImport.update({
        where: { id },
        data: { done: report.length, report: report as object[] },
        select: { id: true },
      });
      return report.length - firstIndex;
    },
    { seconds: BATCH_TIMEOUT_SECONDS },
  );
  return finishedRowCount.catch(async (error: unknown) => {
    // The transaction was rolled back, so no mail was sent. The retry consumes the limits again.
    await Promise.allSettled(pointReturners.map((returnPoint) => returnPoint()));
    throw error;
  });
}

interface RowContext {
  resellerId: number;
  checkedRow: CheckedRow;
  canInvite: boolean;
  /** Callbacks that return consumed rate-limit points after a rollback. */
  pointReturners: Array<() => Promise<unknown>>;
}

/** Returns the outcome, or the seconds to wait if the report limit is reached. */
async function inviteRow(
  tx: Context,
  { resellerId, checkedRow, canInvite, pointReturners }: RowContext,
): Promise<RowOutcome | number> {
  if (checkedRow.outcome !== "ready") return checkedRow.outcome;
  if (!canInvite) return "stopped";
  const [name, email] = [checkedRow.name!, checkedRow.email!];
  const obstacle = await findInvitationObstacle(tx, resellerId, email);
  if (obstacle === "has_account" && !(await isVisibleToReseller(tx, resellerId, email))) {
    const waitSeconds = await consumeAccountReportPoint(resellerId);
    if (waitSeconds > 0) return waitSeconds;
    pointReturners.push(() => returnAccountReportPoint(resellerId));
  }
  if (obstacle) return obstacle;
  if (!(await consumeInvitationMailPoint(email)).allowed) return "mailed_enough";
  pointReturners.push(() => returnInvitationMailPoint(email));
  await createAndMailInvitation(tx, resellerId, { name, email, phone: checkedRow.phone });
  return "invited";
}

async function isVisibleToReseller(
  { db }: Pick<Context, "db">,
  resellerId: number,
  email: string,
): Promise<boolean> {
  const visibleAccounts = [
    { id: resellerId },
    { resellerId },
    { parentUserId: resellerId },
    { parent: { resellerId } },
  ];
  return (await db.user.count({ where: { emailKey: toEmailKey(email), OR: visibleAccounts } })) > 0;
}

/** Deletes imports after 30 days: they contain addresses of people who may never have accepted. */
export async function deleteOldImportsJob(): Promise<void> {
  await withoutTransaction().db.customerImport.deleteMany({
    where: { createdAt: { lt: fromNow(-30 * DAY) } },
  });
}
