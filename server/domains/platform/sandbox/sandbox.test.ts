import { expect, it } from "vitest";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
const TOKEN = "123456789:a-token-of-the-sandbox-that-nobody-reads";

const callTelegram = (method: string) =>
  fetch(`http://127.0.0.1:${server.port}/dev/sandbox/telegram/bot${TOKEN}/${method}`);
const readSandbox = async () => (await server.get("/api/dev/sandbox?party=telegram")).json;

it("lists calls without secrets, newest first", async () => {
  expect([(await callTelegram("getMe")).status, (await callTelegram("nothing")).status]).toEqual([200, 404]);
  const { calls } = await readSandbox();
  expect(calls).toMatchObject([
    { party: "telegram", call: "GET /bot{token}/nothing", status: 404, failure: null },
    { party: "telegram", call: "GET /bot{token}/getMe", status: 200, failure: null },
  ]);
  expect(JSON.stringify(calls)).not.toContain(TOKEN);
});

it("fails exactly as many matching calls as scripted, even when they are concurrent", async () => {
  const body = { party: "telegram", failure: "unavailable", match: "getMe", times: 5 };
  const { status, json } = await server.post("/api/dev/sandbox/failures", body);
  expect({ status, failure: json.failure }).toEqual({
    status: 201,
    failure: { id: expect.any(Number), ...body, times: undefined, remaining: 5 },
  });
  expect((await callTelegram("getWebhookInfo")).status).toBe(200);
  expect(countByStatus(await runConcurrently(20, () => callTelegram("getMe")))).toEqual({ 200: 15, 503: 5 });
  expect((await readSandbox()).failures).toEqual([]);
});

it("removes scripted failures", async () => {
  const body = { party: "telegram", failure: "reset" };
  expect((await server.post("/api/dev/sandbox/failures", body)).status).toBe(201);
  expect((await server.call("DELETE", "/api/dev/sandbox/failures")).status).toBe(200);
  expect((await callTelegram("getMe")).status).toBe(200);
});
