import { describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";
import { remindOfExpiringKeysJob } from "./jobs";

const server = await startTestServer();
const { post, get, call } = server;

const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const login = (email: string, userAgent: string, password = "correct-horse") =>
  post("/api/auth/login", { email, password }, { headers: { "user-agent": userAgent } });

describe("a sign-in from a new kind of device", () => {
  it("is mailed once, but not for the first sign-in or a browser update", async () => {
    const { email } = await makeUser({ locale: "en", timezone: "America/New_York" });
    for (const version of ["141", "142"]) await login(email, CHROME.replace("141", version));
    expect(await deliverAndReadMails(server, email)).toEqual([]);
    await login(email, FIREFOX);
    await login(email, FIREFOX);
    const mails = await deliverAndReadMails(server, email);
    expect(mails.map(({ template }) => template)).toEqual(["new_sign_in"]);
    expect(mails[0]!.text).toMatch(/Firefox, Linux, 10\.\d+\.\d+\.\d+, \d+ \w+ 20\d\d at \d\d:\d\d/u);
  });

  it("is not mailed for a wrong password", async () => {
    const { email } = await makeUser();
    await login(email, CHROME);
    await login(email, FIREFOX, "wrong-password");
    expect(await deliverAndReadMails(server, email)).toEqual([]);
  });
});

describe("the sign-in history", () => {
  it("shows the caller's own sign-ins and attempts, newest first", async () => {
    const user = await makeUser();
    await login((await makeUser()).email, CHROME);
    await login(user.email, CHROME, "wrong-password");
    const { json } = await login(user.email, FIREFOX);
    const { sign_ins, data, count } = (await get("/api/profile/sign-ins", json.token)).json;
    expect(count).toBe(2);
    expect(data).toEqual(sign_ins);
    expect(sign_ins).toMatchObject([
      { outcome: "succeeded", way: "password", gate: null, user_agent: FIREFOX },
      { outcome: "failed", way: "password", gate: null, user_agent: CHROME },
    ]);
  });

  it("names the gate that refused a sign-in", async () => {
    const user = await makeUser({ emailVerifiedAt: null });
    await login(user.email, CHROME);
    const { json } = await get("/api/profile/sign-ins", await makeToken(user.id));
    expect(json.sign_ins).toMatchObject([{ outcome: "refused", gate: "email_unverified" }]);
  });
});

describe("trusted devices", () => {
  it("are listed and deleted by their owner only", async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    const { id } = await prisma().trustedDevice.create({
      data: { userId: owner.id, tokenHash: Buffer.alloc(32, 1), userAgent: CHROME, expiresAt: fromNow(DAY) },
    });
    const token = await makeToken(owner.id);
    expect((await get("/api/profile/devices", token)).json).toMatchObject({
      count: 1,
      devices: [{ id, user_agent: CHROME }],
    });
    const path = `/api/profile/devices/${id}`;
    expect((await call("DELETE", path, { token: await makeToken(other.id) })).status).toBe(403);
    expect((await call("DELETE", path, { token })).status).toBe(200);
    expect((await call("DELETE", path, { token })).status).toBe(404);
    expect((await get("/api/profile/devices", token)).json.count).toBe(0);
  });
});

describe("an API key that expires within a week", () => {
  it("is mailed to its owner once", async () => {
    const user = await makeUser({ locale: "en" });
    const makeKey = (name: string, expiryDay: number, creationDay = -30) =>
      prisma().accessToken.create({
        data: {
          userId: user.id,
          kind: "api_key",
          name,
          tokenHash: Buffer.from(name.padEnd(32)),
          lastFour: "abcd",
          createdAt: fromNow(creationDay * DAY),
          expiresAt: fromNow(expiryDay * DAY),
        },
      });
    await Promise.all([
      makeKey("soon", 6),
      makeKey("later", 8),
      makeKey("over", -1),
      makeKey("brand new", 5, 0),
    ]);
    await remindOfExpiringKeysJob();
    await remindOfExpiringKeysJob();
    const mails = await deliverAndReadMails(server, user.email);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("“soon”")]);
    expect(mails[0]!.text).toContain("http://panel.test/developers/keys");
  });
});

describe("signing out", () => {
  it("needs no ability", async () => {
    const token = await makeToken((await makeUser()).id, { abilities: ["sites:write"] });
    expect((await get("/api/user", token)).status).toBe(403);
    expect((await post("/api/auth/logout", undefined, { token })).status).toBe(200);
    expect((await get("/api/user", token)).status).toBe(401);
  });
});
