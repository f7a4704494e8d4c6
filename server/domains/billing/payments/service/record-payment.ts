import type * as z from "zod";
import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { invalidField } from "@/server/core/errors";
import { getDateFormat } from "@/server/core/format";
import { FALLBACK_LOCALE, type Locale, toMailLocale } from "@/server/core/locale";
import { splitVat } from "@/server/core/money";
import { zoneOrDefault } from "@/server/core/zones";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { UserMail } from "@/server/domains/accounts/users/service/notify";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { lockOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { findMissingInvoiceFields, getBillTo } from "@/server/domains/billing/billing-profile/service";
import { PAYMENT_ARGS } from "@/server/domains/billing/records/service/rows";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { getSetting } from "@/server/infrastructure/settings";
import type { payLicence } from "../contract";
import { lockPayer } from "../statements";
import { recordEarning } from "./earnings";
import { enqueueDocument } from "./enqueue-document";

export const BILL_TO_SEAL_PURPOSE = "bill_to";

export type Transfer = z.output<NonNullable<(typeof payLicence)["body"]>>;
export type Customer = z.output<typeof lockPayer.row>;

/** Locks the paying account and the caller's. Returns undefined for a missing or erased account. */
export async function lockPayingCustomer(
  tx: Context<UserActor>,
  userId: number,
): Promise<Customer | undefined> {
  // Lock order: accounts by ID. The two may be the same.
  const lockedRows = userId < tx.actor.id ? await lockPayer(tx, { userId }) : undefined;
  await lockOwnAccount(tx);
  const [customer] = lockedRows ?? (await lockPayer(tx, { userId }));
  return customer?.isErased ? undefined : customer;
}

/** Returns the day of the payment; today in Turkey by default. */
export function resolvePaymentDay({ paid_at }: Pick<Transfer, "paid_at">): string {
  const today = toTurkishDay(new Date());
  const day = paid_at ?? today;
  if (day > today) throw invalidField("paid_at", "paid_in_future");
  const oneYearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  if (day < oneYearAgo) throw invalidField("paid_at", "paid_long_ago");
  return day;
}

/** Records a payment with a copy of the billing profile, its invoice and the referral earning. */
export async function recordPayment(
  tx: Context<UserActor>,
  customer: Customer,
  input: Transfer & { amountMinor: number } & ({ subscriptionId: number } | { licenceId: number }),
) {
  const {
    amount: _amount,
    amountMinor,
    paid_at,
    currency,
    bank_reference,
    note,
    create_invoice,
    send_email: _sendEmail,
    ...paidItem
  } = input;
  const day = resolvePaymentDay({ paid_at });
  const billTo = await getBillTo(tx, customer);
  const storedPayment = await tx.db.payment.create({
    data: {
      ...("subscriptionId" in paidItem
        ? { subscriptionId: paidItem.subscriptionId }
        : { licenceId: paidItem.licenceId }),
      userId: customer.id,
      amountMinor,
      currency: currency ?? "TRY",
      paidAt: new Date(day),
      bankReference: bank_reference ?? null,
      note: note ?? null,
      billToSealed: seal(JSON.stringify(billTo), BILL_TO_SEAL_PURPOSE),
      recordedById: tx.actor.id,
    },
    omit: PAYMENT_ARGS.omit,
  });
  const { id } = storedPayment;
  const vatRate = await getSetting(tx, "vat_rate");
  const { net, vat } = splitVat(amountMinor, vatRate);
  const isInvoiceSkipped = create_invoice === false;
  const state = isInvoiceSkipped ? ("skipped" as const) : ("queued" as const);
  const document = await tx.db.accountingDocument.create({
    data: {
      paymentId: id,
      state,
      grossMinor: amountMinor,
      netMinor: net,
      vatMinor: vat,
      vatRate,
      // Legal deadline. `insertMissingDocuments` repeats it in SQL.
      deadlineAt: getEndOfDay(day, { plusDays: 7 }),
      ...(isInvoiceSkipped && {
        skippedById: tx.actor.id,
        skippedAt: new Date(),
        skipReason: "create_invoice: false",
      }),
    },
    select: { id: true, state: true },
  });
  if (!isInvoiceSkipped && env().parasut) await enqueueDocument(tx, document.id);
  await recordEarning(tx, {
    userId: customer.id,
    paymentId: id,
    netMinor: net,
    currency: storedPayment.currency,
  });
  await audit(tx, {
    action: "payment.recorded",
    object: { type: "Payment", id },
    details: { user: customer.id, amount: amountMinor, invoice: !isInvoiceSkipped },
  });
  return {
    payment: { ...storedPayment, user: toCustomerSummary(customer), document },
    invoice: { state, missing: findMissingInvoiceFields(billTo) },
  };
}

export function getPayment(
  { db }: Pick<DbAccess, "db">,
  id: number,
): Promise<Prisma.PaymentGetPayload<typeof PAYMENT_ARGS>> {
  return db.payment.findUniqueOrThrow({ where: { id }, ...PAYMENT_ARGS });
}

/** Mails a customer in their language, with the acting administrator in copy. */
export async function mailCustomer(
  tx: Context<UserActor>,
  customer: Customer,
  mail: Omit<UserMail, "copyTo">,
): Promise<void> {
  await mailUser({ ...tx, locale: getCustomerLocale(customer) }, customer, { ...mail, copyTo: tx.actor.id });
}

export function toCustomerSummary({ id, name, email }: Customer) {
  return { id, name, email };
}

export function getCustomerLocale(customer: Customer): Locale {
  return toMailLocale(customer, FALLBACK_LOCALE);
}

export function formatLongDay(date: Date, customer: Customer): string {
  return getDateFormat(getCustomerLocale(customer), {
    dateStyle: "long",
    timeZone: zoneOrDefault(customer.timezone),
  }).format(date);
}
