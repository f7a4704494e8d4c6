import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fromNow, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import type { SandboxResponse } from "@/server/sandbox/sandbox";
import { makePayment, makeToken, makeUser } from "@/server/testing/factories";
import { advanceUntilDone, findDocument, makeDocument } from "@/server/testing/invoices";
import { killProcess, startProgram } from "@/server/testing/processes";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { backfillDocumentsJob } from "./jobs";
import { getAccessToken } from "./service/access";
import { processDocument } from "./service/process";

const fakes = await startFakeServices();
const server = await startTestServer({ env: { ...fakes.env, RATE_LIMITS: "relaxed" } });
const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });

/** Data of the fake accounting service. `limit`: calls that it still accepts; null means unlimited. */
interface FakeAccountingData {
  access: string[];
  refresh: string | null;
  limit: number | null;
  contacts: object[];
  invoices: Array<{ attributes: { description: string }; payments: object[]; document?: object }>;
}
const readFakeAccountingData = async () => (await fakes.stores.parasut.get("books")) as FakeAccountingData;
const readMarkers = async () =>
  (await readFakeAccountingData()).invoices.map(({ attributes }) => attributes.description);

/* Each read of the clock advances it by `clockStepMs`, to pass the circuit breaker's 30 seconds. */
const realNow = performance.now.bind(performance);
let [clockOffsetMs, clockStepMs] = [0, 0];
performance.now = () => {
  clockOffsetMs += clockStepMs;
  return realNow() + clockOffsetMs;
};
afterAll(() => {
  performance.now = realNow;
});

beforeEach(() => {
  fakes.calls.length = 0;
  fakes.faults.length = 0;
  fakes.beforeResponse = undefined;
});
afterEach(() => {
  clockStepMs = 0;
  vi.restoreAllMocks();
});

/** Number of invoices; set ACTIVATIONS=200 for a thorough run. */
const INVOICE_COUNT = Number(process.env.ACTIVATIONS ?? 40);

function returnPreviousResponse() {
  let previousResponse: SandboxResponse | undefined;
  return async (perform: () => Promise<SandboxResponse>) => {
    const currentResponse = await perform();
    const returnedResponse = previousResponse ?? currentResponse;
    previousResponse = structuredClone(currentResponse);
    return returnedResponse;
  };
}

describe("activations while the service fails in every way", () => {
  it("create exactly one invoice each, but none with create_invoice: false", async () => {
    clockStepMs = SECOND;
    const originalTimeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => originalTimeout(Math.min(ms, 1000)));
    const users = await Promise.all(Array.from({ length: 20 }, () => makeUser()));
    const [plan] = await prisma().subscriptionPlan.findMany({
      where: { eligible: true, isActive: true },
      take: 1,
    });
    for (const [index, { id: userId }] of users.entries())
      await prisma().billingProfile.create({
        data: {
          ...{ userId, kind: "person", title: `Ayşe ${index}`, address: "Moda Cad. 1" },
          ...{ district: "Kadıköy", city: "İstanbul" },
        },
      });
    for (let index = 0; index < INVOICE_COUNT + 10; index++) {
      const body = {
        user_id: users[index % 20]!.id,
        plan_id: plan!.id,
        send_email: false,
        create_invoice: index < INVOICE_COUNT,
      };
      const response = await server.post("/api/admin/subscriptions/manual-activate", body, {
        token: adminToken,
      });
      expect(response.status).toBe(201);
    }
    const changingCalls = /POST .*(contacts|sales_invoices|payments|e_archives)$/;
    for (let index = 0; index < INVOICE_COUNT / 16; index++) {
      fakes.faults.push({ match: changingCalls, response: { status: 500, body: {} }, times: 3 });
      fakes.faults.push({ match: changingCalls, response: "commit_then_reset", times: 3 });
      fakes.faults.push({ match: /POST .*sales_invoices$/, response: "commit_then_reset", times: 2 });
      fakes.faults.push({ match: changingCalls, response: { status: 429, body: { errors: [] } }, times: 2 });
      fakes.faults.push({ match: changingCalls, response: "html", times: 2 });
      fakes.faults.push({ match: /GET /, response: "html", times: 2 });
      for (const match of [/POST .*contacts$/, /POST .*sales_invoices$/, /GET .*sales_invoices\/\d+$/])
        fakes.faults.push({ match, response: returnPreviousResponse(), times: 3 });
    }
    fakes.faults.push({ match: changingCalls, response: "hang", times: 2 });
    const ids = (await prisma().accountingDocument.findMany({ select: { id: true } })).map(({ id }) => id);
    const results = await Promise.allSettled([
      advanceUntilDone(ids, { lanes: 3 }),
      advanceUntilDone(ids, { lanes: 3 }),
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    await Promise.all([backfillDocumentsJob(), backfillDocumentsJob()]);
    await backfillDocumentsJob();
    await advanceUntilDone(ids);

    const rows = await prisma().accountingDocument.findMany({ select: { marker: true, state: true } });
    expect(rows.filter(({ state }) => state === "done")).toHaveLength(INVOICE_COUNT);
    expect(rows.filter(({ state }) => state === "skipped")).toHaveLength(10);
    const createdMarkers = await readMarkers();
    expect(createdMarkers).toHaveLength(INVOICE_COUNT);
    expect(new Set(createdMarkers)).toEqual(
      new Set(rows.filter(({ state }) => state === "done").map(({ marker }) => marker)),
    );
    const { invoices } = await readFakeAccountingData();
    expect(invoices.every(({ payments, document }) => payments.length === 1 && document)).toBe(true);
  }, 240_000);
});

describe("payments without a document", () => {
  it("get exactly one from two concurrent backfills", async () => {
    const { id: userId } = await makeUser();
    const payments = await Promise.all(
      Array.from({ length: 5 }, () =>
        makePayment(userId, { document: undefined, paidAt: new Date("2027-01-04") }),
      ),
    );
    await Promise.all([backfillDocumentsJob(), backfillDocumentsJob()]);
    const rows = await prisma().accountingDocument.findMany({ where: { payment: { userId } } });
    expect(rows.map(({ paymentId }) => paymentId).sort()).toEqual(payments.map(({ id }) => id).sort());
    expect(rows[0]).toMatchObject({
      netMinor: 833_250,
      vatMinor: 166_650,
      deadlineAt: new Date("2027-01-11T20:59:59.999Z"),
    });
  });
});

describe("a process killed", () => {
  const finishAndVerifyInvoices = async (documents: Array<{ id: number; marker: string }>) => {
    // The killed process still holds the documents until their leases expire.
    for (const { id } of documents) {
      const leasedDocument = await findDocument(id);
      if (leasedDocument.lockedUntil === null) continue;
      await processDocument(id);
      expect(await findDocument(id)).toEqual(leasedDocument);
      await prisma().accountingDocument.update({ where: { id }, data: { lockedUntil: fromNow(-SECOND) } });
    }
    await advanceUntilDone(documents.map(({ id }) => id));
    const { invoices } = await readFakeAccountingData();
    for (const { id, marker } of documents) {
      expect(await findDocument(id)).toMatchObject({ state: "done" });
      const createdInvoices = invoices.filter(({ attributes }) => attributes.description === marker);
      expect(createdInvoices).toHaveLength(1);
      expect(createdInvoices[0]!.payments).toHaveLength(1);
    }
  };

  it("in the middle of a call leaves an invoice that another process finishes", async () => {
    const { id, marker } = await makeDocument({ billTo: { tax_number: "6000000001" } });
    const callReached = new Promise<void>((resolveReached) => {
      fakes.beforeResponse = () => {
        if (!/POST .*sales_invoices$/.test(fakes.calls.at(-1)!)) return Promise.resolve();
        resolveReached();
        return new Promise(() => {});
      };
    });
    const { child } = await startProgram("make-invoice", String(id));
    await callReached;
    await killProcess(child);
    fakes.beforeResponse = undefined;
    await finishAndVerifyInvoices([{ id, marker }]);
  });

  /** Number of kill points, one per invoice; set KILL_POINTS=52 for all. */
  const KILL_POINT_COUNT = Number(process.env.KILL_POINTS ?? 20);

  it(`before or after any call or write leaves invoices that another finishes (${KILL_POINT_COUNT} points)`, async () => {
    const killPoints = pickKillPoints(KILL_POINT_COUNT);
    const documents = [];
    for (const killPoint of killPoints)
      documents.push(await makeDocument({ billTo: { tax_number: String(6_100_000_000 + killPoint) } }));
    const programArguments = documents.map(({ id }, index) => `${id}:${killPoints[index]}`);
    const { child } = await startProgram("make-invoice", ...programArguments);
    await killProcess(child);
    await finishAndVerifyInvoices(documents);
  });
});

const LAST_KILL_POINT = 52;

function pickKillPoints(count: number): number[] {
  const points = Array.from({ length: LAST_KILL_POINT }, (_, index) => index + 1);
  let seed = 20_261_123;
  for (let index = points.length - 1; index > 0; index--) {
    seed = (seed * 48_271) % 2_147_483_647;
    const swapIndex = seed % (index + 1);
    [points[index], points[swapIndex]] = [points[swapIndex]!, points[index]!];
  }
  return points.slice(0, count);
}

describe("the access token", () => {
  it("is fetched once for twenty concurrent callers, with one use of the refresh token", async () => {
    const accessBefore = await prisma().accountingAccess.findUniqueOrThrow({ where: { id: 1 } });
    await prisma().accountingAccess.update({ where: { id: 1 }, data: { expiresAt: fromNow(0) } });
    fakes.calls.length = 0;
    const { child } = await startProgram("accounting-token");
    const tokens = new Set(await Promise.all(Array.from({ length: 20 }, () => getAccessToken())));
    await new Promise((resolve) =>
      child.exitCode === null ? child.once("exit", resolve) : resolve(undefined),
    );
    expect(tokens.size).toBe(1);
    expect(fakes.calls.filter((call) => call === "POST /parasut/oauth/token")).toHaveLength(1);
    const accessAfter = await prisma().accountingAccess.findUniqueOrThrow({ where: { id: 1 } });
    expect(Buffer.compare(accessAfter.refreshSealed!, accessBefore.refreshSealed!)).not.toBe(0);
  });

  it("is renewed when the service rejects it, and fails as transient while the service is down", async () => {
    const { id } = await makeDocument();
    fakes.calls.length = 0;
    fakes.faults.push({ match: /contacts/, response: { status: 401, body: {} } });
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "done" });
    expect(fakes.calls.filter((call) => call === "POST /parasut/oauth/token")).toHaveLength(1);
    await prisma().accountingAccess.update({ where: { id: 1 }, data: { expiresAt: fromNow(0) } });
    for (const status of [429, 503]) {
      fakes.faults.push({ match: /oauth/, response: { status, body: {} } });
      await expect(getAccessToken()).rejects.toThrow("transient");
    }
  });

  it("is requested with the password after a lost response to a refresh", async () => {
    await prisma().accountingAccess.update({ where: { id: 1 }, data: { expiresAt: fromNow(0) } });
    fakes.faults.push({ match: /oauth/, response: "commit_then_reset" });
    await expect(getAccessToken()).rejects.toThrow("transient");
    const token = await getAccessToken();
    expect((await readFakeAccountingData()).access).toContain(token);
  });

  it("pauses invoicing with one mail when it is refused, until a connection test succeeds", async () => {
    const { id } = await makeDocument();
    fakes.faults.push({
      match: /oauth/,
      response: { status: 400, body: { error: "invalid_grant" } },
      times: 99,
    });
    await prisma().accountingAccess.update({ where: { id: 1 }, data: { expiresAt: fromNow(0) } });
    await Promise.all([processDocument(id), processDocument((await makeDocument()).id)]);
    expect(await prisma().mailMessage.count({ where: { template: "accounting_paused" } })).toBe(1);
    fakes.calls.length = 0;
    await processDocument(id);
    expect(fakes.calls).toEqual([]);
    const health = await server.get("/api/health");
    expect(health.json.checks.accounting).toEqual({ ok: false, detail: "paused" });
    const failedTestResponse = await server.post("/api/admin/accounting/test", {}, { token: adminToken });
    expect(failedTestResponse.json).toMatchObject({
      ok: false,
      checks: [{ name: "account", problem: "credentials" }],
    });
    fakes.faults.length = 0;
    const passedTestResponse = await server.post("/api/admin/accounting/test", {}, { token: adminToken });
    expect(passedTestResponse.json).toMatchObject({ ok: true });
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "done" });
  });
});

describe("the PDF", () => {
  it("is retried while the disk is full, without repeating other steps", async () => {
    const { id, marker } = await makeDocument();
    const writeSpy = vi
      .spyOn(storage(), "write")
      .mockRejectedValue(Object.assign(new Error("no space"), { code: "ENOSPC" }));
    for (let round = 0; round < 12; round++) await processDocument(id);
    expect(await findDocument(id)).toMatchObject({ state: "pdf", problem: "storage", problemText: "ENOSPC" });
    writeSpy.mockRestore();
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "done" });
    expect((await readMarkers()).filter((each) => each === marker)).toHaveLength(1);
  });

  it.each(["http://127.0.0.1:5432/x.pdf", "https://127.0.0.1/x.pdf"])(
    "is not fetched from %s",
    async (url) => {
      const { id } = await makeDocument();
      fakes.faults.push({
        match: /\/pdf$/,
        response: { status: 200, body: { data: { id: "1", type: "e_document_pdfs", attributes: { url } } } },
        times: 1,
      });
      for (let round = 0; round < 8 && (await findDocument(id)).state !== "pdf"; round++)
        await processDocument(id);
      expect(await findDocument(id)).toMatchObject({ state: "pdf", problem: "transient", pdfKey: null });
    },
  );
});

describe("the service's rate limit", () => {
  it("delays a document without counting a failed attempt", async () => {
    const { id } = await makeDocument();
    await fakes.stores.parasut.set("books", { ...(await readFakeAccountingData()), limit: 1 });
    for (let round = 0; round < 3; round++) await processDocument(id);
    expect(await findDocument(id)).toMatchObject({ attempts: 0, problemText: "429" });
    await fakes.stores.parasut.set("books", { ...(await readFakeAccountingData()), limit: null });
    await advanceUntilDone([id]);
    expect(await findDocument(id)).toMatchObject({ state: "done" });
  });
});
