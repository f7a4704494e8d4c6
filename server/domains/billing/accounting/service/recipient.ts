import { dayOf } from "@/server/core/calendar";
import { type BillTo, billToOf, missingFields } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { setting } from "@/server/infrastructure/settings";
import type { LeasedDocument } from "./lease";
import { AccountingFailure, type InvoiceRecipient } from "./provider";

/** Returns the complete recipient. Throws {@link AccountingFailure} with the missing fields. */
export async function recipientOf(billTo: BillTo): Promise<InvoiceRecipient> {
  const missing = missingFields(billTo);
  if (missing.length > 0) throw new AccountingFailure("data", "", { missing, certain: true });
  if (billTo.country !== "TR") throw new AccountingFailure("by_hand", "abroad");
  const { tax_number, tax_office, email, title, address, district, city } = billTo;
  return {
    isCompany: billTo.kind === "company",
    number: tax_number ?? (await setting(withoutTransaction(), "final_consumer_tax_number")),
    isConsumer: tax_number === null,
    ...{ title: title!, address: address!, district: district!, city: city!, tax_office, email },
  };
}

/**
 * Replaces an incomplete or rejected recipient by the current billing profile, unless an invoice was sent.
 */
export async function refreshBillTo({
  id,
  billTo,
  problem,
  issueDate,
  payment,
}: LeasedDocument): Promise<BillTo> {
  const isIncomplete = problem === "data" || missingFields(billTo).length > 0;
  if (!isIncomplete || issueDate !== null || payment.user.anonymisedAt !== null) return billTo;
  const { db } = withoutTransaction();
  const saved = await db.billingProfile.findUnique({
    where: { userId: payment.user.id },
    select: { userId: true },
  });
  if (!saved) return billTo;
  const fresh = await billToOf({ db }, payment.user);
  await db.payment.updateMany({
    where: { document: { id, issueDate: null } },
    data: { billToSealed: seal(JSON.stringify(fresh), BILL_TO_SEAL_PURPOSE) },
  });
  return fresh;
}

const turkishDate = (moment: Date) => dayOf(moment).split("-").reverse().join(".");

/** Description of the invoice line, in Turkish, without personal data. */
export function invoiceLineText({ payment: { subscription } }: LeasedDocument): string {
  if (!subscription) return "Site lisansı, 1 yıl";
  return `${subscription.planName} aboneliği, ${turkishDate(subscription.startsAt)} – ${turkishDate(subscription.endsAt)}`;
}
