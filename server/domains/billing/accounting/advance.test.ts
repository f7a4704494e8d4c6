import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dayOf } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import { makeToken, makeUser } from "@/server/testing/factories";
import { documentOf, drain, makeDocument } from "@/server/testing/invoices";
import { sandboxPeer } from "@/server/testing/sandbox";
import { testServer } from "@/server/testing/server";
import { advance } from "./service/advance";

const peer = await sandboxPeer();
const server = await testServer({ env: { ...peer.env, RATE_LIMITS: "relaxed" } });

interface Books {
  contacts: Array<{ attributes: Record<string, unknown> }>;
  invoices: Array<{
    id: string;
    attributes: Record<string, unknown>;
    payments: Array<{ id: string; attributes: Record<string, unknown> }>;
    document?: { type: string; attributes: Record<string, unknown> };
    cancelled?: boolean;
  }>;
}
const books = async () =>
  ((await peer.stores.parasut.get("books")) as Books | undefined) ?? { contacts: [], invoices: [] };
const invoicesOf = async (marker: string) =>
  (await books()).invoices.filter(({ attributes }) => attributes.description === marker);

beforeEach(() => {
  peer.calls.length = 0;
  peer.faults.length = 0;
  peer.pause = undefined;
});

describe("an invoice", () => {
  it("is made from contact to PDF, each remote id with its state", async () => {
    const { id, marker } = await makeDocument();
    await drain([id]);
    const row = await documentOf(id);
    const [invoice] = await invoicesOf(marker);
    expect(row).toMatchObject({
      state: "done",
      kind: "e_archive",
      invoiceRemoteId: invoice!.id,
      attempts: 0,
      problem: null,
    });
    expect(row.documentNumber).toMatch(/^TLA\d{13}$/);
    expect(invoice).toMatchObject({
      attributes: { net_total: "9999.00", remaining: "0.00", issue_date: dayOf(new Date()), currency: "TRL" },
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

  it("is not looked for where this run itself has made what there is", async () => {
    const { id } = await makeDocument({ billTo: { tax_number: "2000000093" } });
    await advance(id);
    expect(peer.calls.filter((call) => !call.endsWith("/oauth/token"))).toEqual([
      "GET /parasut/v4/100/contacts",
      "POST /parasut/v4/100/contacts",
      "POST /parasut/v4/100/sales_invoices",
      expect.stringMatching(/^POST .*\/sales_invoices\/\d+\/payments$/),
      "GET /parasut/v4/100/e_invoice_inboxes",
      "POST /parasut/v4/100/e_archives",
      expect.stringMatching(/^GET .*\/trackable_jobs\//),
    ]);
  });

  it("that was lost on its way back and paid by hand meanwhile is not paid again", async () => {
    const { id, marker } = await makeDocument();
    peer.faults.push({
      match: /POST .*sales_invoices$/,
      instead: async (perform) => {
        await perform();
        return { status: 500, body: {} };
      },
    });
    await advance(id);
    const [lost] = await invoicesOf(marker);
    lost!.payments.push({ id: "1", attributes: { amount: 9999, description: "by hand" } });
    Object.assign(lost!.attributes, { remaining: "0.00" });
    await drain([id]);
    const [invoice] = await invoicesOf(marker);
    expect(await documentOf(id)).toMatchObject({ state: "done" });
    expect(invoice!.payments).toHaveLength(1);
  });

  it("is an e-invoice for a number with a box for it, and to a consumer an e-archive under the shared number", async () => {
    const company = await makeDocument({ billTo: { tax_number: "1000000009" } });
    const person = { kind: "person", tax_number: null, tax_office: null };
    const consumers = [
      await makeDocument({ billTo: { ...person, title: "Ayşe Kaya", email: "ayse@example.com" } }),
      await makeDocument({ billTo: { ...person, title: "Mert Kaya", email: "mert@example.com" } }),
    ];
    await drain([company.id, ...consumers.map(({ id }) => id)]);
    expect(await documentOf(company.id)).toMatchObject({ state: "done", kind: "e_invoice" });
    const rows = await Promise.all(consumers.map(({ id }) => documentOf(id)));
    expect(rows.map(({ kind }) => kind)).toEqual(["e_archive", "e_archive"]);
    expect(new Set(rows.map(({ contactRemoteId }) => contactRemoteId)).size).toBe(2);
    const { contacts } = await books();
    const under = (number: string, all = contacts) =>
      all.filter(({ attributes }) => attributes.tax_number === number);
    expect(under("11111111111")).toHaveLength(2);

    // What an administrator sets holds for the invoices that are begun then.
    const admin = await makeUser({ role: "admin" });
    await server.call("PUT", "/api/admin/settings", {
      token: await makeToken(admin.id, { provenAt: new Date() }),
      body: { final_consumer_tax_number: "22222222222" },
    });
    const later = await makeDocument({ billTo: { ...person, title: "Can Kaya", email: "can@example.com" } });
    await drain([later.id]);
    expect(await documentOf(later.id)).toMatchObject({ state: "done", kind: "e_archive" });
    expect(under("22222222222", (await books()).contacts)).toHaveLength(1);
  });

  it("finds a customer of before, and changes what has changed", async () => {
    const first = await makeDocument({ billTo: { tax_number: "3000000005" } });
    await drain([first.id]);
    const second = await makeDocument({ billTo: { tax_number: "3000000005", address: "Yeni Cad. 2" } });
    await drain([second.id]);
    expect((await documentOf(second.id)).contactRemoteId).toBe((await documentOf(first.id)).contactRemoteId);
    const found = (await books()).contacts.filter(({ attributes }) => attributes.tax_number === "3000000005");
    expect(found.map(({ attributes }) => attributes.address)).toEqual(["Yeni Cad. 2"]);
  });

  it("of an amount that no price without VAT comes to is refused before anything is sent", async () => {
    const { id } = await makeDocument({ grossMinor: 9999 });
    await advance(id);
    expect(await documentOf(id)).toMatchObject({ state: "failed", step: "queued", problem: "amount" });
    expect(peer.calls).toEqual([]);
  });

  it("whose total is not what was paid is deleted again", async () => {
    const { id, marker } = await makeDocument({ vatRate: 20 });
    peer.faults.push({
      match: /POST .*sales_invoices$/,
      instead: {
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
    await advance(id);
    expect(await documentOf(id)).toMatchObject({
      state: "failed",
      step: "invoice",
      problem: "amount",
      invoiceRemoteId: null,
    });
    expect(peer.calls).toContain("DELETE /parasut/v4/100/sales_invoices/77");
  });

  it.each([
    ["2026-12-31T20:59:00.000Z", "2026-12-31"],
    ["2026-12-31T21:01:00.000Z", "2027-01-01"],
  ])("is dated by the clock of Istanbul: %s is %s", async (now, day) => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    try {
      const { id, marker } = await makeDocument();
      peer.faults.push({ match: /POST .*sales_invoices$/, instead: "commit_then_reset" });
      await advance(id);
      // The answer was lost, and midnight passes before the next try.
      vi.setSystemTime(new Date(Date.parse(now) + 5 * 60_000));
      await drain([id]);
      const found = await invoicesOf(marker);
      expect(found.map(({ attributes }) => attributes.issue_date)).toEqual([day]);
      expect(dayOf((await documentOf(id)).issueDate!)).toBe(day);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is dated anew after an outage of days, and only when none was made", async () => {
    const { id, marker } = await makeDocument();
    peer.faults.push({ match: /POST .*sales_invoices$/, instead: "reset" });
    await advance(id);
    await prisma().accountingDocument.update({ where: { id }, data: { issueDate: fromNow(-5 * DAY) } });
    await drain([id]);
    const found = await invoicesOf(marker);
    expect(found.map(({ attributes }) => attributes.issue_date)).toEqual([dayOf(new Date())]);
  });
});

describe("details that are missing", () => {
  it("are asked of the customer, and the invoice goes on once they are saved", async () => {
    const { id: userId } = await makeUser({ locale: "en" });
    const { id, marker } = await makeDocument({ userId, billTo: { tax_number: null, tax_office: null } });
    await advance(id);
    expect(await documentOf(id)).toMatchObject({
      state: "needs_data",
      step: "queued",
      missing: ["tax_number", "tax_office"],
    });
    expect(peer.calls).toEqual([]);
    expect(await prisma().mailMessage.count({ where: { userId, template: "invoice_needs_data" } })).toBe(1);
    const token = await makeToken(userId);
    const seen = await server.get("/api/billing", token);
    expect(seen.json.documents).toMatchObject([
      { state: "needs_data", missing: ["tax_number", "tax_office"] },
    ]);
    const body = {
      ...{ kind: "company", title: "Yeni Ltd.", tax_number: "10000000146", tax_office: "Kadıköy" },
      ...{ address: "Moda Cad. 1", district: "Kadıköy", city: "İstanbul" },
    };
    expect((await server.call("PUT", "/api/billing/profile", { token, body })).status).toBe(200);
    await drain([id]);
    expect(await documentOf(id)).toMatchObject({ state: "done", missing: [] });
    expect(await invoicesOf(marker)).toHaveLength(1);
    expect((await books()).contacts.some(({ attributes }) => attributes.name === "Yeni Ltd.")).toBe(true);
    expect(await prisma().mailMessage.count({ where: { userId, template: "invoice_ready" } })).toBe(1);
  });

  it("are asked for when the service refuses them", async () => {
    const { id } = await makeDocument({ billTo: { title: "Hata 422", tax_number: "4000000004" } });
    await advance(id);
    expect(await documentOf(id)).toMatchObject({
      ...{ state: "needs_data", problem: "data", problemText: "Geçersiz kayıt: Vergi dairesi bulunamadı" },
    });
  });
});

describe("a payment that is reversed", () => {
  const reverse = async (paymentId: number) => {
    const token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const body = { reason: "It bounced", confirmation: "REVERSE" };
    expect((await server.post(`/api/admin/payments/${paymentId}/reverse`, body, { token })).status).toBe(200);
  };

  it("has its draft deleted, its document cancelled, and what nobody began just ended", async () => {
    const [fresh, drafted, made] = [await makeDocument(), await makeDocument(), await makeDocument()];
    peer.faults.push({ match: /GET .*e_invoice_inboxes/, instead: "html", times: 1 });
    await advance(drafted.id);
    await drain([made.id]);
    for (const { paymentId } of [fresh, drafted, made]) await reverse(paymentId);
    await drain([fresh.id, drafted.id, made.id]);
    for (const { id } of [fresh, drafted, made])
      expect(await documentOf(id)).toMatchObject({ state: "cancelled" });
    expect(await invoicesOf(fresh.marker)).toEqual([]);
    expect(await invoicesOf(drafted.marker)).toEqual([]);
    expect(await invoicesOf(made.marker)).toMatchObject([{ cancelled: true }]);
  });

  it("while its invoice is being sent takes that back, too", async () => {
    const { id, marker, paymentId } = await makeDocument();
    let sent = () => {};
    const arrived = new Promise<void>((resolve) => {
      sent = resolve;
    });
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    peer.pause = async () => {
      if (!peer.calls.at(-1)!.startsWith("POST /parasut/v4/100/sales_invoices")) return;
      peer.pause = undefined;
      sent();
      await held;
    };
    const running = advance(id);
    await arrived;
    await reverse(paymentId);
    go();
    await running;
    await drain([id]);
    expect(await documentOf(id)).toMatchObject({ state: "cancelled" });
    expect(await invoicesOf(marker)).toEqual([]);
  });

  it("too late to cancel is left to a person, who closes it", async () => {
    const { id, paymentId } = await makeDocument();
    await drain([id]);
    const made = (await invoicesOf((await documentOf(id)).marker))[0]!;
    made.document!.attributes.cancellable_until = fromNow(-DAY).toISOString();
    await reverse(paymentId);
    await drain([id]);
    expect(await documentOf(id)).toMatchObject({ state: "failed", step: "cancelling", problem: "by_hand" });
    const token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const body = { reason: "Return invoice 7", confirmation: "skip" };
    expect((await server.post(`/api/admin/accounting/${id}/skip`, body, { token })).status).toBe(200);
    expect(await documentOf(id)).toMatchObject({ state: "cancelled" });
  });
});

describe("an account that ends while its invoice is under way", () => {
  const own = { name: "Nermin Gizli", email: "nermin.gizli@example.com", phone: "+905321119988" };
  const TRACES = /Nermin|Gizli|nermin|1119988/;
  const remove = async (userId: number) => {
    const body = { confirmation: "SİL" };
    const token = await makeToken(userId);
    expect((await server.post("/api/auth/account/confirm-delete", body, { token })).status).toBe(200);
  };

  it.each(["between two steps", "in the middle of a call", "while its PDF is fetched"])(
    "%s has it finished from what was frozen, and nobody is written to",
    async (when) => {
      const { id: userId } = await makeUser({ ...own, email: `${when.length}${own.email}` });
      const { id, marker } = await makeDocument({
        userId,
        billTo: { title: "Kapanan Ltd.", tax_number: "5000000008" },
      });
      const line = when.includes("PDF") ? /files\/\w+\.pdf$/ : /POST .*sales_invoices$/;
      const mails = await prisma().mailMessage.count({ where: { template: "invoice_ready" } });
      if (when === "between two steps") {
        peer.faults.push({ match: line, instead: "commit_then_reset" });
        await advance(id);
        await remove(userId);
      } else {
        peer.pause = async () => {
          if (!line.test(peer.calls.at(-1)!)) return;
          peer.pause = undefined;
          await remove(userId);
        };
        if (when.includes("PDF")) await drain([id]);
        else await advance(id);
      }
      expect((await prisma().user.findUnique({ where: { id: userId } }))?.anonymisedAt).toBeInstanceOf(Date);
      await drain([id]);
      expect(await documentOf(id)).toMatchObject({ state: "done" });
      expect(await prisma().mailMessage.count({ where: { template: "invoice_ready" } })).toBe(mails);
      // The service knows whom it is made out to, and nothing else of the person; our own rows not even that.
      const sent = await invoicesOf(marker);
      expect(sent).toHaveLength(1);
      const { contacts } = await books();
      const contact = contacts.find(({ attributes }) => attributes.tax_number === "5000000008");
      expect(contact).toMatchObject({ attributes: { name: "Kapanan Ltd.", email: "muhasebe@example.com" } });
      expect(JSON.stringify([sent, contacts])).not.toMatch(TRACES);
      const calls = await prisma().accountingCall.findMany({ where: { documentId: id } });
      const kept = JSON.stringify([await documentOf(id), calls]);
      expect(kept).not.toMatch(/Kapanan|5000000008/);
      expect(kept).not.toMatch(TRACES);
      // The administrator has the paper.
      const admin = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
      const shown = await server.get(`/api/admin/accounting/${id}`, admin);
      expect(shown.json.document).toMatchObject({ state: "done", bill_to: { title: "Kapanan Ltd." } });
      expect(JSON.stringify(shown.json)).not.toMatch(TRACES);
      expect((await server.get(`/api/admin/accounting/${id}/pdf`, admin)).text).toMatch(/^%PDF-/);
    },
  );

  it("is not written to about what its invoice lacks, when the service says so after the end", async () => {
    const { id: userId } = await makeUser({ ...own, email: `lacking.${own.email}` });
    const { id } = await makeDocument({ userId, billTo: { title: "Hata 422", tax_number: "4000000004" } });
    peer.pause = async () => {
      if (!/POST .*contacts$/.test(peer.calls.at(-1)!)) return;
      peer.pause = undefined;
      await remove(userId);
    };
    await advance(id);
    expect(await documentOf(id)).toMatchObject({ state: "needs_data" });
    const where = { userId, template: "invoice_needs_data" };
    expect(await prisma().mailMessage.count({ where })).toBe(0);
  });
});
