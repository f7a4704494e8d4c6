import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { maskContacts } from "@/server/core/mask";
import { getErrorReason, serializeError } from "@/server/core/redact";
import { makeProvenUser, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildSamplePath, getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { isFullSuite } from "@/server/testing/suite";
import { getHandlers } from "@/server/transports/rest/operations";

const { port } = await startTestServer({ env: { MAIL_PRIVATE_HOSTS: "true" } });

const CALL_COUNT = isFullSuite ? 2000 : 200;
const MAX_STALL_MS = isFullSuite ? 200 : 1000;
/** A busy machine slows single calls down; hostile text slows every one. */
const TRIES = 3;
const TEXT_SIZES_BYTES = [4096, 65_000, 990_000];
const TEXT_FRAGMENTS = [
  "a",
  "a.",
  "a@",
  "a@a.",
  "@",
  "eyJ-",
  "1",
  "1 ",
  "+1",
  "://a@",
  "<a",
  "é",
  "ş-",
  " ",
  "\n",
  "\t1",
  "%",
  "{",
  "(0-",
  "\\",
  '"',
  "&a;",
  "=?a",
  "0.",
  ",",
  "-",
  "/",
  "\u202e",
  "😀",
  "İ",
];

/** Measures the longest block of the event loop. Comparing with CPU time excludes pauses of the process. */
function startStallMeter(): { longestMs(): number; reset(): void } {
  let stallMs = 0;
  let previous = { at: performance.now(), cpu: process.cpuUsage() };
  const timer = setInterval(() => {
    const wallMs = performance.now() - previous.at;
    const { user, system } = process.cpuUsage(previous.cpu);
    stallMs = Math.max(stallMs, Math.min(wallMs, (user + system) / 1000));
    previous = { at: performance.now(), cpu: process.cpuUsage() };
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return {
    longestMs: () => stallMs,
    reset: () => {
      stallMs = 0;
    },
  };
}

const textFields = getHandlers().flatMap(({ operation }) => {
  const body = operation.upload ? {} : (getHarmlessBody(operation) ?? {});
  const bodyFields = Object.entries(body).filter(([, value]) => typeof value === "string");
  const searchFields = operation.query && "q" in operation.query.shape ? ["q"] : [];
  return [
    ...bodyFields.map(([field]) => ({ operation, field, body })),
    ...searchFields.map((field) => ({ operation, field, body: undefined })),
  ];
});

it("no field stalls the event loop on hostile text", { timeout: 1_200_000 }, async () => {
  const admin = await makeUser({ role: "admin" });
  let token = await makeToken(admin.id, { provenAt: new Date() });
  await sendHttp(port, "GET", "/api/user", { token });
  const meter = startStallMeter();
  const problems: string[] = [];
  for (let index = 0; index < CALL_COUNT; index++) {
    const { operation, field, body } = textFields[(index * 7) % textFields.length]!;
    const fragment = TEXT_FRAGMENTS[index % TEXT_FRAGMENTS.length]!;
    const size = body ? TEXT_SIZES_BYTES[index % TEXT_SIZES_BYTES.length]! : 2000;
    const text = fragment.repeat(size / Buffer.byteLength(JSON.stringify(fragment)) + 1);
    const path = buildSamplePath(operation) + (body ? "" : `?q=${encodeURIComponent(text.slice(0, 2000))}`);
    const send = () =>
      sendHttp(port, operation.method, path, {
        token,
        ...(body && { body: { ...body, [field]: text } }),
        headers: { "user-agent": fragment.repeat(2000).replace(/[^\x20-\xff]/g, "x") },
      });
    let status = 0;
    let stallMs = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && stallMs > MAX_STALL_MS; tries++) {
      meter.reset();
      ({ status } = await send());
      await sleep(10); // the meter's next reading
      stallMs = Math.min(stallMs, meter.longestMs());
    }
    if (stallMs > MAX_STALL_MS)
      problems.push(`${operation.id}.${field} ${JSON.stringify(fragment)} ${size}: ${stallMs} ms`);
    if (status >= 500)
      problems.push(`${operation.id}.${field} ${JSON.stringify(fragment)} ${size}: status ${status}`);
    if (index % 50 === 0) await resetRateLimits();
    if (status === 401)
      token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  }
  expect(problems).toEqual([]);
});

it("no hostile reply of a mail server stalls the event loop", { timeout: 600_000 }, async () => {
  let reply = "";
  const mailServer = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("220 ready\r\n");
    socket.on("data", (chunk) => {
      socket.write(/^(EHLO|MAIL)/.test(chunk.toString()) ? "250 fine\r\n" : `550 ${reply}\r\n`);
    });
  });
  await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void mailServer.close());
  const { token } = await makeProvenUser();
  const mailAccount = {
    from_name: "X",
    from_address: "x@example.com",
    host: "127.0.0.1",
    port: (mailServer.address() as { port: number }).port,
  };
  const { status } = await sendHttp(port, "PUT", "/api/user/mail-account", {
    token,
    body: { ...mailAccount, secure: false },
  });
  expect(status).toBe(200);
  const meter = startStallMeter();
  for (const fragment of TEXT_FRAGMENTS.filter((each) => each !== "\n")) {
    for (const size of [8000, 1_000_000]) {
      reply = fragment.repeat(size / fragment.length);
      await resetRateLimits();
      expect((await sendHttp(port, "POST", "/api/user/mail-account/test", { token, body: {} })).status).toBe(
        422,
      );
    }
  }
  expect(meter.longestMs()).toBeLessThan(MAX_STALL_MS);
});

it("no hostile text in errors or impersonated data stalls the event loop", async () => {
  const meter = startStallMeter();
  for (const fragment of TEXT_FRAGMENTS) {
    const text = fragment.repeat(1_000_000 / fragment.length);
    serializeError(new Error(text, { cause: new Error(text) }));
    getErrorReason(new AggregateError([new Error(text), text]));
    await sleep(10);
    maskContacts(Array(10).fill({ content: text.slice(0, 4096) }), []);
    await sleep(10);
  }
  expect(meter.longestMs()).toBeLessThan(MAX_STALL_MS);
});
