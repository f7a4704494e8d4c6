import { request } from "node:http";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { handlers } from "@/server/operations";
import { burst, tally } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { newAddress } from "@/server/testing/http";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { testServer } from "@/server/testing/server";

const server = await testServer();
const { call, get, post, port } = server;
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3);
const PASSWORD = "correct-horse";
const login = (email: string, password = PASSWORD) =>
  post("/api/auth/login", { email, password }, { ip: newAddress() });
const passwordResetFor = async (email: string) => {
  await post("/api/auth/forgot-password", { email }, { ip: newAddress() });
  const token = linkParam((await mailsTo(server, email, "reset_password"))[0]!, "token");
  return (password: string) =>
    post("/api/auth/reset-password", { token, email, password, password_confirmation: password });
};

/** Begins a request, and sends its body when it is told to. */
function dripped(
  method: string,
  path: string,
  token: string,
  body: string | Buffer,
  type = "application/json",
) {
  const sent = request({
    port,
    host: "127.0.0.1",
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": type,
      "content-length": Buffer.byteLength(body),
      "x-forwarded-for": newAddress(),
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on("response", (response) => resolve(response.resume().statusCode!));
    sent.on("error", reject);
  });
  const bytes = Buffer.from(body as Buffer);
  sent.write(bytes.subarray(0, -1));
  return { status, finish: () => void sent.end(bytes.subarray(-1)) };
}

describe("a token that is revoked while the body of its request arrives", () => {
  it("does nothing any more, whatever the operation", async () => {
    const writes = handlers()
      .map(({ operation }) => operation)
      .filter(
        ({ access, body, upload, path }) => access === "token" && body && !upload && !path.includes("{"),
      );
    expect(writes.length).toBeGreaterThan(15);
    for (const { method, path } of writes) {
      const { id } = await makeUser();
      const token = await makeToken(id);
      const begun = dripped(method, path, token, JSON.stringify({ name: "Somebody Else", locale: "de" }));
      await new Promise((done) => setTimeout(done, 60));
      await prisma().accessToken.deleteMany({ where: { userId: id } });
      begun.finish();
      expect(await begun.status, `${method} ${path}`).toBe(401);
    }
  });
});

it("stores no file that was still arriving when the token was revoked", async () => {
  const { id } = await makeUser();
  const token = await makeToken(id);
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const form = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
    picture,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const begun = dripped("POST", "/api/user/avatar", token, form, "multipart/form-data; boundary=b");
  await new Promise((done) => setTimeout(done, 60));
  await prisma().accessToken.deleteMany({ where: { userId: id } });
  begun.finish();
  expect(await begun.status).toBe(401);
  expect((await prisma().user.findUniqueOrThrow({ where: { id } })).avatarUrl).toBeNull();
});

describe("sign-ins under way while the password is reset", () => {
  it("leave no token alive", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, email } = await makeUser();
      const reset = await passwordResetFor(email);
      const [responses, changed] = await Promise.all([
        burst(20, () => login(email)),
        reset("a-brand-new-password"),
      ]);
      expect(changed.json.auto_login).toBe(true);
      expect(Object.keys(tally(responses)).every((status) => ["200", "401"].includes(status))).toBe(true);
      for (const { json } of responses)
        if (json.token) expect((await get("/api/user", json.token)).status).toBe(401);
      expect(await prisma().accessToken.count({ where: { userId: id } })).toBe(1);
    }
  });
});

describe("an account that strangers guess at", () => {
  it("still lets its owner in from where the owner signed in before, signed out or not", async () => {
    const { email } = await makeUser();
    const home = "2001:db8:1:2::7";
    const fromHome = (ip: string) => post("/api/auth/login", { email, password: PASSWORD }, { ip });
    const { token } = (await fromHome(home)).json;
    await post("/api/auth/logout", {}, { token });
    await burst(100, (index) =>
      post("/api/auth/login", { email, password: "wrong" }, { ip: `10.9.${index}.1` }),
    );
    expect((await login(email)).status, "from elsewhere").toBe(429);
    expect((await fromHome("2001:db8:1:2:ffff::1")).status, "from the same network").toBe(200);
  });
});

it("records refused proofs of identity, and allows fifteen wrong codes an hour", async () => {
  const { id } = await makeUser();
  const token = await makeToken(id);
  const refused = await post("/api/auth/confirm-identity", { method: "password", value: "wrong" }, { token });
  expect(refused.status).toBe(422);
  expect(await prisma().auditEvent.count({ where: { actorId: id, action: "identity.refused" } })).toBe(1);
});

it("lets an API key change the profile, and not the ways into the account", async () => {
  const { id, email } = await makeUser();
  const owner = await makeToken(id, { provenAt: new Date() });
  const key = (
    await post("/api/user/tokens", { name: "Key", abilities: ["profile:write"] }, { token: owner })
  ).json.token;
  for (const [path, field] of [
    ["/api/user", "email"],
    ["/api/auth/profile", "email"],
    ["/api/auth/profile", "phone"],
  ] as const) {
    const value = field === "email" ? "thief@example.com" : "+905321234567";
    expect((await call("PUT", path, { token: key, body: { [field]: value } })).status).toBe(403);
  }
  expect((await call("PUT", "/api/user", { token: key, body: { name: "New name" } })).status).toBe(200);
  expect(await prisma().user.findUniqueOrThrow({ where: { id } })).toMatchObject({ email, name: "New name" });
});
