import { Readable } from "node:stream";
import { ulid } from "ulid";
import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import { splitVat } from "@/server/core/money";
import { SETTINGS } from "@/server/core/settings";
import { DAY, fromNow } from "@/server/core/time";
import { getBillTo } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma, Subscription } from "@/server/infrastructure/database/generated/client";
import { seal } from "@/server/infrastructure/secrets/seal";
import { storage } from "@/server/infrastructure/storage/storage";
import { createNumberPdf } from "@/server/sandbox/parasut-pdf";
import { makePayment } from "./factories";

/* Payments of the demo, with an invoice in each state that needs attention. */

/** Invoices of the reseller's customers by index: wrong amount, skipped, due tomorrow. */
export const UNFINISHED_INVOICES: PaymentData[] = [
  // No net amount yields this gross amount at 20 % VAT.
  { amountMinor: 9999, state: "failed", step: "queued", problem: "amount", problemText: "9999 at 20 %" },
  { state: "skipped", skippedAt: new Date(), skipReason: "Barter" },
  {
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
];

export async function seedPayment(
  { id, userId, reference, priceMinor }: Subscription,
  { amountMinor = priceMinor, paidAt = new Date(), ...document }: PaymentData = {},
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
  await makePayment(userId, {
    subscriptionId: id,
    amountMinor,
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
}

type PaymentData = { amountMinor?: number; paidAt?: Date } & Partial<SeededInvoice>;
type SeededInvoice = Prisma.AccountingDocumentCreateWithoutPaymentInput;

/** An invoice that was issued on the day of the payment. */
export async function createFinishedInvoice(number: number, paidAt: Date): Promise<PaymentData> {
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
