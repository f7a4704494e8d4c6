import { createSystemContext } from "@/server/core/context";
import { formatList } from "@/server/core/format";
import { type Locale, MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { formatMoney } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockCustomerAgainstErasure } from "../statements";
import type { LeasedDocument } from "./lease";

type TransactionCallback = (tx: DbAccess) => Promise<void>;

const DOCUMENTS_PAGE = "/billing?tab=documents";

/** Returns null if the account was erased, possibly while the step was running. */
async function findCustomer(tx: DbAccess, row: LeasedDocument) {
  const [account] = await lockCustomerAgainstErasure(tx, { userId: row.payment.user.id });
  const select = { id: true, name: true, email: true, ...MAIL_LOCALE_SELECT } as const;
  return account ? tx.db.user.findUnique({ where: account, select }) : null;
}

/** Returns the callback that mails the billing address; it skips erased accounts. */
export function createInvoiceReadyMailer(row: LeasedDocument, documentNumber: string): TransactionCallback {
  return async (tx) => {
    const user = await findCustomer(tx, row);
    if (!user) return;
    // Emit to the account only: its parent may not read its invoices.
    const data = { id: row.id, payment_id: row.paymentId, number: documentNumber || null };
    await emitWebhookEvent(tx, { type: "invoice.ready", ownerId: user.id, isOwnerOnly: true, data });
    const systemCtx = createSystemContext(tx);
    const locale = toMailLocale(user, systemCtx.locale);
    const profile = await tx.db.billingProfile.findUnique({
      where: { userId: user.id },
      select: { email: true },
    });
    const amount = formatMoney(row.grossMinor, { currency: row.currency, locale });
    await mailUser(systemCtx, user, {
      ...{ template: "invoice_ready", path: DOCUMENTS_PAGE, params: { number: documentNumber, amount } },
      ...(profile?.email && { to: profile.email }),
    });
  };
}

export function createMissingDataMailer(row: LeasedDocument, missing: string[]): TransactionCallback {
  return async (tx) => {
    const user = await findCustomer(tx, row);
    if (!user) return;
    const systemCtx = createSystemContext(tx);
    const locale = toMailLocale(user, systemCtx.locale);
    const fieldNamesText =
      formatFieldNames(locale, missing) || formatText(locale, "billing.documents.refused");
    await mailUser(systemCtx, user, {
      template: "invoice_needs_data",
      path: "/billing?tab=profile",
      params: { fields: fieldNamesText },
    });
  };
}

function formatFieldNames(locale: Locale, fields: string[]): string {
  const names = fields.map((field) => formatText(locale, `billing.documents.missing.${field}`));
  return formatList(locale, names);
}
