import { toTurkishDay } from "@/server/core/calendar";
import {
  type BillTo,
  findMissingInvoiceFields,
  getBillTo,
} from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { getSetting } from "@/server/infrastructure/settings";
import type { LeasedDocument } from "./lease";
import { AccountingFailure, type InvoiceRecipient } from "./provider";

/** Returns the complete recipient. Throws {@link AccountingFailure} with the missing fields. */
export async function resolveRecipient(billTo: BillTo): Promise<InvoiceRecipient> {
  const missing = findMissingInvoiceFields(billTo);
  if (missing.length > 0) throw new AccountingFailure("data", "", { missing, hadNoEffect: true });
  if (billTo.country !== "TR") throw new AccountingFailure("by_hand", "abroad");
  const { tax_number, tax_office, email, title, address, district, city } = billTo;
  return {
    isCompany: billTo.kind === "company",
    taxNumber: tax_number ?? (await getSetting(withoutTransaction(), "final_consumer_tax_number")),
    isConsumer: tax_number === null,
    ...{ title: title!, address: address!, district: district!, city: city!, tax_office, email },
  };
}

/** Replaces an incomplete or rejected recipient with the billing profile, unless the invoice was sent. */
export async function refreshBillTo({
  id,
  billTo,
  problem,
  issueDate,
  payment,
}: LeasedDocument): Promise<BillTo> {
  const needsUpdate = problem === "data" || findMissingInvoiceFields(billTo).length > 0;
  if (!needsUpdate || issueDate !== null || payment.user.anonymisedAt !== null) return billTo;
  const { db } = withoutTransaction();
  const profile = await db.billingProfile.findUnique({
    where: { userId: payment.user.id },
    select: { userId: true },
  });
  if (!profile) return billTo;
  const currentBillTo = await getBillTo({ db }, payment.user);
  await db.payment.updateMany({
    where: { document: { id, issueDate: null } },
    data: { billToSealed: seal(JSON.stringify(currentBillTo), BILL_TO_SEAL_PURPOSE) },
  });
  return currentBillTo;
}

const formatTurkishDate = (date: Date) => toTurkishDay(date).split("-").reverse().join(".");

/** Description of the invoice line, in Turkish, without personal data. */
export function formatInvoiceLine({ payment: { subscription } }: LeasedDocument): string {
  if (!subscription) return "Site lisansı, 1 yıl";
  return `${subscription.planName} aboneliği, ${formatTurkishDate(subscription.startsAt)} – ${formatTurkishDate(subscription.endsAt)}`;
}
