import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import { makeToken, makeUser } from "@/server/testing/factories";
import { advanceUntilDone, findDocument, makeDocument } from "@/server/testing/invoices";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { processDocument } from "./service/process";

const fakes = await startFakeServices();
const server = await startTestServer({ env: { ...fakes.env, RATE_LIMITS: "relaxed" } });

interface FakeAccountingData {
  contacts: Array<{ attributes: Record<string, unknown> }>;
  invoices: Array<{
    id: string;
    attributes: Record<string, unknown>;
    payments: Array<{ id: string; attributes: Record<string, unknown> }>;
    document?: { type: string; attributes: Record<string, unknown> };
    cancelled?: boolean;
  }>;
}
const readFakeAccountingData = async () =>
  ((await fakes.stores.parasut.get("books")) as FakeAccountingData | undefined) ?? {
    contacts: [],
    invoices: [],
  };
const findInvoices = async (marker: string) =>
  (await readFakeAccountingData()).invoices.filter(({ attributes }) => attributes.description === marker);

beforeEach(() => {
  fakes.calls.length = 0;
  fakes.faults.length = 0;
  fakes.beforeResponse = undefined;
});

describe("an invoice", () => {
  it("passes through all steps from contact to PDF and stores the remote IDs", async () => {
    const { id, marker } = await makeDocument();
    await advanceUntilDone([id]);
    const row = await findDocument(id);
    const [invoice] = await findInvoices(marker);
    expect(row).toMatchObject({
      state: "done",
      kind: "e_archive",
      invoiceRemoteId: invoice!.id,
      attempts: 0,
      problem: null,
    });
    expect(row.documentNumber).toMatch(/^TLA\d{13}$/);
    expect(invoice).toMatchObject({
      attributes: {
        net_total: "9999.00",
        remaining: "0.00",
        issue_date: toTurkishDay(new Date()),
        currency: "TRL",
      },
      payments: [{ attributes: { amount: 9999, description: marker } }],
      document: { type: "e_archives" },
    });
    const file = (await storage().read(row.pdfKey!))!;
    expect((await buffer(file.open())).toString("latin1")).toContain(row.documentNumber);
    const calls = await prisma().accountingCall.findMany({ where: { documentId: id } });
    expect(new Set(calls.map(({ step }) => step))).toEqual(
      new Set(["contact", "invoice", "payment", "edocument", "polling", "pdf"]),
    );
    expect(JSON.stringify(calls)).not.toMatch(/2000000002|Kaya|muhasebe/);
  });

  it("makes no look-up calls for records that the same run created", async () => {
    const { id } = await makeDocument({ billTo: { tax_number: "2000000093" } });
    await processDocument(id);
    expect(fakes.calls.filter((call) => !call.endsWith("/oauth/token"))).toEqual([
      "GET /parasut/v4/100/contacts",
      "POST /parasut/v4/100/contacts",
      "POST /parasut/v4/100/sales_invoices",
      expect.stringMatching(/^POST .*\/sales_invoices\/\d+\/payments$/),
      "GET /parasut/v4/100/e_invoice_inboxes",
      "POST /parasut/v4/100/e_archives",
      expect.stringMatching(/^GET .*\/trackable_jobs\//),
    ]);
  });

  it("gets no second payment when its response was lost and a payment was recorded manually", async () => {
    const { id, marker } = await makeDocument();
    fakes.faults.push({
      match: /POST .*sales_invoices$/,
      response: async (perform) => {
        await perform();
        return { status: 500, body: {} };
      },
    });
    await processDocument(id);
    const [lostInvoice] = await findInvoices(marker);
    lostInvoice!.payments.push({ id: "1", attributes: { amount: 9999, description: "by hand" } });
    Object.assign(lostInvoice!.attributes, { remaining: "0.00" });
    await advanceUntilDone([id]);
    const [invoice] = await findInvoices(marker);
    expect(await findDocument(id)).toMatchObject({ state: "done" });
    expect(invoice!.payments).toHaveLength(1);
  });

  it("is an e-invoice for a tax number with an inbox, and an e-archive under the shared number for consumers", async () => {
    const companyDocument = await makeDocument({ billTo: { tax_number: "1000000009" } });
    const consumerBillTo = { kind: "person", tax_number: null, tax_office: null };
    const consumerDocuments = [
      await makeDocument({ billTo: { ...consumerBillTo, title: "Ayşe Kaya", email: "ayse@example.com" } }),
      await makeDocument({ billTo: { ...consumerBillTo, title: "Mert Kaya", email: "mert@example.com" } }),
    ];
    await advanceUntilDone([companyDocument.id, ...consumerDocuments.map(({ id }) => id)]);
    expect(await findDocument(companyDocument.id)).toMatchObject({ state: "done", kind: "e_invoice" });
    const rows = await Promise.all(consumerDocuments.map(({ id }) => findDocument(id)));
    expect(rows.map(({ kind }) => kind)).toEqual(["e_archive", "e_archive"]);
    expect(new Set(rows.map(({ contactRemoteId }) => contactRemoteId)).size).toBe(2);
    const { contacts } = await readFakeAccountingData();
    const filterByTaxNumber = (number: string, all = contacts) =>
      all.filter(({ attributes }) => attributes.tax_number === number);
    expect(filterByTaxNumber("11111111111")).toHaveLength(2);

    const admin = await makeUser({ role: "admin" });
    await server.call("PUT", "/api/admin/settings", {
      token: await makeToken(admin.id, { provenAt: new Date() }),
      body: { final_consumer_tax_number: "22222222222" },
    });
    const laterDocument = await makeDocument({
      billTo: { ...consumerBillTo, title: "Can Kaya", email: "can@example.com" },
    });
    await advanceUntilDone([laterDocument.id]);
    expect(await findDocument(laterDocument.id)).toMatchObject({ state: "done", kind: "e_archive" });
    expect(filterByTaxNumber("22222222222", (await readFakeAccountingData()).contacts)).toHaveLength(1);
  });

  it("reuses an existing contact and updates it", async () => {
    const firstDocument = await makeDocument({ billTo: { tax_number: "3000000005" } });
    await advanceUntilDone([firstDocument.id]);
    const secondDocument = await makeDocument({
      billTo: { tax_number: "3000000005", address: "Yeni Cad. 2" },
    });
    await advanceUntilDone([secondDocument.id]);
    expect((await findDocument(secondDocument.id)).contactRemoteId).toBe(
      (await findDocument(firstDocument.id)).contactRemoteId,
    );
    const matches = (await readFakeAccountingData()).contacts.filter(
      ({ attributes }) => attributes.tax_number === "3000000005",
    );
    expect(matches.map(({ attributes }) => attributes.address)).toEqual(["Yeni Cad. 2"]);
  });

  it("fails before the first call when no net price with VAT gives the amount paid", async () => {
    const { id } = await makeDocument({ grossMinor: 9999 });
    await processDocument(id);
    expect(await findDocument(id)).toMatchObject({ state: "failed", step: "queued", problem: "amount" });
    expect(fakes.calls).toEqual([]);
  });

  it("is deleted when its total is not the amount paid", async () => {
    const { id, marker } = await makeDocument({ vatRate: 20 });
    fakes.faults.push({
      match: /POST .*sales_invoices$/,
      response: {
        status: 201,
        body: {
          data: {
            id: "77",
            type: "sales_invoices",
            attributes: { net_total: "9999.01", description: marker },
          },
        },
      },
    });
    await processDocument(id);
    expect(await findDocument(id)).toMatchObject({
      state: "failed",
      step: "invoice",
      problem: "amount",
      invoiceRemoteId: null,
    });
    expect(fakes.calls).toContain("DELETE /parasut/v4/100/sales_invoices/77");
  });

  it.each([
    ["2026-12-31T20:59:00.000Z", "2026-12-31"],
    ["2026-12-31T21:01:00.000Z", "2027-01-01"],
  ])("is dated by the time in Istanbul: %s is %s", async (now, day) => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    try {
      const { id, marker } = await makeDocument();
      fakes.faults.push({ match: /POST .*sales_invoices$/, response: "commit_then_reset" });
      await processDocument(id);
      vi.setSystemTime(new Date(Date.parse(now) + 5 * 60_000));
      await advanceUntilDone([id]);
      const matches = await findInvoices(marker);
      expect(matches.map(({ attributes }) => attributes.issue_date)).toEqual([day]);
      expect(toTurkishDay((await findDocument(id)).issueDate!)).toBe(day);
    } finally {
      vi.useRealTimers();
    }
  });

  it("gets the current date when an outage delayed its creation by days", async () => {
    const { id, marker } = await makeDocument();
    fakes.faults.push({ match: /POST .*sales_invoices$/, response: "reset" });
    await processDocument(id);
    await prisma().accountingDocument.update({ where: { id }, data: { issueDate: fromNow(-5 * DAY) } });
    await advanceUntilDone([id]);
    const matches = await findInvoices(marker);
    expect(matches.map(({ attributes }) => attributes.issue_date)).toEqual([toTurkishDay(new Date())]);
  });
});

describe("missing billing details", () => {
  it("are requested from the customer, and the invoice continues once they are saved", async () => {
    const { id: userId } = await makeUser({ locale: "en" });
    const { id, marker } = await makeDocument({ userId, billTo: { tax_number: null, tax_office: null } });
    await processDocument(id);
    expect(await findDocument(id)).toMatchObject({
      state: "needs_data",
      step: "queued",
      missing: ["tax_number", "tax_office"],
    });
    expect(fakes.calls).toEqual([]);
    expect(await prisma().mailMessage.count({ where: { userId, template: "invoice_needs_data" } })).toBe(1);
    const token = await makeToken(userId);
    const billing = await server.get("/api/billing", token);
    expect(billing.json.documents).toMatchObject([
      { state: "needs_data", missing: ["tax_number", "tax_office"] },
    ]);
    const body = {
      ...{ kind: "company", title: "Yeni Ltd.", tax_number: "10000000146", tax_office: "Kadıköy" },
      ...{ address: "Moda Cad. 1", district: "Kadıköy", city: "İstanbul" },
    };
    expect((await server.call("PUT", "/api/billing/profile", { token, body })).status).toBe(200);
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "done", missing: [] });
    expect(await findInvoices(marker)).toHaveLength(1);
    expect(
      (await readFakeAccountingData()).contacts.some(({ attributes }) => attributes.name === "Yeni Ltd."),
    ).toBe(true);
    expect(await prisma().mailMessage.count({ where: { userId, template: "invoice_ready" } })).toBe(1);
  });

  it("are requested when the service rejects them", async () => {
    const { id } = await makeDocument({ billTo: { title: "Hata 422", tax_number: "4000000004" } });
    await processDocument(id);
    expect(await findDocument(id)).toMatchObject({
      ...{ state: "needs_data", problem: "data", problemText: "Geçersiz kayıt: Vergi dairesi bulunamadı" },
    });
  });
});

describe("a reversed payment", () => {
  const reversePayment = async (paymentId: number) => {
    const token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const body = { reason: "It bounced", confirmation: "REVERSE" };
    expect((await server.post(`/api/admin/payments/${paymentId}/reverse`, body, { token })).status).toBe(200);
  };

  it("deletes a draft, cancels an issued document and closes an unsent invoice", async () => {
    const [unsentDocument, draftDocument, issuedDocument] = [
      await makeDocument(),
      await makeDocument(),
      await makeDocument(),
    ];
    fakes.faults.push({ match: /GET .*e_invoice_inboxes/, response: "html", times: 1 });
    await processDocument(draftDocument.id);
    await advanceUntilDone([issuedDocument.id]);
    for (const { paymentId } of [unsentDocument, draftDocument, issuedDocument])
      await reversePayment(paymentId);
    await advanceUntilDone([unsentDocument.id, draftDocument.id, issuedDocument.id]);
    for (const { id } of [unsentDocument, draftDocument, issuedDocument])
      expect(await findDocument(id)).toMatchObject({ state: "cancelled" });
    expect(await findInvoices(unsentDocument.marker)).toEqual([]);
    expect(await findInvoices(draftDocument.marker)).toEqual([]);
    expect(await findInvoices(issuedDocument.marker)).toMatchObject([{ cancelled: true }]);
  });

  it("withdraws an invoice that is being sent", async () => {
    const { id, marker, paymentId } = await makeDocument();
    let reportCallArrived = () => {};
    const callArrived = new Promise<void>((resolve) => {
      reportCallArrived = resolve;
    });
    let releaseCall = () => {};
    const callReleased = new Promise<void>((resolve) => {
      releaseCall = resolve;
    });
    fakes.beforeResponse = async () => {
      if (!fakes.calls.at(-1)!.startsWith("POST /parasut/v4/100/sales_invoices")) return;
      fakes.beforeResponse = undefined;
      reportCallArrived();
      await callReleased;
    };
    const processing = processDocument(id);
    await callArrived;
    await reversePayment(paymentId);
    releaseCall();
    await processing;
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "cancelled" });
    expect(await findInvoices(marker)).toEqual([]);
  });

  it("leaves an invoice to an administrator when it is too late to cancel it", async () => {
    const { id, paymentId } = await makeDocument();
    await advanceUntilDone([id]);
    const issuedInvoice = (await findInvoices((await findDocument(id)).marker))[0]!;
    issuedInvoice.document!.attributes.cancellable_until = fromNow(-DAY).toISOString();
    await reversePayment(paymentId);
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "failed", step: "cancelling", problem: "by_hand" });
    const token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const body = { reason: "Return invoice 7", confirmation: "skip" };
    expect((await server.post(`/api/admin/accounting/${id}/skip`, body, { token })).status).toBe(200);
    expect(await findDocument(id)).toMatchObject({ state: "cancelled" });
  });
});

describe("an account deleted while its invoice is processed", () => {
  const personalData = { name: "Nermin Gizli", email: "nermin.gizli@example.com", phone: "+905321119988" };
  const PERSONAL_DATA_PATTERN = /Nermin|Gizli|nermin|1119988/;
  const deleteAccount = async (userId: number) => {
    const body = { confirmation: "SİL" };
    const token = await makeToken(userId);
    expect((await server.post("/api/auth/account/confirm-delete", body, { token })).status).toBe(200);
  };

  it.each(["between two steps", "in the middle of a call", "while its PDF is fetched"])(
    "%s: the invoice is created from the stored billing details, and no mail is sent",
    async (deletionTime) => {
      const { id: userId } = await makeUser({
        ...personalData,
        email: `${deletionTime.length}${personalData.email}`,
      });
      const { id, marker } = await makeDocument({
        userId,
        billTo: { title: "Kapanan Ltd.", tax_number: "5000000008" },
      });
      const triggerPattern = deletionTime.includes("PDF") ? /files\/\w+\.pdf$/ : /POST .*sales_invoices$/;
      const mailCountBefore = await prisma().mailMessage.count({ where: { template: "invoice_ready" } });
      if (deletionTime === "between two steps") {
        fakes.faults.push({ match: triggerPattern, response: "commit_then_reset" });
        await processDocument(id);
        await deleteAccount(userId);
      } else {
        fakes.beforeResponse = async () => {
          if (!triggerPattern.test(fakes.calls.at(-1)!)) return;
          fakes.beforeResponse = undefined;
          await deleteAccount(userId);
        };
        if (deletionTime.includes("PDF")) await advanceUntilDone([id]);
        else await processDocument(id);
      }
      expect((await prisma().user.findUnique({ where: { id: userId } }))?.anonymisedAt).toBeInstanceOf(Date);
      await advanceUntilDone([id]);
      expect(await findDocument(id)).toMatchObject({ state: "done" });
      expect(await prisma().mailMessage.count({ where: { template: "invoice_ready" } })).toBe(
        mailCountBefore,
      );
      const invoices = await findInvoices(marker);
      expect(invoices).toHaveLength(1);
      const { contacts } = await readFakeAccountingData();
      const contact = contacts.find(({ attributes }) => attributes.tax_number === "5000000008");
      expect(contact).toMatchObject({ attributes: { name: "Kapanan Ltd.", email: "muhasebe@example.com" } });
      expect(JSON.stringify([invoices, contacts])).not.toMatch(PERSONAL_DATA_PATTERN);
      const calls = await prisma().accountingCall.findMany({ where: { documentId: id } });
      const storedText = JSON.stringify([await findDocument(id), calls]);
      expect(storedText).not.toMatch(/Kapanan|5000000008/);
      expect(storedText).not.toMatch(PERSONAL_DATA_PATTERN);
      const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
      const response = await server.get(`/api/admin/accounting/${id}`, adminToken);
      expect(response.json.document).toMatchObject({ state: "done", bill_to: { title: "Kapanan Ltd." } });
      expect(JSON.stringify(response.json)).not.toMatch(PERSONAL_DATA_PATTERN);
      expect((await server.get(`/api/admin/accounting/${id}/pdf`, adminToken)).text).toMatch(/^%PDF-/);
    },
  );

  it("gets no mail about missing details that the service reports after the deletion", async () => {
    const { id: userId } = await makeUser({ ...personalData, email: `lacking.${personalData.email}` });
    const { id } = await makeDocument({ userId, billTo: { title: "Hata 422", tax_number: "4000000004" } });
    fakes.beforeResponse = async () => {
      if (!/POST .*contacts$/.test(fakes.calls.at(-1)!)) return;
      fakes.beforeResponse = undefined;
      await deleteAccount(userId);
    };
    await processDocument(id);
    expect(await findDocument(id)).toMatchObject({ state: "needs_data" });
    const where = { userId, template: "invoice_needs_data" };
    expect(await prisma().mailMessage.count({ where })).toBe(0);
  });
});
