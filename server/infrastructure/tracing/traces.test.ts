import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeToken, makeUser } from "@/server/testing/factories";
import { findDocument } from "@/server/testing/invoices";
import { openFakeS3 } from "@/server/testing/s3";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { createTracer } from "./open-telemetry";
import { startTracing } from "./start-tracing";

interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Array<{ key: string; value: { stringValue?: string; intValue?: number } }>;
}

/** Fake collector that records spans, or hangs. */
const receivedSpans: ReceivedSpan[] = [];
const receivedHeaders: IncomingHttpHeaders[] = [];
let isHanging = false;
const collector = createServer(async (req, res) => {
  if (isHanging) return;
  const body = (await json(req)) as {
    resourceSpans: Array<{ scopeSpans: Array<{ spans: ReceivedSpan[] }> }>;
  };
  receivedHeaders.push(req.headers);
  for (const { scopeSpans } of body.resourceSpans)
    for (const scope of scopeSpans) receivedSpans.push(...scope.spans);
  res.setHeader("content-type", "application/json").end("{}");
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const [services, smtpServer, s3] = [
  await startFakeServices(),
  await startFakeSmtpServer(),
  await openFakeS3(),
];
afterAll(() => s3.close());
const { post, runJobs, get } = await startTestServer({
  env: {
    ...services.env,
    ...s3.env,
    SMTP_URL: smtpServer.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
  },
});

let stopTracing = async () => {};
afterEach(async () => {
  isHanging = false;
  await stopTracing();
});

const findAttribute = ({ attributes }: ReceivedSpan, key: string) =>
  attributes.find((each) => each.key === key)?.value;

it("traces an activation from request to invoice, without personal data", async () => {
  const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  const { id: userId, email } = await makeUser();
  await prisma().billingProfile.create({
    data: {
      ...{ userId, kind: "person", title: "Ayşe Kaya", address: "Moda Cad. 1" },
      ...{ district: "Kadıköy", city: "İstanbul" },
    },
  });
  const plan = await prisma().subscriptionPlan.findFirstOrThrow({
    where: { eligible: true, isActive: true },
  });
  stopTracing = await startTracing("server");
  const callerTraceId = "11112222333344445555666677778888";
  const response = await post(
    "/api/admin/subscriptions/manual-activate",
    { user_id: userId, plan_id: plan.id },
    { token: adminToken, headers: { traceparent: `00-${callerTraceId}-1111222233334444-01` } },
  );
  expect(response.status).toBe(201);
  for (let round = 0; round < 3; round++) await runJobs();
  await stopTracing();

  const document = await prisma().accountingDocument.findFirstOrThrow({ where: { payment: { userId } } });
  expect((await findDocument(document.id)).invoiceRemoteId).not.toBeNull();
  const traceSpans = receivedSpans.filter(({ traceId }) => traceId === callerTraceId);
  const findSpan = (name: string) => traceSpans.find((each) => each.name === name)!;
  const findParent = ({ parentSpanId }: ReceivedSpan) =>
    traceSpans.find(({ spanId }) => spanId === parentSpanId);
  const requestSpan = findSpan("POST /api/admin/subscriptions/manual-activate");
  expect(requestSpan.parentSpanId).toBe("1111222233334444");
  expect(Number(findAttribute(requestSpan, "http.response.status_code")?.intValue)).toBe(201);
  const jobSpan = findSpan("job make_document");
  expect(findParent(jobSpan)).toBe(requestSpan);
  expect(findParent(findSpan("job deliver_mail"))).toBe(requestSpan);
  expect(findParent(findSpan("SMTP 127.0.0.1"))).toBe(findSpan("job deliver_mail"));
  const callSpan = findSpan(`POST ${new URL(services.url).host}`);
  expect(findParent(callSpan)).toBe(jobSpan);
  const insertSpans = traceSpans.filter((each) =>
    /^insert into/i.test(findAttribute(each, "db.query.text")?.stringValue ?? ""),
  );
  expect(insertSpans.filter((each) => findParent(each) === requestSpan).length).toBeGreaterThan(0);
  expect(traceSpans.some((each) => each.name === "SELECT" && findParent(each) === jobSpan)).toBe(true);
  const queryTexts = traceSpans
    .map((each) => findAttribute(each, "db.query.text")?.stringValue ?? "")
    .join("; ");
  expect(queryTexts).toMatch(/insert into audit_events/i);
  expect(queryTexts).toContain("graphile_worker.add_job");
  expect(JSON.stringify(receivedSpans)).not.toContain(email);
  expect(JSON.stringify(receivedSpans)).not.toMatch(/Ayşe|Moda Cad|Bearer|sandbox-password/);
  expect(receivedHeaders[0]?.["x-key"]).toBe("abc");
});

it("traces calls to the bucket without file names", async () => {
  stopTracing = await startTracing("server");
  await storage().checkAccess();
  await stopTracing();
  const bucketSpans = receivedSpans.filter(({ name }) =>
    name.endsWith(` ${new URL(s3.env.S3_ENDPOINT!).host}`),
  );
  expect(bucketSpans.map(({ name }) => name.split(" ")[0])).toEqual(["GET"]);
  expect(Number(findAttribute(bucketSpans[0]!, "http.response.status_code")?.intValue)).toBe(200);
  expect(JSON.stringify(bucketSpans)).not.toContain(s3.bucket.name);
});

it("does not delay requests while the collector is down, and logs it once", async () => {
  const warnSpy = vi.spyOn(log, "warn").mockImplementation(() => {});
  const tracer = createTracer("server", "1", { endpoint: "http://127.0.0.1:9", headers: {}, sampleRatio: 1 });
  for (let time = 0; time < 2; time++)
    await tracer.runInSpan({ name: "a", kind: "server" }, () =>
      tracer.runInSpan({ name: "b", kind: "client" }, async () => {}),
    );
  await tracer.close();
  expect(warnSpy.mock.calls.map(([line]) => (line as unknown as { event: string }).event)).toEqual([
    "traces.lost",
  ]);
  warnSpy.mockRestore();

  isHanging = true;
  stopTracing = await startTracing("server");
  const token = await makeToken((await makeUser()).id);
  for (let time = 0; time < 5; time++) expect((await get("/api/user", token)).status).toBe(200);
});
