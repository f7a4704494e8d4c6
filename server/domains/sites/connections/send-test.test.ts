import { beforeEach, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeConnection, makeSignedInUser, makeSite } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";

const services = await startFakeServices();
const server = await startTestServer({ env: services.env });
beforeEach(async () => {
  await resetRateLimits();
  services.faults.length = 0;
  services.calls.length = 0;
});

const PHONE = "0532 123 45 67";
const base_url = `${services.url}/evolution`;
let nextNumber = 10_000;

const makeSmsConnection = (userId: number, data: object = {}) =>
  makeConnection(userId, {
    channel: "sms",
    connectionType: "twilio",
    label: "Kaya SMS",
    remoteKey: `PN${nextNumber++}`,
    accountKey: `AC${"1".repeat(32)}`,
    secret: "a-token-of-twilio",
    ...data,
  });

const makeWhatsappConnection = (userId: number, data: object = {}) =>
  makeConnection(userId, {
    channel: "whatsapp",
    connectionType: "cloud_api",
    remoteKey: `9${nextNumber++}`,
    accountKey: "9",
    secret: "a-token-of-meta",
    ...data,
  });

async function makeInstanceConnection(userId: number, state: "open" | "connecting") {
  const instance = `instance${nextNumber++}`;
  await services.stores.evolution.set(`instance:${instance}`, {
    name: instance,
    key: "own-key",
    state,
    url: "",
  });
  return makeConnection(userId, {
    channel: "whatsapp_qr",
    connectionType: "evolution",
    remoteKey: `${base_url}|${instance}`,
    config: { base_url, instance },
    secret: "own-key",
  });
}

const sendTest = (token: string, id: number, to = PHONE) =>
  server.post(`/api/connections/${id}/test-message`, { to }, { token });
const readAuditDetails = async (objectId: number) => {
  const events = await prisma().auditEvent.findMany({
    where: { action: "connection.tested", objectId: String(objectId) },
    orderBy: { id: "asc" },
  });
  return events.map(({ details }) => details);
};

describe("a test message", () => {
  it("is sent by Twilio from the connection's number, and the audit entry has no phone number", async () => {
    const { id, token } = await makeSignedInUser();
    const connection = await makeSmsConnection(id);
    const bodies: string[] = [];
    services.onCall = (line, body) => void (line.includes("Messages") && bodies.push(body));
    expect((await sendTest(token, connection.id)).status).toBe(200);
    services.onCall = undefined;
    expect(bodies.map((body) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {
        To: "+905321234567",
        From: `+1202555${connection.remoteKey.slice(-4)}`,
        Body: expect.stringContaining("Kaya SMS"),
      },
    ]);
    const details = await readAuditDetails(connection.id);
    expect(details).toEqual([{ channel: "sms" }]);
  });

  it("is Meta's template for WhatsApp and a text for an Evolution instance", async () => {
    const { id, token } = await makeSignedInUser();
    const bodies: unknown[] = [];
    services.onCall = (line, body) => void (line.startsWith("POST") && bodies.push(JSON.parse(body)));
    for (const connection of [await makeWhatsappConnection(id), await makeInstanceConnection(id, "open")])
      expect((await sendTest(token, connection.id)).status).toBe(200);
    services.onCall = undefined;
    expect(bodies).toMatchObject([
      { messaging_product: "whatsapp", to: "905321234567", template: { name: "hello_world" } },
      { number: "905321234567", text: expect.any(String) },
    ]);
  });

  it("is refused with a reason for each refusal of the provider", async () => {
    const { id, token } = await makeSignedInUser();
    const [sms, whatsapp, paired, unpaired] = [
      await makeSmsConnection(id),
      await makeWhatsappConnection(id),
      await makeInstanceConnection(id, "open"),
      await makeInstanceConnection(id, "connecting"),
    ];
    const revoked = await makeSmsConnection(id, { secret: "a-token-REVOKED" });
    const withoutRights = await makeWhatsappConnection(id, { secret: "a-token-NORIGHTS" });
    const attempts = [
      [sms.id, "+905321234404", "number_unreachable"],
      [sms.id, "+905321234608", "number_not_allowed"],
      [whatsapp.id, "+905321234404", "number_not_allowed"],
      [paired.id, "+905321234404", "number_unreachable"],
      [unpaired.id, PHONE, "not_ready"],
      [revoked.id, PHONE, "token_refused"],
      [withoutRights.id, PHONE, "forbidden"],
    ] as const;
    for (const [connectionId, to, reason] of attempts) {
      const { status, json } = await sendTest(token, connectionId, to);
      expect({ status, json }).toEqual({
        status: 422,
        json: { success: false, error: expect.any(String), reason },
      });
    }
    services.faults.push({ match: /Messages/, response: "reset" });
    expect((await sendTest(token, sms.id)).json.reason).toBe("unreachable");
    expect(await readAuditDetails(revoked.id)).toEqual([{ channel: "sms" }]);
  });

  it("is refused without a call for a dead token, a connection that is switched off, other channels and wrong numbers", async () => {
    const { id, token } = await makeSignedInUser();
    const dead = await makeSmsConnection(id, { health: "dead", tokenDeadAt: new Date() });
    const off = await makeSmsConnection(id, { isActive: false });
    const bot = await makeConnection(id);
    expect((await sendTest(token, dead.id)).json.reason).toBe("token_dead");
    expect((await sendTest(token, off.id)).json.reason).toBe("deactivated");
    expect((await sendTest(token, bot.id)).json.reason).toBe("unsupported");
    const sms = await makeSmsConnection(id);
    for (const to of ["12345", "+90 212 000", "0800 123 45 67"])
      expect((await sendTest(token, sms.id, to)).json.errors).toHaveProperty("to");
    expect(services.calls).toEqual([]);
  });

  it("needs the right to manage the connection", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const site = await makeSite(owner.id);
    const agent = await makeSignedInUser({
      isAgentOnly: true,
      parentUserId: owner.id,
      assignedSiteId: site.id,
    });
    const connection = await makeSmsConnection(owner.id, { siteIds: [site.id] });
    const responses = [
      await sendTest(agent.token, connection.id),
      await sendTest(stranger.token, connection.id),
      await sendTest(owner.token, 2_147_483_000),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect(services.calls).toEqual([]);
  });

  it("is limited to ten an hour, with refused ones", async () => {
    const { id, token } = await makeSignedInUser();
    const connection = await makeSmsConnection(id);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await sendTest(token, connection.id, attempt < 5 ? PHONE : "+905321234404")).status);
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(5).fill(422), 429]);
  });
});

describe("reading a connection", () => {
  it("returns the address that visitors write to, also after the label was changed", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await server.post(
      "/api/connections",
      { channel: "telegram", bot_token: `510000001:${"t".repeat(35)}`, label: "Destek" },
      { token },
    );
    const response = await server.get(`/api/connections/${json.connection.id}`, token);
    expect(response.json.connection).toMatchObject({
      label: "Destek",
      address: "@sandbox_510000001_bot",
      can_manage: true,
    });
  });

  it("is forbidden to accounts that do not see it; agents see those of their site", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const site = await makeSite(owner.id);
    const agent = await makeSignedInUser({
      isAgentOnly: true,
      parentUserId: owner.id,
      assignedSiteId: site.id,
    });
    const [linked, unlinked] = [
      await makeSmsConnection(owner.id, { siteIds: [site.id] }),
      await makeSmsConnection(owner.id),
    ];
    const read = async (token: string, id: number) =>
      (await server.get(`/api/connections/${id}`, token)).status;
    expect(await read(stranger.token, linked.id)).toBe(403);
    expect(await read(agent.token, linked.id)).toBe(200);
    expect(await read(agent.token, unlinked.id)).toBe(403);
    expect(await read(owner.token, 2_147_483_000)).toBe(404);
  });
});
