import type * as z from "zod";
import { dayOf, endOfDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { invalid } from "@/server/core/errors";
import { dateFormat } from "@/server/core/format";
import { FALLBACK_LOCALE, type Locale, localeOf } from "@/server/core/locale";
import { splitVat } from "@/server/core/money";
import { readerZone } from "@/server/core/zones";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { UserMail } from "@/server/domains/accounts/users/service/notify";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { lockOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { billToOf, missingFields } from "@/server/domains/billing/billing-profile/service";
import { PAYMENT } from "@/server/domains/billing/records/service/rows";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { setting } from "@/server/infrastructure/settings";
import type { payLicence } from "../contract";
import { lockCustomer } from "../statements";
import { recordEarning } from "./earnings";
import { enqueueDocument } from "./enqueue-document";

export const BILL_TO_SEAL_PURPOSE = "bill_to";

export type Transfer = z.output<NonNullable<(typeof payLicence)["body"]>>;
export type Customer = z.output<typeof lockCustomer.row>;

/**
 * Locks the paying account and the caller's. Returns undefined for a missing or erased account. Throws
 * `unauthenticated` if the caller was signed out in the meantime.
 */
export async function lockPayingCustomer(
  tx: Context<UserActor>,
  userId: number,
): Promise<Customer | undefined> {
  // Accounts are locked in the order of their IDs.
  const lockedFirst = userId < tx.actor.id ? await lockCustomer(tx, { userId }) : undefined;
  await lockOwnAccount(tx);
  const [customer] = lockedFirst ?? (await lockCustomer(tx, { userId }));
  return customer?.isErased ? undefined : customer;
}

/**
 * Returns the day of the payment; today in Turkey by default. Rejects future days and those over a year ago.
 */
export function paymentDay({ paid_at }: Pick<Transfer, "paid_at">): string {
  const today = dayOf(new Date());
  const day = paid_at ?? today;
  if (day > today) throw invalid("paid_at", "paid_in_future");
  const lastYear = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  if (day < lastYear) throw invalid("paid_at", "paid_long_ago");
  return day;
}

/** Records a payment with a copy of the billing profile, its invoice and the referral earning. */
export async function recordPayment(
  tx: Context<UserActor>,
  customer: Customer,
  input: Transfer & { amountMinor: number } & ({ subscriptionId: number } | { licenceId: number }),
) {
  const {
    amount: _,
    amountMinor,
    paid_at,
    currency,
    bank_reference,
    note,
    create_invoice,
    send_email: __,
    ...purpose
  } = input;
  const day = paymentDay({ paid_at });
  const billTo = await billToOf(tx, customer);
  const created = await tx.db.payment.create({
    data: {
      ...("subscriptionId" in purpose
        ? { subscriptionId: purpose.subscriptionId }
        : { licenceId: purpose.licenceId }),
      userId: customer.id,
      amountMinor,
      currency: currency ?? "TRY",
      paidAt: new Date(day),
      bankReference: bank_reference ?? null,
      note: note ?? null,
      billToSealed: seal(JSON.stringify(billTo), BILL_TO_SEAL_PURPOSE),
      recordedById: tx.actor.id,
    },
    omit: PAYMENT.omit,
  });
  const { id } = created;
  const rate = await setting(tx, "vat_rate");
  const { net, vat } = splitVat(amountMinor, rate);
  const isSkipped = create_invoice === false;
  const state = isSkipped ? ("skipped" as const) : ("queued" as const);
  const document = await tx.db.accountingDocument.create({
    data: {
      paymentId: id,
      state,
      grossMinor: amountMinor,
      netMinor: net,
      vatMinor: vat,
      vatRate: rate,
      deadlineAt: endOfDay(day, { plus: 7 }),
      ...(isSkipped && {
        skippedById: tx.actor.id,
        skippedAt: new Date(),
        skipReason: "create_invoice: false",
      }),
    },
    select: { id: true, state: true },
  });
  if (!isSkipped && env().parasut) await enqueueDocument(tx, document.id);
  await recordEarning(tx, { userId: customer.id, paymentId: id, netMinor: net, currency: created.currency });
  await audit(tx, {
    action: "payment.recorded",
    object: { type: "Payment", id },
    details: { user: customer.id, amount: amountMinor, invoice: !isSkipped },
  });
  return {
    payment: { ...created, user: contactOf(customer), document },
    invoice: { state, missing: missingFields(billTo) },
  };
}

export function paymentOf(
  { db }: Pick<DbAccess, "db">,
  id: number,
): Promise<Prisma.PaymentGetPayload<typeof PAYMENT>> {
  return db.payment.findUniqueOrThrow({ where: { id }, ...PAYMENT });
}

/** Mails a customer in their language, with the acting administrator in copy. */
export async function mailCustomer(
  tx: Context<UserActor>,
  customer: Customer,
  mail: Omit<UserMail, "copyTo">,
): Promise<void> {
  await mailUser({ ...tx, locale: languageOf(customer) }, customer, { ...mail, copyTo: tx.actor.id });
}

/** Shape of `user` in PAYMENT and SUBSCRIPTION. */
export function contactOf({ id, name, email }: Customer) {
  return { id, name, email };
}

export function languageOf(customer: Customer): Locale {
  return localeOf(customer, FALLBACK_LOCALE);
}

/** Formats a day in the customer's language and time zone. */
export function formatLongDay(moment: Date, customer: Customer): string {
  return dateFormat(languageOf(customer), {
    dateStyle: "long",
    timeZone: readerZone(customer.timezone),
  }).format(moment);
}
