import { afterAll, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makePerson, makeToken, makeUser } from "@/server/testing/factories";
import { documentOf, drain, makeDocument } from "@/server/testing/invoices";
import { openS3 } from "@/server/testing/s3";
import { sandboxPeer } from "@/server/testing/sandbox";
import { testServer } from "@/server/testing/server";
import { backfillDocumentsJob, remindDeadlinesJob, sweepInvoicesJob, wakeDocumentsJob } from "./jobs";
import { advance } from "./service/advance";

const peer = await sandboxPeer();
const s3 = await openS3();
afterAll(() => s3.close());
const env = { ...peer.env, ...s3.env, RATE_LIMITS: "relaxed" };
const { call, get, post, work } = await testServer({ env });
const { token: admin, ...boss } = await makePerson({ role: "admin", name: "Deniz Yılmaz" });

const shown = async (id: number) => (await get(`/api/admin/accounting/${id}`, admin)).json.document;
const actions = (id: number) =>
  prisma().auditEvent.findMany({
    where: { objectType: "AccountingDocument", objectId: String(id) },
    orderBy: { id: "asc" },
    select: { action: true, actorId: true, details: true },
  });

describe("administrators", () => {
  it("read the steps of an invoice, its calls, and no tax number", async () => {
    const { id } = await makeDocument();
    await drain([id]);
    const document = await shown(id);
    expect(document).toMatchObject({
      ...{ state: "done", kind: "e_archive", is_late: false, has_pdf: true, problem: null },
      bill_to: { title: "Kaya Kahve Ltd. Şti.", tax_number_last_four: "0002" },
      can: { resume: false, change: false, skip: false, lift: false },
    });
    expect(document.calls.at(-1)).toMatchObject({ step: "pdf", outcome: "ok" });
    expect(JSON.stringify(document)).not.toContain("2000000002");
    const file = await get(`/api/admin/accounting/${id}/pdf`, admin);
    expect(file.headers["content-disposition"]).toContain(`invoice-${document.number}.pdf`);
    expect(file.text).toMatch(/^%PDF-/);
    const { pdfKey } = await documentOf(id);
    expect(String(s3.bucket.files.get(pdfKey!)!.bytes), "it is in the bucket").toBe(file.text);
  });

  it("skip for ever with a word and a reason, lift it with a reason, and nothing else makes it", async () => {
    const { id } = await makeDocument();
    const wrong = await post(
      `/api/admin/accounting/${id}/skip`,
      { reason: "Barter", confirmation: "yes" },
      { token: admin },
    );
    expect(wrong.status).toBe(422);
    const body = { reason: "Barter", confirmation: " atla " };
    expect((await post(`/api/admin/accounting/${id}/skip`, body, { token: admin })).status).toBe(200);
    await wakeDocumentsJob();
    await backfillDocumentsJob();
    await work();
    await advance(id);
    expect(await documentOf(id)).toMatchObject({
      state: "skipped",
      skipReason: "Barter",
      skippedById: boss.id,
    });
    expect((await post(`/api/admin/accounting/${id}/resume`, {}, { token: admin })).status).toBe(422);
    expect((await shown(id)).can).toMatchObject({ lift: true, skip: false, resume: false });
    const lifted = await post(
      `/api/admin/accounting/${id}/unskip`,
      { reason: "Paid after all" },
      { token: admin },
    );
    expect(lifted.status).toBe(200);
    await drain([id]);
    expect(await documentOf(id)).toMatchObject({ state: "done", skippedAt: null });
    expect(await actions(id)).toMatchObject([
      { action: "invoice.skipped", actorId: boss.id, details: { reason: "Barter" } },
      { action: "invoice.unskipped", details: { reason: "Paid after all" } },
    ]);
  });

  it("cannot skip what was sent, and one of twenty skips counts", async () => {
    const sent = await makeDocument();
    peer.faults.push({ match: /e_invoice_inboxes/, instead: "html" });
    await advance(sent.id);
    const body = { reason: "Barter", confirmation: "SKIP" };
    expect((await post(`/api/admin/accounting/${sent.id}/skip`, body, { token: admin })).status).toBe(422);
    const { id } = await makeDocument();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`/api/admin/accounting/${id}/skip`, body, { token: admin })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await actions(id)).toHaveLength(1);
  });

  it("enter what is missing, of a deleted account too, and it goes on", async () => {
    const gone = await makeUser({ anonymisedAt: new Date(), isActive: false });
    for (const userId of [(await makeUser()).id, gone.id]) {
      const { id } = await makeDocument({ userId, billTo: { tax_number: null, tax_office: null } });
      await advance(id);
      expect(await documentOf(id)).toMatchObject({ state: "needs_data" });
      const body = {
        ...{ kind: "company", title: "Yeni Ltd.", tax_number: "10000000146", tax_office: "Kadıköy" },
        ...{ address: "Moda Cad. 1", district: "Kadıköy", city: "İstanbul" },
      };
      expect((await call("PUT", `/api/admin/accounting/${id}/data`, { token: admin, body })).status).toBe(
        200,
      );
      await drain([id]);
      expect(await shown(id)).toMatchObject({
        state: "done",
        bill_to: { title: "Yeni Ltd.", tax_number_last_four: "0146" },
      });
      expect(await prisma().billingProfile.count({ where: { userId } })).toBe(userId === gone.id ? 0 : 1);
      const late = await call("PUT", `/api/admin/accounting/${id}/data`, { token: admin, body });
      expect(late.status).toBe(422);
    }
  });

  it("find what is late, and are told of it once a day", async () => {
    const { id: userId } = await makeUser({ email: "gecikmis@example.com" });
    const late = await makeDocument({ userId, deadlineAt: fromNow(-DAY) });
    const soon = await makeDocument({ userId, deadlineAt: fromNow(DAY) });
    await makeDocument({ userId, deadlineAt: fromNow(6 * DAY) });
    const found = async (due: string) =>
      (await get(`/api/admin/accounting?q=gecikmis&due=${due}`, admin)).json.data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await found("late")).toEqual([late.id]);
    expect(await found("2d")).toEqual([late.id, soon.id]);
    expect(await found("7d")).toHaveLength(3);
    expect((await get("/api/health")).json.checks.accounting).toEqual({ ok: false, detail: "late" });
    // Where a person has to go on, administrators are told; the platform itself is well.
    const failed = { state: "failed", step: "queued", problem: "amount" } as const;
    await prisma().accountingDocument.update({ where: { id: late.id }, data: failed });
    expect((await get("/api/health")).json.checks.accounting).toEqual({
      ok: true,
      detail: "in time, but for those that wait for a person",
    });
    expect(await found("late")).toEqual([late.id]);
    const csv = await get("/api/admin/accounting.csv?q=gecikmis", admin);
    expect(csv.text.trim().split("\r\n")).toHaveLength(4);
    await remindDeadlinesJob();
    expect(await prisma().mailMessage.count({ where: { userId: boss.id, template: "invoices_due" } })).toBe(
      1,
    );
  });
});

describe("customers", () => {
  it("download their own invoices, and nobody else's", async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    const { id } = await makeDocument({ userId: owner.id });
    await drain([id]);
    const token = await makeToken(owner.id);
    const { documents } = (await get("/api/billing", token)).json;
    expect(documents).toMatchObject([{ id, state: "done", has_pdf: true }]);
    expect((await get(`/api/billing/documents/${id}/pdf`, token)).text).toMatch(/^%PDF-/);
    expect((await get(`/api/billing/documents/${id}/pdf`, await makeToken(other.id))).status).toBe(403);
  });
});

describe("jobs", () => {
  it("make what is due, and keep files that are somebody's", async () => {
    const { id } = await makeDocument();
    for (let round = 0; round < 40 && (await documentOf(id)).state !== "done"; round++) {
      await prisma().accountingDocument.updateMany({ where: { id }, data: { nextAt: null } });
      await wakeDocumentsJob();
      await work();
    }
    await sweepInvoicesJob();
    expect((await get(`/api/admin/accounting/${id}/pdf`, admin)).status).toBe(200);
  });
});
