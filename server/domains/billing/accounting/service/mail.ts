import { systemContext } from "@/server/core/context";
import { type Locale, localeOf, withLatinDigits } from "@/server/core/locale";
import { formatMoney } from "@/server/core/money";
import { text } from "@/server/core/texts";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockCustomerAgainstErasure } from "../statements";
import type { LeasedDocument } from "./lease";

type InTransaction = (tx: DbAccess) => Promise<void>;

const PAGE = "/billing?tab=documents";

/** Current account of the customer; null if it was erased, possibly while the step was running. */
async function customerOf(tx: DbAccess, row: LeasedDocument) {
  const [account] = await lockCustomerAgainstErasure(tx, { userId: row.payment.user.id });
  const select = { id: true, name: true, email: true, locale: true } as const;
  return account ? tx.db.user.findUnique({ where: account, select }) : null;
}

/** Mails the customer that the invoice is ready, to the billing address; skips erased accounts. */
export function notifyInvoiceReady(row: LeasedDocument, number: string): InTransaction {
  return async (tx) => {
    const user = await customerOf(tx, row);
    if (!user) return;
    // Only the account itself: parents may not read its invoices.
    const data = { id: row.id, payment_id: row.paymentId, number: number || null };
    await emit(tx, { type: "invoice.ready", ownerId: user.id, own: true, data });
    const system = systemContext(tx);
    const locale = localeOf(user, system.locale);
    const profile = await tx.db.billingProfile.findUnique({
      where: { userId: user.id },
      select: { email: true },
    });
    const amount = formatMoney(row.grossMinor, { currency: row.currency, locale: withLatinDigits(locale) });
    await mailUser(system, user, {
      ...{ template: "invoice_ready", path: PAGE, params: { number, amount } },
      ...(profile?.email && { to: profile.email }),
    });
  };
}

export function notifyMissingData(row: LeasedDocument, missing: string[]): InTransaction {
  return async (tx) => {
    const user = await customerOf(tx, row);
    if (!user) return;
    const system = systemContext(tx);
    const locale = localeOf(user, system.locale);
    const fields = fieldNames(locale, missing) || text(locale, "billing.documents.refused");
    await mailUser(system, user, {
      template: "invoice_needs_data",
      path: "/billing?tab=profile",
      params: { fields },
    });
  };
}

function fieldNames(locale: Locale, fields: string[]): string {
  const names = fields.map((field) => text(locale, `billing.documents.missing.${field}`));
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}
