import { dayOf } from "@/server/core/calendar";
import { type BillTo, billToOf, missingOf } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_PURPOSE } from "@/server/domains/billing/payments/service/record";
import { outside } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { setting } from "@/server/infrastructure/settings";
import type { Row } from "./hold";
import { AccountingFailure, type Party } from "./provider";

/** Whom an invoice is made out to, complete. Throws with the fields that are missing. */
export async function partyOf(billTo: BillTo): Promise<Party> {
  const missing = missingOf(billTo);
  if (missing.length > 0) throw new AccountingFailure("data", "", { missing, certain: true });
  if (billTo.country !== "TR") throw new AccountingFailure("by_hand", "abroad");
  const { tax_number, tax_office, email, title, address, district, city } = billTo;
  return {
    isCompany: billTo.kind === "company",
    number: tax_number ?? (await setting(outside(), "final_consumer_tax_number")),
    isConsumer: tax_number === null,
    ...{ title: title!, address: address!, district: district!, city: city!, tax_office, email },
  };
}

/**
 * What was frozen with the payment. When that is incomplete or was refused, and no invoice was ever sent, what the
 * account has saved since is frozen in its place.
 */
export async function freshBillTo({ id, billTo, problem, issueDate, payment }: Row): Promise<BillTo> {
  const wanting = problem === "data" || missingOf(billTo).length > 0;
  if (!wanting || issueDate !== null || payment.user.anonymisedAt !== null) return billTo;
  const { db } = outside();
  const saved = await db.billingProfile.findUnique({
    where: { userId: payment.user.id },
    select: { userId: true },
  });
  if (!saved) return billTo;
  const fresh = await billToOf({ db }, payment.user);
  await db.payment.updateMany({
    where: { document: { id, issueDate: null } },
    data: { billToSealed: seal(JSON.stringify(fresh), BILL_TO_PURPOSE) },
  });
  return fresh;
}

const turkish = (moment: Date) => dayOf(moment).split("-").reverse().join(".");

/** What was sold, as on the paper: in Turkish, without anything personal. */
export function soldText({ payment: { subscription } }: Row): string {
  if (!subscription) return "Site lisansı, 1 yıl";
  return `${subscription.planName} aboneliği, ${turkish(subscription.startsAt)} – ${turkish(subscription.endsAt)}`;
}
