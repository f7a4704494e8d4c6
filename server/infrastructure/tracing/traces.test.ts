import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import { fakeSmtpServer } from "@/server/testing/external-servers";
import { makeToken, makeUser } from "@/server/testing/factories";
import { documentOf } from "@/server/testing/invoices";
import { openFakeS3 } from "@/server/testing/s3";
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { openTracer } from "./open-telemetry";
import { startTraces } from "./start";

interface Sent {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Array<{ key: string; value: { stringValue?: string; intValue?: number } }>;
}

/** Fake collector that records spans, or hangs. */
const spans: Sent[] = [];
const received: IncomingHttpHeaders[] = [];
let hangs = false;
const collector = createServer(async (req, res) => {
  if (hangs) return;
  const body = (await json(req)) as { resourceSpans: Array<{ scopeSpans: Array<{ spans: Sent[] }> }> };
  received.push(req.headers);
  for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
  res.setHeader("content-type", "application/json").end("{}");
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const [peer, mail, s3] = [await fakeServices(), await fakeSmtpServer(), await openFakeS3()];
afterAll(() => s3.close());
const { post, work, get } = await testServer({
  env: {
    ...peer.env,
    ...s3.env,
    SMTP_URL: mail.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
  },
});

let end = async () => {};
afterEach(async () => {
  hangs = false;
  await end();
});

const fact = ({ attributes }: Sent, key: string) => attributes.find((each) => each.key === key)?.value;

it("traces an activation from request to invoice, without personal data", async () => {
  const admin = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
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
  end = await startTraces("server");
  const click = "11112222333344445555666677778888";
  const paid = await post(
    "/api/admin/subscriptions/manual-activate",
    { user_id: userId, plan_id: plan.id },
    { token: admin, headers: { traceparent: `00-${click}-1111222233334444-01` } },
  );
  expect(paid.status).toBe(201);
  for (let round = 0; round < 3; round++) await work();
  await end();

  const document = await prisma().accountingDocument.findFirstOrThrow({ where: { payment: { userId } } });
  expect((await documentOf(document.id)).invoiceRemoteId).not.toBeNull();
  const trace = spans.filter(({ traceId }) => traceId === click);
  const named = (name: string) => trace.find((each) => each.name === name)!;
  const parentOf = ({ parentSpanId }: Sent) => trace.find(({ spanId }) => spanId === parentSpanId);
  const request = named("POST /api/admin/subscriptions/manual-activate");
  expect(request.parentSpanId).toBe("1111222233334444");
  expect(Number(fact(request, "http.response.status_code")?.intValue)).toBe(201);
  const job = named("job make_document");
  expect(parentOf(job)).toBe(request);
  expect(parentOf(named("job deliver_mail"))).toBe(request);
  expect(parentOf(named("SMTP 127.0.0.1"))).toBe(named("job deliver_mail"));
  const call = named(`POST ${new URL(peer.url).host}`);
  expect(parentOf(call)).toBe(job);
  const inserted = trace.filter((each) =>
    /^insert into/i.test(fact(each, "db.query.text")?.stringValue ?? ""),
  );
  expect(inserted.filter((each) => parentOf(each) === request).length).toBeGreaterThan(0);
  expect(trace.some((each) => each.name === "SELECT" && parentOf(each) === job)).toBe(true);
  const texts = trace.map((each) => fact(each, "db.query.text")?.stringValue ?? "").join("; ");
  expect(texts).toMatch(/insert into audit_events/i);
  expect(texts).toContain("graphile_worker.add_job");
  expect(JSON.stringify(spans)).not.toContain(email);
  expect(JSON.stringify(spans)).not.toMatch(/Ayşe|Moda Cad|Bearer|sandbox-password/);
  expect(received[0]?.["x-key"]).toBe("abc");
});

it("traces calls to the bucket without file names", async () => {
  end = await startTraces("server");
  await storage().check();
  await end();
  const calls = spans.filter(({ name }) => name.endsWith(` ${new URL(s3.env.S3_ENDPOINT!).host}`));
  expect(calls.map(({ name }) => name.split(" ")[0])).toEqual(["GET"]);
  expect(Number(fact(calls[0]!, "http.response.status_code")?.intValue)).toBe(200);
  expect(JSON.stringify(calls)).not.toContain(s3.bucket.name);
});

it("does not delay requests while the collector is down, and logs it once", async () => {
  const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
  const tracer = openTracer("server", "1", { endpoint: "http://127.0.0.1:9", headers: {}, share: 1 });
  for (let time = 0; time < 2; time++)
    await tracer.run({ name: "a", kind: "server" }, () =>
      tracer.run({ name: "b", kind: "client" }, async () => {}),
    );
  await tracer.close();
  expect(warned.mock.calls.map(([line]) => (line as unknown as { event: string }).event)).toEqual([
    "traces.lost",
  ]);
  warned.mockRestore();

  hangs = true;
  end = await startTraces("server");
  const token = await makeToken((await makeUser()).id);
  for (let time = 0; time < 5; time++) expect((await get("/api/user", token)).status).toBe(200);
});
