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
import { billToOf, missingOf } from "@/server/domains/billing/billing-profile/service";
import { PAYMENT } from "@/server/domains/billing/records/service/rows";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { setting } from "@/server/infrastructure/settings";
import type { payLicence } from "../contract";
import { lockCustomer } from "../statements";
import { earn } from "./earnings";
import { wake } from "./wake";

/** Purpose of the seal on whom an invoice is made out to. */
export const BILL_TO_PURPOSE = "bill_to";

/** How a transfer reached us, as an administrator enters it. */
export type Transfer = z.output<NonNullable<(typeof payLicence)["body"]>>;
export type Customer = z.output<typeof lockCustomer.row>;

/**
 * Locks whoever pays and whoever records it, until the transaction ends. Undefined when there is no such account, or not any
 * more. Throws `unauthenticated` for an administrator who was signed out meanwhile.
 */
export async function payingCustomer(tx: Context<UserActor>, userId: number): Promise<Customer | undefined> {
  // Accounts are locked in the order of their numbers.
  const before = userId < tx.actor.id ? await lockCustomer(tx, { userId }) : undefined;
  await lockOwnAccount(tx);
  const [customer] = before ?? (await lockCustomer(tx, { userId }));
  return customer?.isGone ? undefined : customer;
}

/** The day of the payment: today in Turkey by default. Throws for one to come, or more than a year ago. */
export function paidOn({ paid_at }: Pick<Transfer, "paid_at">): string {
  const today = dayOf(new Date());
  const day = paid_at ?? today;
  if (day > today) throw invalid("paid_at", "paid_in_future");
  const lastYear = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  if (day < lastYear) throw invalid("paid_at", "paid_long_ago");
  return day;
}

/**
 * Records a payment, with whom its invoice is made out to as it is now, and the invoice to make, or that none is to be
 * made. Returns what the invoice still lacks, too.
 */
export async function record(
  tx: Context<UserActor>,
  customer: Customer,
  given: Transfer & { amountMinor: number } & ({ subscriptionId: number } | { licenceId: number }),
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
  } = given;
  const day = paidOn({ paid_at });
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
      billToSealed: seal(JSON.stringify(billTo), BILL_TO_PURPOSE),
      recordedById: tx.actor.id,
    },
    omit: PAYMENT.omit,
  });
  const { id } = created;
  const rate = await setting(tx, "vat_rate");
  const { net, vat } = splitVat(amountMinor, rate);
  const skipped = create_invoice === false;
  const state = skipped ? ("skipped" as const) : ("queued" as const);
  const document = await tx.db.accountingDocument.create({
    data: {
      paymentId: id,
      state,
      grossMinor: amountMinor,
      netMinor: net,
      vatMinor: vat,
      vatRate: rate,
      deadlineAt: endOfDay(day, { plus: 7 }),
      ...(skipped && {
        skippedById: tx.actor.id,
        skippedAt: new Date(),
        skipReason: "create_invoice: false",
      }),
    },
    select: { id: true, state: true },
  });
  if (!skipped && env().parasut) await wake(tx, document.id);
  await earn(tx, { userId: customer.id, paymentId: id, netMinor: net, currency: created.currency });
  await audit(tx, {
    action: "payment.recorded",
    object: { type: "Payment", id },
    details: { user: customer.id, amount: amountMinor, invoice: !skipped },
  });
  return {
    payment: { ...created, user: contactOf(customer), document },
    invoice: { state, missing: missingOf(billTo) },
  };
}

/** A payment as it is described. */
export function paymentOf(
  { db }: Pick<Work, "db">,
  id: number,
): Promise<Prisma.PaymentGetPayload<typeof PAYMENT>> {
  return db.payment.findUniqueOrThrow({ where: { id }, ...PAYMENT });
}

/** Mails a customer, with the acting administrator in copy. */
export async function mailCustomer(
  tx: Context<UserActor>,
  customer: Customer,
  letter: Omit<UserMail, "copyTo">,
): Promise<void> {
  await mailUser({ ...tx, locale: languageOf(customer) }, customer, { ...letter, copyTo: tx.actor.id });
}

/** A customer beside a record, as PAYMENT and SUBSCRIPTION read it. */
export function contactOf({ id, name, email }: Customer) {
  return { id, name, email };
}

/** The language of what a customer gets, whoever acts. */
export function languageOf(customer: Customer): Locale {
  return localeOf(customer, FALLBACK_LOCALE);
}

/** A day as a customer reads it. */
export function longDay(moment: Date, customer: Customer): string {
  return dateFormat(languageOf(customer), {
    dateStyle: "long",
    timeZone: readerZone(customer.timezone),
  }).format(moment);
}
