import { expect, it } from "vitest";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import type { DocumentState } from "@/server/infrastructure/database/generated/enums";
import { makePayment, makeSignedInUser, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();
const { token } = await makeSignedInUser({ role: "admin" });
const { id: userId } = await makeUser();

async function makeInvoice(state: DocumentState, { createdAt = new Date(), deadlineAt = fromNow(-DAY) }) {
  const amounts = { grossMinor: 120, netMinor: 100, vatMinor: 20, vatRate: 20 };
  const remote = { contactRemoteId: "1", invoiceRemoteId: "2", documentRemoteId: "3", issueDate: createdAt };
  const document = { kind: "e_archive", documentNumber: "TEL1", pdfKey: "invoices/1.pdf", doneAt: createdAt };
  await makePayment(userId, {
    document: {
      create: {
        ...{ ...amounts, ...remote, ...document, state, createdAt, deadlineAt },
        step: state === "failed" || state === "needs_data" ? "queued" : null,
        skippedAt: state === "skipped" ? createdAt : null,
      },
    },
  });
}

it("counts every state in one line, by the time of the invoice", async () => {
  const createdAt = new Date("2026-03-03T09:00:00Z");
  const states: DocumentState[] = ["queued", "contact", "invoice", "payment", "edocument", "polling", "pdf"];
  for (const state of states) await makeInvoice(state, { createdAt });
  for (const state of ["done", "needs_data", "failed", "skipped", "cancelling", "cancelled"] as const)
    await makeInvoice(state, { createdAt });
  await makeInvoice("done", { createdAt: new Date("2026-03-05T09:00:00Z") });
  const { json } = await get(
    "/api/admin/accounting/series?from=2026-03-02&to=2026-03-04&time_zone=UTC",
    token,
  );
  expect(json.data.lines).toMatchObject([
    { key: "issued", values: [0, 1, 0] },
    { key: "in_progress", values: [0, states.length, 0] },
    { key: "needs_attention", values: [0, 2, 0] },
    { key: "skipped_or_cancelled", values: [0, 3, 0] },
  ]);
});

it("counts open invoices by the day of their deadline, and those that missed it once", async () => {
  const read = async () => (await get("/api/admin/accounting/deadlines?time_zone=UTC", token)).json.data;
  const before = await read();
  await makeInvoice("failed", { deadlineAt: fromNow(-1000) });
  await makeInvoice("done", { deadlineAt: fromNow(DAY) });
  await makeInvoice("cancelling", { deadlineAt: fromNow(-DAY) });
  const inThreeDays = new Date(new Date().setUTCHours(20, 59, 59, 999) + 3 * DAY);
  await makeInvoice("polling", { deadlineAt: inThreeDays });
  await makeInvoice("needs_data", { deadlineAt: inThreeDays });
  await makeInvoice("queued", { deadlineAt: fromNow(8 * DAY + HOUR) });
  const after = await read();
  expect(after.starts).toHaveLength(7);
  expect(after.overdue).toBe(before.overdue + 1);
  expect(after.lines).toMatchObject([
    { key: "in_progress", values: [0, 0, 0, 1, 0, 0, 0], total: 1, previous_values: null },
    { key: "needs_attention", values: [0, 0, 0, 1, 0, 0, 0], total: 1 },
  ]);
});

it("refuses everyone but administrators", async () => {
  const { token: customerToken } = await makeSignedInUser();
  for (const path of ["series", "deadlines"])
    expect((await get(`/api/admin/accounting/${path}`, customerToken)).status).toBe(403);
});
