import { createSystemContext } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { eraseConsentEntries } from "@/server/domains/accounts/consents/service/ledger";
import { forEachAccount } from "@/server/domains/accounts/users/service/for-each-account";
import { eraseSignatures } from "@/server/domains/tenancy/legal-texts/service/signature-chain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { listExpiredAccounts } from "../statements";

const BATCH_SIZE = 100;

/** Deletes anonymised accounts after their retention. A failure does not stop the others. */
export async function deleteExpiredAccounts(tx: Pick<DbAccess, "sql">): Promise<void> {
  const expiredAccounts = await listExpiredAccounts(tx, { limit: BATCH_SIZE });
  await forEachAccount(
    expiredAccounts.map(({ id }) => id),
    deleteExpiredAccount,
  );
}

async function deleteExpiredAccount(tx: DbAccess, userId: number): Promise<void> {
  const context = createSystemContext(tx);
  await eraseConsentEntries(context, userId);
  await eraseSignatures(context, userId);
  await tx.db.referralEarning.deleteMany({ where: { resellerId: userId } });
  await tx.db.referralPayout.deleteMany({ where: { resellerId: userId } });
  await deletePayments(tx, userId);
  await moveRecordsToPayers(tx, userId);
  // Cascades: licences are deleted with their sites, the reseller record with the account.
  await tx.db.siteLicence.deleteMany({ where: { userId } });
  await tx.db.site.deleteMany({ where: { userId } });
  await tx.db.subscription.deleteMany({ where: { userId } });
  await tx.db.creditEntry.deleteMany({ where: { userId } });
  await tx.db.user.deleteMany({ where: { id: userId, anonymisedAt: { not: null } } });
  await audit(context, { action: "account.deleted", object: { type: "User", id: userId } });
}

/** Payments of other accounts must keep the licences and sites that they refer to. */
async function moveRecordsToPayers({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  const paymentsByOthers = await db.payment.findMany({
    where: { licence: { userId }, userId: { not: userId } },
    orderBy: { id: "asc" },
    select: { licenceId: true, userId: true },
  });
  for (const { licenceId, userId: payerId } of paymentsByOthers)
    await db.siteLicence.update({
      where: { id: licenceId! },
      data: { userId: payerId },
      select: { id: true },
    });
  const licences = await db.siteLicence.findMany({
    where: { site: { userId }, userId: { not: userId } },
    select: { siteId: true, userId: true },
  });
  for (const { siteId, userId: payerId } of licences)
    await db.site.update({ where: { id: siteId }, data: { userId: payerId }, select: { id: true } });
}

async function deletePayments(tx: DbAccess, userId: number): Promise<void> {
  const receipts = await tx.db.payment.findMany({
    where: { userId, receiptKey: { not: null } },
    select: { receiptKey: true },
  });
  for (const { receiptKey } of receipts) await addJob(tx, "remove_file", { key: receiptKey! });
  const invoices = await tx.db.accountingDocument.findMany({
    where: { payment: { userId }, pdfKey: { not: null } },
    select: { pdfKey: true },
  });
  for (const { pdfKey } of invoices) await addJob(tx, "remove_file", { key: pdfKey! });
  await tx.db.accountingDocument.deleteMany({ where: { payment: { userId } } });
  await tx.db.referralEarning.deleteMany({ where: { payment: { userId } } });
  await tx.db.payment.deleteMany({ where: { userId } });
}
