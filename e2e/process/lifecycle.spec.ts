import { spawnSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { findFreePort } from "@/server/testing/ports";
import { ServerProcess } from "../server-process";

const CREDENTIALS = { email: "customer@example.com", password: "demo-password" };

/** Exchanges a token for the cookie of a panel session, as the sign-in page does. */
async function fetchSessionCookie(server: ServerProcess, token: string): Promise<string> {
  const csrf = await fetch(`${server.url}/session/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const response = await fetch(`${server.url}/session/callback/token`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: formatCookies(csrf) },
    body: new URLSearchParams({ csrfToken, token, json: "true" }),
  });
  return formatCookies(response);
}

function formatCookies(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

async function fetchPanelStatus(server: ServerProcess, cookie: string): Promise<number> {
  return (await fetch(`${server.url}/trpc/profile.me`, { headers: { cookie } })).status;
}

test("a revoked token and an ended session are rejected immediately and after a restart", {
  tag: "@main",
}, async () => {
  const server = await ServerProcess.create();
  try {
    await server.start();
    const signIn = async () =>
      String((await server.call("POST", "/api/auth/login", { body: CREDENTIALS })).body.token);
    const [revokedToken, remainingToken] = [await signIn(), await signIn()];
    const exchangedToken = await signIn();
    const cookie = await fetchSessionCookie(server, exchangedToken);
    expect(await fetchPanelStatus(server, cookie)).toBe(200);
    expect(
      (await server.call("GET", "/api/user", { token: exchangedToken })).status,
      "an exchanged token is invalid",
    ).toBe(401);

    expect((await server.call("POST", "/api/auth/logout", { token: revokedToken })).status).toBe(200);
    const csrf = await fetch(`${server.url}/session/csrf`, { headers: { cookie } });
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    await fetch(`${server.url}/session/signout`, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        cookie: `${cookie}; ${formatCookies(csrf)}`,
      },
      body: new URLSearchParams({ csrfToken, json: "true" }),
    });
    for (const when of ["immediately", "after a restart"]) {
      expect((await server.call("GET", "/api/user", { token: revokedToken })).status, when).toBe(401);
      expect(await fetchPanelStatus(server, cookie), when).toBe(401);
      expect((await server.call("GET", "/api/user", { token: remainingToken })).status, when).toBe(200);
      if (when === "immediately") {
        expect(await server.stop(), "graceful stop").toBe(0);
        await server.start();
      }
    }
  } finally {
    await server.dispose();
  }
});

test("a second server on the same data directory exits and names the directory", async () => {
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    const secondServer = spawnSync(process.execPath, ["dist/main.js"], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        PORT: String(await findFreePort()),
        DATA_DIR: server.dataDir,
      },
      encoding: "utf8",
      timeout: 180_000,
    });
    expect(secondServer.status).toBe(1);
    expect(secondServer.stderr).toContain(server.dataDir);
    expect(secondServer.stderr).not.toMatch(/^\s+at /m);
  } finally {
    await server.dispose();
  }
});

test("a server keeps serving, without a busy loop, when its output pipes are closed", async () => {
  const server = await ServerProcess.create(
    { LOG_LEVEL: "info", METRICS_PORT: String(await findFreePort()) },
    "demo",
  );
  try {
    await server.start({ discardOutput: true });
    for (let call = 0; call < 20; call++) {
      expect((await server.call("GET", "/api/health")).status).toBe(200);
      expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
    }
    const cpuBefore = await server.readCpuSeconds();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect((await server.readCpuSeconds()) - cpuBefore).toBeLessThan(2);
  } finally {
    await server.dispose();
  }
});

test("an invalid setting prevents the start and is named", async () => {
  const runServerUntilExit = (settings: Record<string, string>) =>
    spawnSync(process.execPath, ["dist/main.js"], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        APP_MODE: "production",
        APP_URL: "https://panel.example.com",
        ...settings,
      },
      encoding: "utf8",
      timeout: 180_000,
    });
  const validSecret = "q8V1nXx5mJ0l2TtWc7uZ4rEo9sKd3PbYhAfGvBiN";
  for (const [settings, pattern] of [
    [{}, /APP_SECRET: missing/],
    [{ APP_SECRET: "short" }, /APP_SECRET: too short/],
    [{ APP_SECRET: "please-change-this-secret-to-a-long-random-value" }, /APP_SECRET: this is a sample/],
    [{ APP_SECRET: validSecret, APP_URL: "" }, /APP_URL: missing/],
    [{ APP_SECRET: validSecret, SEED: "demo" }, /SEED: /],
    [{ APP_SECRET: validSecret, PORT: "99999" }, /PORT: /],
    [{ APP_MODE: "demo", HOST: "0.0.0.0" }, /HOST: demo mode/],
  ] as const) {
    const { status, stderr } = runServerUntilExit(settings);
    expect(status, String(pattern)).toBe(1);
    expect(stderr).toMatch(pattern);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});
