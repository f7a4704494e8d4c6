import { expect, it } from "vitest";
import { HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { exchangeForSession } from "./service/tokens";

const { port, call, get } = await startTestServer();

async function makeSession({ provenAt }: { provenAt?: Date } = {}) {
  const user = await makeUser();
  const signInToken = await makeToken(user.id, provenAt && { provenAt });
  return { user, session: (await exchangeForSession(withoutTransaction(), signInToken))!.secret };
}

async function createTrialKey(session: string, scope: "read" | "all") {
  const { status, json } = await sendHttp(port, "POST", "/trpc/tokens.tryKey", {
    headers: { origin: "http://panel.test", cookie: `session=${session}` },
    body: { body: { scope } },
  });
  return { status, key: json.result?.data.token as string };
}

it("creates a read-only key for an hour, listed as docs and revoked like any key", async () => {
  const { user, session } = await makeSession();
  const { status, key } = await createTrialKey(session, "read");
  expect(status).toBe(200);
  expect((await get("/api/user", key)).status).toBe(200);
  expect((await call("PUT", "/api/user/locale", { token: key, body: { locale: "tr" } })).status).toBe(403);
  expect((await call("POST", "/api/user/tokens/try", { body: { scope: "read" }, token: key })).status).toBe(
    403,
  );

  const ownToken = await makeToken(user.id);
  const { json } = await get("/api/user/tokens", ownToken);
  expect(json.tokens).toMatchObject([{ name: "docs", abilities: ["read", "reseller:read"] }]);
  const [{ id, expires_at: expiresAt }] = json.tokens;
  expect(Math.abs(new Date(expiresAt).getTime() - Date.now() - HOUR)).toBeLessThan(HOUR / 10);
  expect((await call("DELETE", `/api/user/tokens/${id}`, { token: ownToken })).status).toBe(200);
  expect((await get("/api/user", key)).status).toBe(401);
});

it("creates a key with all abilities only after a recent proof", async () => {
  const unprovenSession = await makeSession();
  expect((await createTrialKey(unprovenSession.session, "all")).status).toBe(403);
  const provenSession = await makeSession({ provenAt: new Date() });
  const { key } = await createTrialKey(provenSession.session, "all");
  expect((await call("PUT", "/api/user/locale", { token: key, body: { locale: "tr" } })).status).toBe(200);
  expect((await call("POST", "/api/user/tokens/try", { body: { scope: "all" }, token: key })).status).toBe(
    403,
  );
});

it("refuses callers without a session", async () => {
  const { id } = await makeUser();
  const response = await call("POST", "/api/user/tokens/try", {
    body: { scope: "read" },
    token: await makeToken(id),
  });
  expect(response.status).toBe(403);
  expect(await prisma().accessToken.count({ where: { userId: id, kind: "api_key" } })).toBe(0);
});

it("keeps the last five keys of a session and ends them with it", async () => {
  const { user, session } = await makeSession();
  const keys: string[] = [];
  for (let index = 0; index < 7; index++) keys.push((await createTrialKey(session, "read")).key);
  const statuses = await Promise.all(keys.map(async (key) => (await get("/api/user", key)).status));
  expect(statuses).toEqual([401, 401, 200, 200, 200, 200, 200]);

  const otherToken = await makeToken(user.id);
  const { json } = await get("/api/profile/sessions", otherToken);
  const { id } = (json.sessions as Array<{ id: number; kind: string }>).find(({ kind }) => kind === "panel")!;
  expect((await call("DELETE", `/api/profile/sessions/${id}`, { token: otherToken })).status).toBe(200);
  expect((await get("/api/user", keys[6])).status).toBe(401);
  expect(await prisma().accessToken.count({ where: { userId: user.id, kind: "api_key" } })).toBe(0);
});
