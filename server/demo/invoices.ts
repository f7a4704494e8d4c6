import { Readable } from "node:stream";
import { ulid } from "ulid";
import { toTurkishDay } from "@/server/core/calendar";
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
export const UNFINISHED_INVOICES: Array<{ amountMinor?: number } & Partial<SeededInvoice>> = [
  // No net amount yields this gross amount at 20 % VAT.
  { amountMinor: 9999, state: "failed", step: "queued", problem: "amount", problemText: "9999 at 20 %" },
  { state: "skipped", skippedAt: new Date(), skipReason: "Barter" },
  {
    ...{ state: "failed", step: "polling", problem: "document", problemText: "GİB sistemine ulaşılamadı" },
    ...{ contactRemoteId: "51", invoiceRemoteId: "52", issueDate: new Date(), kind: "e_archive" },
    deadlineAt: fromNow(DAY),
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
  { amountMinor = priceMinor, ...document }: { amountMinor?: number } & Partial<SeededInvoice> = {},
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
    bankReference: reference,
    receiptKey: null,
    billToSealed: seal(JSON.stringify(billTo), BILL_TO_SEAL_PURPOSE),
    document: {
      create: {
        ...{ state: "queued", grossMinor: amountMinor, netMinor: net, vatMinor: vat, vatRate },
        ...{ deadlineAt: fromNow(7 * DAY), ...document },
      },
    },
  });
}
type SeededInvoice = Prisma.AccountingDocumentCreateWithoutPaymentInput;

export async function createFinishedInvoice(): Promise<Partial<SeededInvoice>> {
  const [documentNumber, pdfKey] = [
    `TLA${toTurkishDay(new Date()).slice(0, 4)}000000042`,
    `invoices/${ulid()}.pdf`,
  ];
  await storage().write(pdfKey, Readable.from([createNumberPdf(documentNumber)]));
  return {
    ...{
      state: "done",
      kind: "e_archive",
      issueDate: new Date(),
      doneAt: new Date(),
      documentNumber,
      pdfKey,
    },
    ...{ contactRemoteId: "41", invoiceRemoteId: "42", paymentRemoteId: "43", documentRemoteId: "44" },
    cancellableUntil: fromNow(7 * DAY),
    calls: {
      create: [
        { step: "contact", call: "POST contacts", status: 201, outcome: "ok", ms: 210 },
        { step: "invoice", call: "POST sales_invoices", status: 201, outcome: "ok", ms: 240 },
        { step: "payment", call: "POST sales_invoices/42/payments", status: 201, outcome: "ok", ms: 160 },
        { step: "edocument", call: "POST e_archives", status: 201, outcome: "ok", ms: 180 },
        { step: "polling", call: "GET trackable_jobs/45", status: 200, outcome: "ok", ms: 90 },
        { step: "pdf", call: "GET e_archives/44/pdf", status: 200, outcome: "ok", ms: 120 },
      ],
    },
  };
}
