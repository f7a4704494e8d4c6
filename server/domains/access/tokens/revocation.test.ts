import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Domain } from "@/server/core/domain";
import { domains } from "@/server/domains";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildSampleParams, buildSamplePath, getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, get, post, port } = server;
const ROUNDS = Number(process.env.BURST_ROUNDS ?? 3);
const PASSWORD = "correct-horse";
const login = (email: string, password = PASSWORD) =>
  post("/api/auth/login", { email, password }, { ip: createIpAddress() });
const startPasswordReset = async (email: string) => {
  await post("/api/auth/forgot-password", { email }, { ip: createIpAddress() });
  const token = getLinkParam((await deliverAndReadMails(server, email, "reset_password"))[0]!, "token");
  return (password: string) =>
    post("/api/auth/reset-password", { token, email, password, password_confirmation: password });
};

/** Starts a request; `finish` sends the last byte of its body. */
function sendSlowly(method: string, path: string, headers: Record<string, string>, body: string | Buffer) {
  const clientRequest = request({
    port,
    host: "127.0.0.1",
    method,
    path,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-forwarded-for": createIpAddress(),
      ...headers,
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    clientRequest.on("response", (response) => resolve(response.resume().statusCode!));
    clientRequest.on("error", reject);
  });
  const bytes = Buffer.from(body as Buffer);
  clientRequest.write(bytes.subarray(0, -1));
  return { status, finish: () => void clientRequest.end(bytes.subarray(-1)) };
}

describe("a token revoked while a request body arrives", () => {
  const writeOperations = Object.entries(domains as Record<string, Domain>).flatMap(
    ([domain, { operations = {} }]) =>
      Object.entries(operations)
        .map(([name, { operation }]) => ({ procedure: `${domain}.${name}`, operation }))
        .filter(
          ({ operation: { access, method, upload } }) => access === "token" && method !== "GET" && !upload,
        ),
  );

  async function getStatusAfterRevocation(
    startRequest: (token: string) => Promise<ReturnType<typeof sendSlowly>>,
  ) {
    const { id } = await makeUser();
    const slowRequest = await startRequest(await makeToken(id));
    // The server reads the token before the body is complete.
    await sleep(60);
    await prisma().accessToken.deleteMany({ where: { userId: id } });
    slowRequest.finish();
    return slowRequest.status;
  }

  it("is refused by every REST operation", async () => {
    const operationsWithBody = writeOperations.filter(({ operation }) => operation.body);
    expect(operationsWithBody.length).toBeGreaterThan(15);
    for (const { operation } of operationsWithBody) {
      const body = JSON.stringify(getHarmlessBody(operation));
      const status = await getStatusAfterRevocation(async (token) =>
        sendSlowly(operation.method, buildSamplePath(operation), { authorization: `Bearer ${token}` }, body),
      );
      expect(status, operation.id).toBe(401);
    }
  });

  it("is refused by every procedure of the panel", async () => {
    expect(writeOperations.length).toBeGreaterThan(30);
    for (const { procedure, operation } of writeOperations) {
      const body = JSON.stringify({ params: buildSampleParams(operation), body: getHarmlessBody(operation) });
      const status = await getStatusAfterRevocation(async (token) => {
        const { secret } = (await exchangeForSession(withoutTransaction(), token))!;
        const headers = { origin: "http://panel.test", cookie: `session=${secret}` };
        return sendSlowly("POST", `/trpc/${procedure}`, headers, body);
      });
      expect(status, procedure).toBe(401);
    }
  });
});

it("stores no upload whose token was revoked before it was complete", async () => {
  const { id, token } = await makeSignedInUser();
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const form = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
    image,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const contentType = "multipart/form-data; boundary=b";
  const headers = { authorization: `Bearer ${token}`, "content-type": contentType };
  const slowRequest = sendSlowly("POST", "/api/user/avatar", headers, form);
  await sleep(60);
  await prisma().accessToken.deleteMany({ where: { userId: id } });
  slowRequest.finish();
  expect(await slowRequest.status).toBe(401);
  expect((await prisma().user.findUniqueOrThrow({ where: { id } })).avatarUrl).toBeNull();
});

describe("sign-ins concurrent with a password reset", () => {
  it("leave no valid token", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, email } = await makeUser();
      const finishReset = await startPasswordReset(email);
      const [responses, resetResponse] = await Promise.all([
        runConcurrently(20, () => login(email)),
        finishReset("a-brand-new-password"),
      ]);
      expect(resetResponse.json.auto_login).toBe(true);
      expect(Object.keys(countByStatus(responses)).every((status) => ["200", "401"].includes(status))).toBe(
        true,
      );
      for (const { json } of responses)
        if (json.token) expect((await get("/api/user", json.token)).status).toBe(401);
      expect(await prisma().accessToken.count({ where: { userId: id } })).toBe(1);
    }
  });
});

describe("an account under attack", () => {
  it("lets its owner sign in from a known network, even after a sign-out", async () => {
    const { email } = await makeUser();
    const homeIp = "2001:db8:1:2::7";
    const loginFrom = (ip: string) => post("/api/auth/login", { email, password: PASSWORD }, { ip });
    const { token } = (await loginFrom(homeIp)).json;
    await post("/api/auth/logout", {}, { token });
    // ACCOUNT_COUNTER allows 100.
    await runConcurrently(100, (index) =>
      post("/api/auth/login", { email, password: "wrong" }, { ip: `10.9.${index}.1` }),
    );
    expect((await login(email)).status, "from an unknown network").toBe(429);
    expect((await loginFrom("2001:db8:1:2:ffff::1")).status, "from the known network").toBe(200);
  });
});

it("audits a refused proof of identity", async () => {
  const { id, token } = await makeSignedInUser();
  const refusedResponse = await post(
    "/api/auth/confirm-identity",
    { method: "password", value: "wrong" },
    { token },
  );
  expect(refusedResponse.status).toBe(422);
  expect(await prisma().auditEvent.count({ where: { actorId: id, action: "identity.refused" } })).toBe(1);
});

it("lets an API key change the profile, but not e-mail address or phone number", async () => {
  const { id, email, token: ownerToken } = await makeProvenUser();
  const apiKey = (
    await post("/api/user/tokens", { name: "Key", abilities: ["profile:write"] }, { token: ownerToken })
  ).json.token;
  for (const [path, field] of [
    ["/api/user", "email"],
    ["/api/auth/profile", "email"],
    ["/api/auth/profile", "phone"],
  ] as const) {
    const value = field === "email" ? "thief@example.com" : "+905321234567";
    expect((await call("PUT", path, { token: apiKey, body: { [field]: value } })).status).toBe(403);
  }
  expect((await call("PUT", "/api/user", { token: apiKey, body: { name: "New name" } })).status).toBe(200);
  expect(await prisma().user.findUniqueOrThrow({ where: { id } })).toMatchObject({ email, name: "New name" });
});
