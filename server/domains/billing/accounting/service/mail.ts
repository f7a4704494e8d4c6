import { systemContext } from "@/server/core/context";
import { type Locale, localeOf, withLatinDigits } from "@/server/core/locale";
import { formatMoney } from "@/server/core/money";
import { text } from "@/server/core/texts";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import type { Work } from "@/server/infrastructure/database/transaction";
import { holdCustomer } from "../statements";
import type { Row } from "./hold";

type Then = (tx: Work) => Promise<void>;

const PAGE = "/billing?tab=documents";

/** Whom to tell, as the account is now; null for one that was erased, perhaps while the step was under way. */
async function customerOf(tx: Work, row: Row) {
  const [held] = await holdCustomer(tx, { userId: row.payment.user.id });
  const select = { id: true, name: true, email: true, locale: true } as const;
  return held ? tx.db.user.findUnique({ where: held, select }) : null;
}

/** Tells the customer that an invoice is there, at the address for invoices. Nobody is left to tell of a deleted account. */
export function tellReady(row: Row, number: string): Then {
  return async (tx) => {
    const user = await customerOf(tx, row);
    if (!user) return;
    // Those above an account do not read its invoices.
    const data = { id: row.id, payment_id: row.paymentId, number: number || null };
    await emit(tx, { type: "invoice.ready", ownerId: user.id, own: true, data });
    const nobody = systemContext(tx);
    const locale = localeOf(user, nobody.locale);
    const profile = await tx.db.billingProfile.findUnique({
      where: { userId: user.id },
      select: { email: true },
    });
    const amount = formatMoney(row.grossMinor, { currency: row.currency, locale: withLatinDigits(locale) });
    await mailUser(nobody, user, {
      ...{ template: "invoice_ready", path: PAGE, params: { number, amount } },
      ...(profile?.email && { to: profile.email }),
    });
  };
}

/** Tells the customer what their invoice lacks. */
export function tellNeedsData(row: Row, missing: string[]): Then {
  return async (tx) => {
    const user = await customerOf(tx, row);
    if (!user) return;
    const nobody = systemContext(tx);
    const locale = localeOf(user, nobody.locale);
    const fields = namesOf(locale, missing) || text(locale, "billing.documents.refused");
    await mailUser(nobody, user, {
      template: "invoice_needs_data",
      path: "/billing?tab=profile",
      params: { fields },
    });
  };
}

/** Fields of a billing profile, as a list of words. */
function namesOf(locale: Locale, fields: string[]): string {
  const names = fields.map((field) => text(locale, `billing.documents.missing.${field}`));
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}
