import { execFile } from "node:child_process";
import { expect, test } from "@playwright/test";
import { type FakeSmtpServer, openFakeSmtpServer } from "@/server/testing/smtp";
import { ServerProcess } from "../server-process";

const FIRST_ADMIN_EMAIL = "boss@example.com";
const PASSWORD = "the-first-hour-of-production";
const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
const PRODUCTION_SETTINGS = {
  APP_MODE: "production",
  HOST: "127.0.0.1",
  APP_SECRET: crypto.randomUUID() + crypto.randomUUID(),
  DNS_SERVERS: "127.0.0.1:9",
};

const withAnotherSecret = ({ env }: ServerProcess) => ({
  env: { ...env, APP_SECRET: crypto.randomUUID() + crypto.randomUUID() },
});

interface ExitResult {
  code: number;
  output: string;
}

function runScript(
  server: Pick<ServerProcess, "env">,
  script: string,
  ...args: string[]
): Promise<ExitResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["scripts/run.mjs", script, ...args],
      { env: server.env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

/** Returns a query parameter of the link in the newest of `count` mails. */
async function waitForLinkParameter(
  smtpServer: FakeSmtpServer,
  address: string,
  count: number,
  name: string,
): Promise<string> {
  const text = (await smtpServer.waitForMails(address, count)).at(-1)!.text!;
  return new URL(/https?:\/\/\S+/.exec(text)![0]).searchParams.get(name)!;
}

test("a production server goes from an empty folder to a customer's first site", async () => {
  test.slow();
  const smtpServer = await openFakeSmtpServer();
  const server = await ServerProcess.create({
    ...PRODUCTION_SETTINGS,
    SMTP_URL: smtpServer.url,
    ADMIN_EMAIL: FIRST_ADMIN_EMAIL,
    ADMIN_NAME: "Deniz Yılmaz",
  });
  const person = { email: "ayse@example.com", password: PASSWORD };
  const signIn = async (email: string) => {
    const { body } = await server.call("POST", "/api/auth/login", { body: { email, password: PASSWORD } });
    return String(body.token);
  };
  try {
    await server.start();
    const token = await waitForLinkParameter(smtpServer, FIRST_ADMIN_EMAIL, 1, "token");
    const passwordReset = {
      token,
      email: FIRST_ADMIN_EMAIL,
      password: PASSWORD,
      password_confirmation: PASSWORD,
    };
    expect(
      (await server.call("POST", "/api/auth/reset-password", { body: passwordReset })).body,
    ).toMatchObject({
      auto_login: true,
      user: { name: "Deniz Yılmaz", role: "admin" },
    });
    const adminToken = await signIn(FIRST_ADMIN_EMAIL);

    const profile = { ...person, name: "Ayşe Kaya", phone: "+905321112233", consents: CONSENTS };
    const body = { ...profile, password_confirmation: PASSWORD };
    const registration = await server.call("POST", "/api/auth/register", { body });
    expect(registration.status).toBe(201);
    const { id } = registration.body.user as { id: number };
    const verificationBody = { token: await waitForLinkParameter(smtpServer, person.email, 1, "token") };
    expect((await server.call("POST", "/api/auth/verify-email", { body: verificationBody })).status).toBe(
      200,
    );

    const roleRequest = {
      role: "reseller",
      reason: "Agreement of today",
      email: person.email,
      agreement_signed: true,
    };
    const roleChange = await server.call("PUT", `/api/admin/users/${id}/role`, {
      token: adminToken,
      body: roleRequest,
    });
    expect([roleChange.status, (roleChange.body.user as { role: string }).role]).toEqual([200, "reseller"]);

    const unknownPlanRun = await runScript(server, "scripts/admin.ts", "plan", person.email, "gold");
    expect([unknownPlanRun.code, unknownPlanRun.output]).toEqual([
      1,
      expect.stringContaining("starter, pro, premium"),
    ]);
    const grantRun = await runScript(server, "scripts/admin.ts", "plan", person.email, "starter");
    expect([grantRun.code, grantRun.output]).toEqual([
      0,
      expect.stringContaining("the plan Starter: 1 site"),
    ]);

    const customerToken = await signIn(person.email);
    const site = { name: "Kaya Kahve", domain: "kahve.example.com" };
    const siteResponse = await server.call("POST", "/api/sites", { token: customerToken, body: site });
    expect([siteResponse.status, siteResponse.body.billing]).toEqual([
      201,
      { mode: "subscription_slot", remaining_slots: 0 },
    ]);
    const { id: siteId } = siteResponse.body.site as { id: number };
    const detailResponse = await server.call("GET", `/api/sites/${siteId}`, { token: customerToken });
    expect(detailResponse.body.data).toMatchObject(site);

    const entries = await server.sql<{ action: string }>(
      "select action from audit_events where action in ('admin.granted_by_setting', 'role.changed', 'subscription.activated') order by id",
    );
    expect(entries.map(({ action }) => action)).toEqual([
      "admin.granted_by_setting",
      "role.changed",
      "subscription.activated",
    ]);
  } finally {
    await server.dispose();
    await smtpServer.stop();
  }
});

test("without a mail server, only the start that creates the administrator prints the link", async () => {
  test.slow();
  const server = await ServerProcess.create({ ...PRODUCTION_SETTINGS, ADMIN_EMAIL: FIRST_ADMIN_EMAIL });
  const printedLink = /reset-password\?token=dsr_\w+/;
  try {
    await server.start();
    expect(server.output).toMatch(printedLink);
    await server.stop();
    await server.start();
    expect(server.output).not.toMatch(printedLink);

    const secondRun = await runScript(server, "scripts/admin.ts", FIRST_ADMIN_EMAIL);
    expect([secondRun.code, secondRun.output]).toEqual([0, expect.stringMatching(printedLink)]);
    const foreignRun = await runScript(withAnotherSecret(server), "scripts/admin.ts", FIRST_ADMIN_EMAIL);
    expect([foreignRun.code, foreignRun.output]).toEqual([
      1,
      expect.stringContaining("under another secret"),
    ]);
    for (const args of [[], ["plan", FIRST_ADMIN_EMAIL], ["nobody"]]) {
      const { code, output } = await runScript(server, "scripts/admin.ts", ...args);
      expect([code, output], args.join(" ")).toEqual([2, expect.stringContaining("npm run admin --")]);
    }
    const seedRun = await runScript(server, "prisma/seed.ts");
    expect([seedRun.code, seedRun.output]).toEqual([1, expect.stringContaining("published password")]);
  } finally {
    await server.dispose();
  }
});

test("npm run seed fills an empty demo database once", async () => {
  const server = await ServerProcess.create({ SEED: "none" }, "empty");
  try {
    await server.start();
    const seedRun = await runScript(server, "prisma/seed.ts");
    // The numbers are those of server/demo/seed.ts.
    expect([seedRun.code, seedRun.output]).toEqual([
      0,
      expect.stringContaining("Seeded 28 demo accounts with 26 sites"),
    ]);
    const body = { email: "customer@example.com", password: "demo-password" };
    expect((await server.call("POST", "/api/auth/login", { body })).status).toBe(200);
    const foreignRun = await runScript(withAnotherSecret(server), "prisma/seed.ts");
    expect([foreignRun.code, foreignRun.output]).toEqual([
      1,
      expect.stringContaining("under another secret"),
    ]);
    const secondRun = await runScript(server, "prisma/seed.ts");
    expect([secondRun.code, secondRun.output]).toEqual([0, expect.stringContaining("accounts already")]);
  } finally {
    await server.dispose();
  }
});
