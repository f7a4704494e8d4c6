import { beforeEach, describe, expect, it, vi } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import type { FakeSmtpServer } from "@/server/testing/smtp";

const [parentServer, resellerServer, siteServer, systemServer] = await Promise.all(
  [1, 2, 3, 4].map(() => startFakeSmtpServer()),
);
const servers = {
  parent: parentServer!,
  reseller: resellerServer!,
  site: siteServer!,
  system: systemServer!,
};
const SENDERS_NEAREST_FIRST = ["parent", "reseller", "site", "system"] as const;

const { post, call, runJobs } = await startTestServer({
  env: {
    SMTP_URL: servers.system.url,
    MAIL_FROM: "Tellal <no-reply@panel.test>",
    MAIL_PRIVATE_HOSTS: "true",
  },
});

async function makeVerifiedMailAccount(
  server: FakeSmtpServer,
  owner: { userId: number } | { siteId: number },
  data: object = {},
) {
  return prisma().mailAccount.create({
    data: {
      ...owner,
      fromName: "Gönderen",
      fromAddress: `from-${server.port}@example.com`,
      host: "127.0.0.1",
      port: server.port,
      secure: false,
      verifiedAt: new Date(),
      ...data,
    },
  });
}

async function makeAccountsAtEveryLevel() {
  const reseller = await makeUser({ role: "reseller" });
  const domain = `portal-${reseller.id}.example.com`;
  await prisma().resellerPortal.create({
    data: { verifiedAt: new Date(), resellerId: reseller.id, domain },
  });
  await prisma().brand.create({ data: { userId: reseller.id, productName: "Bayi Markası" } });
  const parent = await makeUser({ resellerId: reseller.id, name: "Üst Hesap" });
  const person = await makeUser({ parentUserId: parent.id });
  const site = await makeSite(person.id, { name: "Kaya Kahve" });
  const accounts = {
    parent: await makeVerifiedMailAccount(servers.parent, { userId: parent.id }, { fromName: "Üst Hesap" }),
    reseller: await makeVerifiedMailAccount(servers.reseller, { userId: reseller.id }),
    site: await makeVerifiedMailAccount(servers.site, { siteId: site.id }),
  };
  // Brand and links follow the recipient, regardless of the sender.
  const expected = { brand: "Bayi Markası", host: `http://${domain}` };
  return { reseller, parent, person, site, accounts, expected };
}

async function sendPasswordReset({ email }: { email: string }): Promise<void> {
  await resetRateLimits();
  await post("/api/auth/forgot-password", { email });
  await runJobs();
}
const findReceivedMails = ({ email }: { email: string }) =>
  SENDERS_NEAREST_FIRST.flatMap((level) =>
    servers[level].mails
      .filter(({ recipients }) => recipients.includes(email))
      .map((mail) => ({ level, mail })),
  );
const findLastMail = (userId: number) =>
  prisma().mailMessage.findFirstOrThrow({ where: { userId }, orderBy: { id: "desc" } });

beforeEach(async () => {
  for (const server of Object.values(servers)) {
    await server.stop();
    await server.start();
    server.refuseWith = undefined;
  }
});

describe("a mail", () => {
  it("is sent once by the nearest working sender, with the recipient's brand and links", async () => {
    const { person, accounts, expected } = await makeAccountsAtEveryLevel();
    for (const [index, level] of SENDERS_NEAREST_FIRST.entries()) {
      if (index > 0) await servers[SENDERS_NEAREST_FIRST[index - 1]!].stop();
      await sendPasswordReset(person);
      const receivedMails = findReceivedMails(person);
      expect(receivedMails.map((each) => each.level).sort()).toEqual(
        SENDERS_NEAREST_FIRST.slice(0, index + 1).toSorted(),
      );
      const { mail } = receivedMails.find((each) => each.level === level)!;
      const { brand, host } = expected;
      expect(mail.subject).toContain(brand);
      expect(/https?:\/\/[^/\s]+/.exec(mail.text ?? "")?.[0]).toBe(host);
      for (const [, link] of mail.html!.matchAll(/href="([^"]*)"/g))
        expect(link!.startsWith(host)).toBe(true);
      expect(mail.from?.address).toBe(
        level === "system" ? "no-reply@panel.test" : accounts[level].fromAddress,
      );
      expect(await findLastMail(person.id)).toMatchObject({
        state: "sent",
        sentVia: level,
        accountId: level === "system" ? null : accounts[level].id,
      });
    }
    const pausedAccounts = await prisma().mailAccount.findMany({
      where: { id: { in: Object.values(accounts).map(({ id }) => id) } },
    });
    expect(pausedAccounts.every(({ failedAt, error }) => failedAt && error)).toBe(true);
  });

  it("skips a failed account for 15 minutes", async () => {
    const { person, accounts } = await makeAccountsAtEveryLevel();
    await servers.parent.stop();
    await sendPasswordReset(person);
    await servers.parent.start();
    await sendPasswordReset(person);
    expect(findReceivedMails(person).map(({ level }) => level)).toEqual(["reseller", "reseller"]);
    await prisma().mailAccount.update({
      where: { id: accounts.parent.id },
      data: { failedAt: new Date(Date.now() - 15 * 60_000 - 1000) },
    });
    await sendPasswordReset(person);
    expect(findReceivedMails(person).map(({ level }) => level)).toEqual(["parent", "reseller", "reseller"]);
  });

  it("skips an unverified account", async () => {
    const { person, accounts } = await makeAccountsAtEveryLevel();
    await prisma().mailAccount.update({ where: { id: accounts.parent.id }, data: { verifiedAt: null } });
    await sendPasswordReset(person);
    expect(findReceivedMails(person).map(({ level }) => level)).toEqual(["reseller"]);
  });

  it("skips the account of a passive user", async () => {
    const { person, parent } = await makeAccountsAtEveryLevel();
    await prisma().user.update({ where: { id: parent.id }, data: { isActive: false } });
    await sendPasswordReset(person);
    expect(findReceivedMails(person).map(({ level }) => level)).toEqual(["reseller"]);
  });

  it.each([451, 554])("is sent by the next sender after a rejection with %i", async (code) => {
    const { person } = await makeAccountsAtEveryLevel();
    servers.parent.refuseWith = code;
    await sendPasswordReset(person);
    expect(findReceivedMails(person).map(({ level }) => level)).toEqual(["reseller"]);
  });

  it("is queued while all senders fail, and sent once afterwards", async () => {
    const { person } = await makeAccountsAtEveryLevel();
    for (const server of Object.values(servers)) await server.stop();
    await sendPasswordReset(person);
    expect(await findLastMail(person.id)).toMatchObject({ state: "queued", attempts: 1 });
    await servers.system.start();
    await pool().query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");
    await runJobs();
    expect(findReceivedMails(person).map(({ level }) => level)).toEqual(["system"]);
    await runJobs();
    expect(findReceivedMails(person)).toHaveLength(1);
  });

  it("is sent exactly once in a batch during which an account fails", async () => {
    const { parent } = await makeAccountsAtEveryLevel();
    const people = await Promise.all(Array.from({ length: 20 }, () => makeUser({ parentUserId: parent.id })));
    await resetRateLimits();
    await Promise.all(people.map(({ email }) => post("/api/auth/forgot-password", { email })));
    const jobsPromise = runJobs();
    const hasReceivedMail = () => people.some((person) => findReceivedMails(person).length > 0);
    await vi.waitFor(() => expect(hasReceivedMail()).toBe(true), { timeout: 10_000, interval: 5 });
    await servers.parent.stop();
    await jobsPromise;
    await pool().query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");
    await runJobs();
    for (const person of people) expect(findReceivedMails(person), person.email).toHaveLength(1);
  });

  it("is sent by the parent or site to an agent, and by the platform only to an invited person", async () => {
    const { parent, accounts } = await makeAccountsAtEveryLevel();
    const site = await makeSite(parent.id);
    const agent = await makeUser({ parentUserId: parent.id, isAgentOnly: true, assignedSiteId: site.id });
    await makeVerifiedMailAccount(servers.site, { siteId: site.id });
    await sendPasswordReset(agent);
    expect(findReceivedMails(agent).map(({ level }) => level)).toEqual(["parent"]);
    await prisma().mailAccount.delete({ where: { id: accounts.parent.id } });
    await sendPasswordReset(agent);
    expect(findReceivedMails(agent).map(({ level }) => level)).toContain("reseller");

    const otherAccounts = await makeAccountsAtEveryLevel();
    const token = await makeToken(otherAccounts.parent.id);
    const email = `invited.${process.pid}@example.com`;
    expect((await post("/api/team/invitations", { name: "Ece", email }, { token })).status).toBe(201);
    await runJobs();
    expect(findReceivedMails({ email }).map(({ level }) => level)).toEqual(["system"]);
  });

  it("shows the administrators' support contact under the platform's brand only", async () => {
    const setting = { key: "support_contact", value: { email: "help@panel.test" } };
    await prisma().setting.create({ data: setting });
    const [platformUser, { person }] = await Promise.all([makeUser(), makeAccountsAtEveryLevel()]);
    await sendPasswordReset(platformUser);
    await sendPasswordReset(person);
    await prisma().setting.delete({ where: { key: setting.key } });
    const texts = [platformUser, person].map((each) => findReceivedMails(each)[0]!.mail.text);
    expect(texts[0]).toContain("help@panel.test");
    expect(texts[1]).not.toContain("help@panel.test");
  });

  it("that verifies a new address comes from the platform only", async () => {
    const { person } = await makeAccountsAtEveryLevel();
    const token = await makeToken(person.id);
    const email = `stranger.${process.pid}@example.com`;
    expect((await call("PUT", "/api/user", { token, body: { email } })).status).toBe(200);
    await runJobs();
    expect(findReceivedMails({ email }).map(({ level }) => level)).toEqual(["system"]);
  });

  it("never links to a host from request headers", async () => {
    const { token, ...owner } = await makeSignedInUser();
    const newcomer = await makeUser({ emailVerifiedAt: null });
    const portal = await makeAccountsAtEveryLevel();
    const requests = {
      reset: () => ["/api/auth/forgot-password", { email: owner.email }],
      verification: () => ["/api/auth/resend-verification", { email: newcomer.email }],
      deletion: () => ["/api/auth/account/delete-request", {}],
      invitation: (index: number) => [
        "/api/team/invitations",
        { name: "Ece", email: `guest.${index}@example.com` },
      ],
    } satisfies Record<string, (index: number) => [string, object]>;
    const variants = buildHostHeaders(portal.expected.host.slice("http://".length));
    for (const [index, headers] of variants.entries())
      for (const request of Object.values(requests)) {
        await resetRateLimits();
        const [path, body] = request(index);
        const { status } = await post(path, body, { token, headers });
        expect([200, 201], `${path} ${JSON.stringify(headers)}`).toContain(status);
      }
    await runJobs();
    const testAddresses = [
      owner.email,
      newcomer.email,
      ...variants.map((_, index) => `guest.${index}@example.com`),
    ];
    const mails = servers.system.mails
      .filter(({ recipients }) => recipients.some((each) => testAddresses.includes(each)))
      .map(({ text, html }) => `${text}${html}`);
    // One more: the owner's notice about the invitations.
    expect(mails).toHaveLength(variants.length * Object.keys(requests).length + 1);
    const hosts = mails.flatMap((mail) =>
      [...mail.matchAll(/https?:\/\/([^/\s"<>]+)/g)].map(([, host]) => host),
    );
    expect(new Set(hosts)).toEqual(new Set(["panel.test"]));
    for (const mail of mails) expect(mail).not.toContain("evil.test");
  });
});

/** Headers that name a host: a foreign one, one similar to ours, another portal's. */
function buildHostHeaders(portalHost: string): Record<string, string>[] {
  const hosts = [
    "evil.test",
    "evil.test:8443",
    "panel.test.evil.test",
    "panel.test@evil.test",
    "[::1]",
    portalHost,
  ];
  return [
    ...["host", "x-portal-host", "x-forwarded-host", "x-original-host"].flatMap((header) =>
      hosts.map((host) => ({ [header]: host })),
    ),
    { "x-forwarded-host": "panel.test, evil.test" },
    { forwarded: "host=evil.test;proto=https;for=10.0.0.1" },
    { "x-forwarded-proto": "javascript", "x-forwarded-port": "4444" },
    { "x-forwarded-server": "evil.test", "x-host": "evil.test", "x-http-host-override": "evil.test" },
    { "x-original-url": "https://evil.test/", "x-rewrite-url": "https://evil.test/" },
    { origin: "https://evil.test", referer: "https://evil.test/reset-password" },
  ];
}
