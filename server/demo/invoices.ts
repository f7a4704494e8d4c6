import { Readable } from "node:stream";
import { ulid } from "ulid";
import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import { splitVat, toMinor } from "@/server/core/money";
import { SETTINGS } from "@/server/core/settings";
import { DAY, fromNow } from "@/server/core/time";
import { getBillTo } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma, SiteLicence, Subscription } from "@/server/infrastructure/database/generated/client";
import { seal } from "@/server/infrastructure/secrets/seal";
import { storage } from "@/server/infrastructure/storage/storage";
import { createNumberPdf } from "@/server/sandbox/parasut-pdf";
import { makePayment } from "./factories";

/* Payments of the demo, with an invoice in each state that needs attention. */

/** Invoices that need attention, or that an administrator skipped. */
export const UNFINISHED_INVOICES = {
  // No net amount yields this gross amount at 20 % VAT.
  amountWrong: {
    ...{ amountMinor: 9999, state: "failed", step: "queued", problem: "amount", problemText: "9999 at 20 %" },
  },
  skipped: { state: "skipped", skippedAt: fromNow(-10 * DAY), skipReason: "Barter" },
  /** The legal deadline is tomorrow. */
  documentFailed: {
    ...{ state: "failed", step: "polling", problem: "document", problemText: "GİB sistemine ulaşılamadı" },
    ...{ contactRemoteId: "51", invoiceRemoteId: "52", issueDate: fromNow(-6 * DAY), kind: "e_archive" },
    paidAt: fromNow(-6 * DAY),
    calls: {
      create: [
        { step: "edocument", call: "POST e_archives", status: 201, outcome: "ok", ms: 180 },
        { step: "polling", call: "GET trackable_jobs/53", status: 200, outcome: "ok", ms: 95 },
      ],
    },
  },
} satisfies Record<string, PaymentData>;

interface PaidItem {
  userId: number;
  reference: string;
  priceMinor: number;
  subscriptionId?: number;
  licenceId?: number;
}

export const toPaidSubscription = ({ id, userId, reference, priceMinor }: Subscription): PaidItem => ({
  ...{ userId, reference, priceMinor, subscriptionId: id },
});
export const toPaidLicence = ({ id, userId, reference, priceTry }: SiteLicence): PaidItem => ({
  ...{ userId, reference, priceMinor: toMinor(priceTry), licenceId: id },
});

/** `earning`: the reseller's share of the net amount, as `recordEarning` calculates it. */
export async function seedPayment(
  { userId, reference, priceMinor, subscriptionId, licenceId }: PaidItem,
  {
    amountMinor = priceMinor,
    paidAt = new Date(),
    recordedById,
    earning,
    ...document
  }: PaymentData & {
    recordedById?: number;
    earning?: { resellerId: number; ratePercent: number };
  } = {},
): Promise<void> {
  const vatRate = SETTINGS.vat_rate.fallback;
  const { net, vat } = splitVat(amountMinor, vatRate);
  const billingProfile = await prisma().billingProfile.findUnique({
    where: { userId },
    select: { userId: true },
  });
  const customer = await prisma().user.findUniqueOrThrow({
    where: { id: userId },
    select: { id: true, name: true, email: true },
  });
  const fallbackAddress = { address: "Atatürk Cad. 5", district: "Çankaya", city: "Ankara" };
  const billTo = {
    ...(await getBillTo({ db: prisma() }, customer)),
    ...(!billingProfile && fallbackAddress),
  };
  const { id: paymentId } = await makePayment(userId, {
    ...{ subscriptionId: subscriptionId ?? null, licenceId, recordedById, amountMinor },
    paidAt,
    createdAt: paidAt,
    bankReference: reference,
    receiptKey: null,
    billToSealed: seal(JSON.stringify(billTo), BILL_TO_SEAL_PURPOSE),
    document: {
      create: {
        ...{ state: "queued", grossMinor: amountMinor, netMinor: net, vatMinor: vat, vatRate },
        // The legal deadline: the end of the seventh day after the payment.
        ...{ deadlineAt: getEndOfDay(toTurkishDay(paidAt), { plusDays: 7 }), createdAt: paidAt, ...document },
      },
    },
  });
  if (!earning) return;
  await prisma().referralEarning.create({
    data: {
      ...{ ...earning, paymentId, createdAt: paidAt },
      amountMinor: Math.floor((net * earning.ratePercent) / 100),
    },
    select: { id: true },
  });
}

export type PaymentData = { amountMinor?: number; paidAt?: Date } & Partial<SeededInvoice>;
type SeededInvoice = Prisma.AccountingDocumentCreateWithoutPaymentInput;

/** An invoice that was issued on the day of the payment. Its number is unique if that day has no other one. */
export async function createFinishedInvoice(paidAt: Date): Promise<PaymentData> {
  const [year, month, day] = toTurkishDay(paidAt).split("-").map(Number) as [number, number, number];
  const number = (year % 100) * 10_000 + month * 100 + day;
  const [documentNumber, pdfKey] = [
    `TLA${toTurkishDay(paidAt).slice(0, 4)}${String(number).padStart(9, "0")}`,
    `invoices/${ulid()}.pdf`,
  ];
  await storage().write(pdfKey, Readable.from([createNumberPdf(documentNumber)]));
  return {
    paidAt,
    ...{
      state: "done",
      kind: "e_archive",
      issueDate: paidAt,
      doneAt: paidAt,
      documentNumber,
      pdfKey,
    },
    ...{
      documentRemoteId: `${number}3`,
      contactRemoteId: "41",
      invoiceRemoteId: `${number}1`,
      paymentRemoteId: `${number}2`,
    },
    cancellableUntil: new Date(paidAt.getTime() + 7 * DAY),
    calls: {
      create: [
        { step: "contact", call: "POST contacts", status: 201, outcome: "ok", ms: 210 },
        { step: "invoice", call: "POST sales_invoices", status: 201, outcome: "ok", ms: 240 },
        {
          step: "payment",
          call: `POST sales_invoices/${number}1/payments`,
          status: 201,
          outcome: "ok",
          ms: 160,
        },
        { step: "edocument", call: "POST e_archives", status: 201, outcome: "ok", ms: 180 },
        { step: "polling", call: `GET trackable_jobs/${number}4`, status: 200, outcome: "ok", ms: 90 },
        { step: "pdf", call: `GET e_archives/${number}3/pdf`, status: 200, outcome: "ok", ms: 120 },
      ],
    },
  };
}
