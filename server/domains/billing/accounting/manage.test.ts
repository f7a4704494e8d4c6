import { afterAll, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { advanceUntilDone, findDocument, makeDocument } from "@/server/testing/invoices";
import { openFakeS3 } from "@/server/testing/s3";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { backfillDocumentsJob, enqueueDueDocumentsJob, remindDeadlinesJob, sweepInvoicesJob } from "./jobs";
import { processDocument } from "./service/process";

const fakes = await startFakeServices();
const s3 = await openFakeS3();
afterAll(() => s3.close());
const env = { ...fakes.env, ...s3.env, RATE_LIMITS: "relaxed" };
const { call, get, post, runJobs } = await startTestServer({ env });
const { token: adminToken, ...administrator } = await makeSignedInUser({
  role: "admin",
  name: "Deniz Yılmaz",
});

const readDocument = async (id: number) =>
  (await get(`/api/admin/accounting/${id}`, adminToken)).json.document;
const listAuditEvents = (id: number) =>
  prisma().auditEvent.findMany({
    where: { objectType: "AccountingDocument", objectId: String(id) },
    orderBy: { id: "asc" },
    select: { action: true, actorId: true, details: true },
  });

describe("administration", () => {
  it("shows the steps and calls of an invoice without the tax number", async () => {
    const { id } = await makeDocument();
    await advanceUntilDone([id]);
    const document = await readDocument(id);
    expect(document).toMatchObject({
      ...{ state: "done", kind: "e_archive", is_late: false, has_pdf: true, problem: null },
      bill_to: { title: "Kaya Kahve Ltd. Şti.", tax_number_last_four: "0002" },
      can: { resume: false, change: false, skip: false, lift: false },
    });
    expect(document.calls.at(-1)).toMatchObject({ step: "pdf", outcome: "ok" });
    expect(JSON.stringify(document)).not.toContain("2000000002");
    const pdfResponse = await get(`/api/admin/accounting/${id}/pdf`, adminToken);
    expect(pdfResponse.headers["content-disposition"]).toContain(`invoice-${document.number}.pdf`);
    expect(pdfResponse.text).toMatch(/^%PDF-/);
    const { pdfKey } = await findDocument(id);
    expect(String(s3.bucket.files.get(pdfKey!)!.bytes), "stored in the bucket").toBe(pdfResponse.text);
  });

  it("skips an invoice after a confirmation, and processes it once the skipping is undone", async () => {
    const { id } = await makeDocument();
    const wrongConfirmationResponse = await post(
      `/api/admin/accounting/${id}/skip`,
      { reason: "Barter", confirmation: "yes" },
      { token: adminToken },
    );
    expect(wrongConfirmationResponse.status).toBe(422);
    const body = { reason: "Barter", confirmation: " atla " };
    expect((await post(`/api/admin/accounting/${id}/skip`, body, { token: adminToken })).status).toBe(200);
    await enqueueDueDocumentsJob();
    await backfillDocumentsJob();
    await runJobs();
    await processDocument(id);
    expect(await findDocument(id)).toMatchObject({
      state: "skipped",
      skipReason: "Barter",
      skippedById: administrator.id,
    });
    expect((await post(`/api/admin/accounting/${id}/resume`, {}, { token: adminToken })).status).toBe(422);
    expect((await readDocument(id)).can).toMatchObject({ lift: true, skip: false, resume: false });
    const unskipResponse = await post(
      `/api/admin/accounting/${id}/unskip`,
      { reason: "Paid after all" },
      { token: adminToken },
    );
    expect(unskipResponse.status).toBe(200);
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "done", skippedAt: null });
    expect(await listAuditEvents(id)).toMatchObject([
      { action: "invoice.skipped", actorId: administrator.id, details: { reason: "Barter" } },
      { action: "invoice.unskipped", details: { reason: "Paid after all" } },
    ]);
  });

  it("rejects skipping a sent invoice, and accepts one of twenty concurrent skips", async () => {
    const sentDocument = await makeDocument();
    fakes.faults.push({ match: /e_invoice_inboxes/, response: "html" });
    await processDocument(sentDocument.id);
    const body = { reason: "Barter", confirmation: "SKIP" };
    expect(
      (await post(`/api/admin/accounting/${sentDocument.id}/skip`, body, { token: adminToken })).status,
    ).toBe(422);
    const { id } = await makeDocument();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post(`/api/admin/accounting/${id}/skip`, body, { token: adminToken })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await listAuditEvents(id)).toHaveLength(1);
  });

  it("continues an invoice once missing details are entered, also for a deleted account", async () => {
    const deletedUser = await makeUser({ anonymisedAt: new Date(), isActive: false });
    for (const userId of [(await makeUser()).id, deletedUser.id]) {
      const { id } = await makeDocument({ userId, billTo: { tax_number: null, tax_office: null } });
      await processDocument(id);
      expect(await findDocument(id)).toMatchObject({ state: "needs_data" });
      const body = {
        ...{ kind: "company", title: "Yeni Ltd.", tax_number: "10000000146", tax_office: "Kadıköy" },
        ...{ address: "Moda Cad. 1", district: "Kadıköy", city: "İstanbul" },
      };
      expect(
        (await call("PUT", `/api/admin/accounting/${id}/data`, { token: adminToken, body })).status,
      ).toBe(200);
      await advanceUntilDone([id]);
      expect(await readDocument(id)).toMatchObject({
        state: "done",
        bill_to: { title: "Yeni Ltd.", tax_number_last_four: "0146" },
      });
      expect(await prisma().billingProfile.count({ where: { userId } })).toBe(
        userId === deletedUser.id ? 0 : 1,
      );
      const lateChangeResponse = await call("PUT", `/api/admin/accounting/${id}/data`, {
        token: adminToken,
        body,
      });
      expect(lateChangeResponse.status).toBe(422);
    }
  });

  it("filters by deadline and mails administrators about late invoices", async () => {
    const { id: userId } = await makeUser({ email: "gecikmis@example.com" });
    const lateDocument = await makeDocument({ userId, deadlineAt: fromNow(-DAY) });
    const soonDocument = await makeDocument({ userId, deadlineAt: fromNow(DAY) });
    await makeDocument({ userId, deadlineAt: fromNow(6 * DAY) });
    const listDueIds = async (due: string) =>
      (await get(`/api/admin/accounting?q=gecikmis&due=${due}`, adminToken)).json.data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await listDueIds("late")).toEqual([lateDocument.id]);
    expect(await listDueIds("2d")).toEqual([lateDocument.id, soonDocument.id]);
    expect(await listDueIds("7d")).toHaveLength(3);
    expect((await get("/api/health")).json.checks.accounting).toEqual({ ok: false, detail: "late" });
    const failedFields = { state: "failed", step: "queued", problem: "amount" } as const;
    await prisma().accountingDocument.update({ where: { id: lateDocument.id }, data: failedFields });
    expect((await get("/api/health")).json.checks.accounting).toEqual({
      ok: true,
      detail: "in time, but for those that wait for a person",
    });
    expect(await listDueIds("late")).toEqual([lateDocument.id]);
    const csvResponse = await get("/api/admin/accounting.csv?q=gecikmis", adminToken);
    expect(csvResponse.text.trim().split("\r\n")).toHaveLength(4);
    await remindDeadlinesJob();
    expect(
      await prisma().mailMessage.count({ where: { userId: administrator.id, template: "invoices_due" } }),
    ).toBe(1);
  });
});

describe("customer downloads", () => {
  it("are limited to the customer's own invoices", async () => {
    const [owner, otherUser] = [await makeUser(), await makeUser()];
    const { id } = await makeDocument({ userId: owner.id });
    await advanceUntilDone([id]);
    const token = await makeToken(owner.id);
    const { documents } = (await get("/api/billing", token)).json;
    expect(documents).toMatchObject([{ id, state: "done", has_pdf: true }]);
    expect((await get(`/api/billing/documents/${id}/pdf`, token)).text).toMatch(/^%PDF-/);
    expect((await get(`/api/billing/documents/${id}/pdf`, await makeToken(otherUser.id))).status).toBe(403);
  });
});

describe("jobs", () => {
  it("process due invoices and keep files in use", async () => {
    const { id } = await makeDocument();
    for (let round = 0; round < 40 && (await findDocument(id)).state !== "done"; round++) {
      await prisma().accountingDocument.updateMany({ where: { id }, data: { nextAt: null } });
      await enqueueDueDocumentsJob();
      await runJobs();
    }
    await sweepInvoicesJob();
    expect((await get(`/api/admin/accounting/${id}/pdf`, adminToken)).status).toBe(200);
  });
});
