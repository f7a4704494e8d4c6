import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { maskContacts } from "@/server/core/mask";
import { errorReason, serializeError } from "@/server/core/redact";
import { makeProvenUser, makeToken, makeUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { harmlessBody, samplePath } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";
import { isFullSuite } from "@/server/testing/suite";
import { handlers } from "@/server/transports/rest/operations";

const { port } = await testServer({ env: { MAIL_PRIVATE_HOSTS: "true" } });

const COUNT = isFullSuite ? 2000 : 200;
const LONGEST = isFullSuite ? 200 : 1000;
const SIZES = [4096, 65_000, 990_000];
const PIECES = [
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

function stallMeter(): { longest(): number } {
  let longest = 0;
  let before = { at: performance.now(), cpu: process.cpuUsage() };
  const clock = setInterval(() => {
    const wall = performance.now() - before.at;
    const { user, system } = process.cpuUsage(before.cpu);
    longest = Math.max(longest, Math.min(wall, (user + system) / 1000));
    before = { at: performance.now(), cpu: process.cpuUsage() };
  }, 5);
  onTestFinished(() => clearInterval(clock));
  return { longest: () => longest };
}

const fields = handlers().flatMap(({ operation }) => {
  const body = operation.upload ? {} : (harmlessBody(operation) ?? {});
  const ofBody = Object.entries(body).filter(([, value]) => typeof value === "string");
  const search = operation.query && "q" in operation.query.shape ? ["q"] : [];
  return [
    ...ofBody.map(([field]) => ({ operation, field, body })),
    ...search.map((field) => ({ operation, field, body: undefined })),
  ];
});

it("no field stalls the event loop on hostile text", { timeout: 1_200_000 }, async () => {
  const admin = await makeUser({ role: "admin" });
  let token = await makeToken(admin.id, { provenAt: new Date() });
  await send(port, "GET", "/api/user", { token });
  const meter = stallMeter();
  const slow: string[] = [];
  for (let index = 0; index < COUNT; index++) {
    const { operation, field, body } = fields[(index * 7) % fields.length]!;
    const piece = PIECES[index % PIECES.length]!;
    const size = body ? SIZES[index % SIZES.length]! : 2000;
    const text = piece.repeat(size / Buffer.byteLength(JSON.stringify(piece)) + 1);
    const path = samplePath(operation) + (body ? "" : `?q=${encodeURIComponent(text.slice(0, 2000))}`);
    const before = meter.longest();
    const { status } = await send(port, operation.method, path, {
      token,
      ...(body && { body: { ...body, [field]: text } }),
      headers: { "user-agent": piece.repeat(2000).replace(/[^\x20-\xff]/g, "x") },
    });
    const after = meter.longest();
    if (after > before && after > LONGEST)
      slow.push(`${operation.id}.${field} ${JSON.stringify(piece)} ${size}: ${after} ms`);
    if (status >= 500)
      slow.push(`${operation.id}.${field} ${JSON.stringify(piece)} ${size}: status ${status}`);
    if (index % 50 === 0) await resetLimits();
    if (status === 401)
      token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  }
  expect(slow).toEqual([]);
});

it("no hostile reply of a mail server stalls the event loop", { timeout: 600_000 }, async () => {
  let reply = "";
  const peer = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("220 ready\r\n");
    socket.on("data", (chunk) => {
      socket.write(/^(EHLO|MAIL)/.test(chunk.toString()) ? "250 fine\r\n" : `550 ${reply}\r\n`);
    });
  });
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void peer.close());
  const { token } = await makeProvenUser();
  const account = {
    from_name: "X",
    from_address: "x@example.com",
    host: "127.0.0.1",
    port: (peer.address() as { port: number }).port,
  };
  const { status } = await send(port, "PUT", "/api/user/mail-account", {
    token,
    body: { ...account, secure: false },
  });
  expect(status).toBe(200);
  const meter = stallMeter();
  for (const piece of PIECES.filter((each) => each !== "\n")) {
    for (const size of [8000, 1_000_000]) {
      reply = piece.repeat(size / piece.length);
      await resetLimits();
      expect((await send(port, "POST", "/api/user/mail-account/test", { token, body: {} })).status).toBe(422);
    }
  }
  expect(meter.longest()).toBeLessThan(LONGEST);
});

it("no hostile text in errors or impersonated data stalls the event loop", async () => {
  const meter = stallMeter();
  for (const piece of PIECES) {
    const text = piece.repeat(1_000_000 / piece.length);
    serializeError(new Error(text, { cause: new Error(text) }));
    errorReason(new AggregateError([new Error(text), text]));
    await new Promise((resolve) => setTimeout(resolve, 10));
    maskContacts(Array(10).fill({ content: text.slice(0, 4096) }), []);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(meter.longest()).toBeLessThan(LONGEST);
});
