import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { EVOLUTION_KEY } from "@/server/sandbox/evolution";
import { type SandboxResponse, sandboxResponse } from "@/server/sandbox/sandbox";
import { makeSignedInUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";

const services = await startFakeServices();
const server = await startTestServer({ env: { ...services.env, RATE_LIMITS: "relaxed" } });
const { token } = await makeSignedInUser();
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
});

const TWILIO_ACCOUNT = `AC${"5".repeat(32)}`;
let nextNumber = 30_000;
const credentialBuilders = {
  telegram: (n: number) => ({ bot_token: `7000${n}:${"t".repeat(35)}` }),
  whatsapp: (n: number) => ({ waba_id: `${n}`, phone_number_id: `${n}0`, access_token: "a-token-of-meta" }),
  messenger: (n: number) => ({ page_id: `${n}`, access_token: "a-token-of-meta" }),
  instagram: (n: number) => ({ ig_user_id: `${n}`, access_token: `ig${n}-token` }),
  whatsapp_qr: (n: number) => ({
    base_url: `${services.url}/evolution`,
    api_key: EVOLUTION_KEY,
    instance: `shop${n}`,
  }),
  sms: (n: number) => ({
    account_sid: TWILIO_ACCOUNT,
    auth_token: "a-token-of-twilio",
    phone_number_sid: `PN${n}`,
  }),
};
type TestChannel = keyof typeof credentialBuilders;

async function connectChannel(channel: TestChannel) {
  const number = nextNumber++;
  const { json } = await server.post(
    "/api/connections",
    { channel, ...credentialBuilders[channel](number) },
    { token },
  );
  return { number, item: { channel, id: json.connection.id as number } };
}

async function cleanUp(item: { channel: TestChannel; id: number }) {
  const { json } = await server.post("/api/idle-connections/cleanup", { items: [item] }, { token });
  const { receipt } = (await server.get(`/api/connection-cleanups/${json.receipt_id}`, token)).json;
  const { channel: _channel, id: _id, ...result } = json.results[0];
  const { step, status, code, outcome } = receipt.items[0].calls.at(-1);
  return { result, lastCall: { step, status, code, outcome } };
}

const RESULT_BY_FAILURE_CLASS = {
  gone: { ok: true },
  dead: { ok: true, token_dead: true },
  retry: { ok: false, reason: "remote_failed", retryable: true },
  forbidden: { ok: false, reason: "remote_forbidden" },
} as const;
type FailureClass = keyof typeof RESULT_BY_FAILURE_CLASS;

const telegramError = (status: number, description: string) =>
  sandboxResponse(status, { ok: false, error_code: status, description });
const graphError = (status: number, code: number, error_subcode?: number) =>
  sandboxResponse(status, { error: { message: "x", code, ...(error_subcode && { error_subcode }) } });
const twilioError = (status: number, code: number) => sandboxResponse(status, { code, message: "x", status });
const evolutionError = (status: number, message: string) =>
  sandboxResponse(status, { status, error: "x", response: { message: [message] } });

type FailureCase = [TestChannel, RegExp, SandboxResponse, FailureClass, code: string | null];
const buildGraphCases = (channel: TestChannel, match: RegExp): FailureCase[] => [
  [channel, match, graphError(401, 190, 460), "dead", "190/460"],
  [channel, match, graphError(401, 0), "dead", "0"],
  [channel, match, graphError(400, 3), "forbidden", "3"],
  [channel, match, graphError(403, 10), "forbidden", "10"],
  [channel, match, graphError(403, 200), "forbidden", "200"],
  [channel, match, graphError(403, 299), "forbidden", "299"],
  [channel, match, graphError(403, 368), "forbidden", "368"],
  [channel, match, graphError(400, 100), "forbidden", "100"],
  [channel, match, graphError(400, 33), "gone", "33"],
  [channel, match, graphError(400, 100, 33), "gone", "100/33"],
  [channel, match, graphError(500, 1), "retry", "1"],
  [channel, match, graphError(500, 2), "retry", "2"],
  [channel, match, graphError(429, 4), "retry", "4"],
  [channel, match, graphError(429, 80007), "retry", "80007"],
  [channel, match, graphError(500, 131000), "retry", "131000"],
  [channel, match, graphError(400, 133016), "retry", "133016"],
  [channel, match, sandboxResponse(502, {}), "retry", null],
];
const FAILURE_CASES: FailureCase[] = [
  ["telegram", /deleteWebhook/, telegramError(401, "Unauthorized"), "dead", "Unauthorized"],
  ["telegram", /deleteWebhook/, telegramError(404, "Not Found"), "dead", "Not Found"],
  [
    "telegram",
    /deleteWebhook/,
    telegramError(421, "Misdirected Request"),
    "forbidden",
    "Misdirected Request",
  ],
  ["telegram", /deleteWebhook/, telegramError(403, "Forbidden"), "forbidden", "Forbidden"],
  ["telegram", /deleteWebhook/, telegramError(429, "Too Many Requests"), "retry", "Too Many Requests"],
  ["telegram", /deleteWebhook/, telegramError(500, "Internal"), "retry", "Internal"],
  ...buildGraphCases("messenger", /DELETE/),
  ["instagram", /DELETE/, graphError(401, 190), "dead", "190"],
  ["instagram", /DELETE/, graphError(400, 100, 33), "gone", "100/33"],
  ["instagram", /DELETE/, graphError(429, 4), "retry", "4"],
  ["whatsapp", /DELETE/, graphError(401, 190), "dead", "190"],
  ["whatsapp", /DELETE/, graphError(403, 200), "forbidden", "200"],
  ["whatsapp", /DELETE/, graphError(429, 80007), "retry", "80007"],
  ["whatsapp_qr", /find/, evolutionError(401, "Unauthorized"), "dead", "Unauthorized"],
  ["whatsapp_qr", /find/, evolutionError(403, "Forbidden"), "forbidden", "Forbidden"],
  ["whatsapp_qr", /find/, evolutionError(404, "Cannot GET"), "retry", "Cannot GET"],
  ["whatsapp_qr", /find/, evolutionError(500, "Internal"), "retry", "Internal"],
  ["whatsapp_qr", /delete/, evolutionError(403, "Forbidden"), "forbidden", "Forbidden"],
  ["whatsapp_qr", /delete/, evolutionError(401, "Unauthorized"), "dead", "Unauthorized"],
  ["sms", /POST/, twilioError(401, 20003), "dead", "20003"],
  ["sms", /POST/, twilioError(404, 20404), "gone", "20404"],
  ["sms", /POST/, sandboxResponse(404, {}), "retry", null],
  ["sms", /POST/, twilioError(403, 20006), "forbidden", "20006"],
  ["sms", /POST/, twilioError(400, 21402), "forbidden", "21402"],
  ["sms", /POST/, twilioError(429, 20429), "retry", "20429"],
  ["sms", /POST/, twilioError(503, 20503), "retry", "20503"],
];

it.each(FAILURE_CASES)(
  "%s: treats the response to %s with %j as %s",
  async (channel, match, response, failureClass, code) => {
    const { item } = await connectChannel(channel);
    services.faults.push({ match, response });
    const { result, lastCall } = await cleanUp(item);
    expect(result).toEqual(RESULT_BY_FAILURE_CLASS[failureClass]);
    expect(lastCall).toMatchObject({ status: response.status, outcome: failureClass, code });
    const row = await prisma().connection.findUnique({ where: { id: item.id } });
    expect(row && { cleanup: row.cleanup, isActive: row.isActive }).toEqual(
      result.ok ? null : { cleanup: "failed", isActive: false },
    );
  },
);

it.each(buildGraphCases("whatsapp", /POST/))(
  "%s: treats the response to %s with %j as %s",
  async (...args) => {
    const [channel, match, response, failureClass, code] = args;
    const { item } = await connectChannel(channel);
    services.faults.push({ match, response });
    const { json } = await server.post("/api/idle-connections/cleanup", { items: [item] }, { token });
    expect(json.results).toEqual([{ ...item, ...RESULT_BY_FAILURE_CLASS[failureClass] }]);
    const { receipt } = (await server.get(`/api/connection-cleanups/${json.receipt_id}`, token)).json;
    const clearCall = receipt.items[0].calls.find(({ step }: { step: string }) => step === "clear");
    expect(clearCall).toMatchObject({ status: response.status, outcome: failureClass, code });
  },
);

describe("foreign settings", () => {
  const FOREIGN_URL = "https://other.example.com/hook";
  const { telegram, meta, evolution, twilio } = services.stores;

  it.each([
    [
      "telegram",
      (n: number) => telegram.set(`hook:7000${n}`, FOREIGN_URL),
      (n: number) => telegram.get(`hook:7000${n}`),
      FOREIGN_URL,
    ],
    [
      "whatsapp",
      (n: number) => meta.set(`override:${n}0`, FOREIGN_URL),
      (n: number) => meta.get(`override:${n}0`),
      FOREIGN_URL,
    ],
    ["messenger", (n: number) => meta.set(`apps:${n}`, ["9"]), (n: number) => meta.get(`apps:${n}`), ["9"]],
    [
      "sms",
      (n: number) => twilio.set(`number:PN${n}`, { sms_url: FOREIGN_URL }),
      (n: number) => twilio.get(`number:PN${n}`),
      { sms_url: FOREIGN_URL },
    ],
    [
      "whatsapp_qr",
      async (n: number) =>
        evolution.set(`instance:shop${n}`, {
          ...((await evolution.get(`instance:shop${n}`)) as object),
          url: FOREIGN_URL,
        }),
      async (n: number) => ((await evolution.get(`instance:shop${n}`)) as { url: string }).url,
      FOREIGN_URL,
    ],
  ] as const)("stay at %s", async (channel, setForeignSetting, findSetting, remainingSetting) => {
    const { number: n, item } = await connectChannel(channel);
    await setForeignSetting(n);
    const { result } = await cleanUp(item);
    expect(result).toEqual({ ok: true });
    expect(await findSetting(n)).toEqual(remainingSetting);
    expect(await prisma().connection.findUnique({ where: { id: item.id } })).toBeNull();
  });

  it("are not compared at Instagram, which does not return subscriptions", async () => {
    const { number: n, item } = await connectChannel("instagram");
    services.faults.push({ match: /GET .*subscribed_apps/, response: graphError(403, 10) });
    expect((await cleanUp(item)).result).toEqual({ ok: true });
    expect(await services.stores.instagram.get(`apps:${n}`)).toEqual([]);
  });
});
