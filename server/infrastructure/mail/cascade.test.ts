import { beforeEach, describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makePerson, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { smtpPeer } from "@/server/testing/peers";
import { testServer } from "@/server/testing/server";
import type { SmtpPeer } from "@/server/testing/smtp";

const [parentPeer, resellerPeer, sitePeer, systemPeer] = await Promise.all(
  [1, 2, 3, 4].map(() => smtpPeer()),
);
const peers = { parent: parentPeer!, reseller: resellerPeer!, site: sitePeer!, system: systemPeer! };
const LEVELS = ["parent", "reseller", "site", "system"] as const;

const { post, call, work } = await testServer({
  env: { SMTP_URL: peers.system.url, MAIL_FROM: "Tellal <no-reply@panel.test>", MAIL_PRIVATE_HOSTS: "true" },
});

async function makeAccount(
  peer: SmtpPeer,
  owner: { userId: number } | { siteId: number },
  data: object = {},
) {
  return prisma().mailAccount.create({
    data: {
      ...owner,
      fromName: "Gönderen",
      fromAddress: `from-${peer.port}@example.com`,
      host: "127.0.0.1",
      port: peer.port,
      secure: false,
      verifiedAt: new Date(),
      ...data,
    },
  });
}

/** Makes a sub-user with a mail account at every level. */
async function makeFamily() {
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
    parent: await makeAccount(peers.parent, { userId: parent.id }, { fromName: "Üst Hesap" }),
    reseller: await makeAccount(peers.reseller, { userId: reseller.id }),
    site: await makeAccount(peers.site, { siteId: site.id }),
  };
  // Brand and links follow the person, whoever carries the mail.
  const look = { brand: "Bayi Markası", host: `http://${domain}` };
  return { reseller, parent, person, site, accounts, look };
}

async function mailReset({ email }: { email: string }): Promise<void> {
  await resetLimits();
  await post("/api/auth/forgot-password", { email });
  await work();
}
/** The level that sent each mail to a person. */
const cameBy = ({ email }: { email: string }) =>
  LEVELS.flatMap((level) =>
    peers[level].mails
      .filter(({ recipients }) => recipients.includes(email))
      .map((mail) => ({ level, mail })),
  );
const lastMail = (userId: number) =>
  prisma().mailMessage.findFirstOrThrow({ where: { userId }, orderBy: { id: "desc" } });

beforeEach(async () => {
  for (const peer of Object.values(peers)) {
    await peer.stop();
    await peer.start();
    peer.refuseWith = undefined;
  }
});

describe("a mail", () => {
  it("goes by the nearest sender that lives, once, with its brand and its links", async () => {
    const { person, accounts, look } = await makeFamily();
    for (const [index, level] of LEVELS.entries()) {
      if (index > 0) await peers[LEVELS[index - 1]!].stop();
      await mailReset(person);
      const came = cameBy(person);
      expect(came.map((each) => each.level).sort()).toEqual(LEVELS.slice(0, index + 1).toSorted());
      const { mail } = came.find((each) => each.level === level)!;
      const { brand, host } = look;
      expect(mail.subject).toContain(brand);
      expect(/https?:\/\/[^/\s]+/.exec(mail.text ?? "")?.[0]).toBe(host);
      for (const [, link] of mail.html!.matchAll(/href="([^"]*)"/g))
        expect(link!.startsWith(host)).toBe(true);
      expect(mail.from?.address).toBe(
        level === "system" ? "no-reply@panel.test" : accounts[level].fromAddress,
      );
      expect(await lastMail(person.id)).toMatchObject({
        state: "sent",
        sentVia: level,
        accountId: level === "system" ? null : accounts[level].id,
      });
    }
    const rested = await prisma().mailAccount.findMany({
      where: { id: { in: Object.values(accounts).map(({ id }) => id) } },
    });
    expect(rested.every(({ failedAt, error }) => failedAt && error)).toBe(true);
  });

  it("leaves an account that failed alone for a quarter of an hour", async () => {
    const { person, accounts } = await makeFamily();
    await peers.parent.stop();
    await mailReset(person);
    await peers.parent.start();
    await mailReset(person);
    expect(cameBy(person).map(({ level }) => level)).toEqual(["reseller", "reseller"]);
    await prisma().mailAccount.update({
      where: { id: accounts.parent.id },
      data: { failedAt: new Date(Date.now() - 15 * 60_000 - 1000) },
    });
    await mailReset(person);
    expect(cameBy(person).map(({ level }) => level)).toEqual(["parent", "reseller", "reseller"]);
  });

  it("does not go by an account that never passed its test", async () => {
    const { person, accounts } = await makeFamily();
    await prisma().mailAccount.update({ where: { id: accounts.parent.id }, data: { verifiedAt: null } });
    await mailReset(person);
    expect(cameBy(person).map(({ level }) => level)).toEqual(["reseller"]);
  });

  it("does not go by the account of somebody who is passive", async () => {
    const { person, parent } = await makeFamily();
    await prisma().user.update({ where: { id: parent.id }, data: { isActive: false } });
    await mailReset(person);
    expect(cameBy(person).map(({ level }) => level)).toEqual(["reseller"]);
  });

  it.each([451, 554])("goes on when a server refuses it with %i", async (code) => {
    const { person } = await makeFamily();
    peers.parent.refuseWith = code;
    await mailReset(person);
    expect(cameBy(person).map(({ level }) => level)).toEqual(["reseller"]);
  });

  it("waits when nobody takes it, and comes once when somebody does again", async () => {
    const { person } = await makeFamily();
    for (const peer of Object.values(peers)) await peer.stop();
    await mailReset(person);
    expect(await lastMail(person.id)).toMatchObject({ state: "queued", attempts: 1 });
    await peers.system.start();
    await pool().query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");
    await work();
    expect(cameBy(person).map(({ level }) => level)).toEqual(["system"]);
    await work();
    expect(cameBy(person)).toHaveLength(1);
  });

  it("of many at once comes once each, while an account dies among them", async () => {
    const { parent } = await makeFamily();
    const people = await Promise.all(Array.from({ length: 20 }, () => makeUser({ parentUserId: parent.id })));
    await resetLimits();
    await Promise.all(people.map(({ email }) => post("/api/auth/forgot-password", { email })));
    const working = work();
    await new Promise((resolve) => setTimeout(resolve, 120));
    await peers.parent.stop();
    await working;
    await pool().query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");
    await work();
    for (const person of people) expect(cameBy(person), person.email).toHaveLength(1);
  });

  it("to an agent is the parent's, or the site's; to an invited person only the platform's", async () => {
    const { parent, accounts } = await makeFamily();
    const site = await makeSite(parent.id);
    const agent = await makeUser({ parentUserId: parent.id, isAgentOnly: true, assignedSiteId: site.id });
    await makeAccount(peers.site, { siteId: site.id });
    await mailReset(agent);
    expect(cameBy(agent).map(({ level }) => level)).toEqual(["parent"]);
    await prisma().mailAccount.delete({ where: { id: accounts.parent.id } });
    await mailReset(agent);
    expect(cameBy(agent).map(({ level }) => level)).toContain("reseller");

    const other = await makeFamily();
    const token = await makeToken(other.parent.id);
    const email = `invited.${process.pid}@example.com`;
    expect((await post("/api/team/invitations", { name: "Ece", email }, { token })).status).toBe(201);
    await work();
    expect(cameBy({ email }).map(({ level }) => level)).toEqual(["system"]);
  });

  it("of the platform names whom administrators have named for help, and no reseller's does", async () => {
    const named = { key: "support_contact", value: { email: "help@panel.test" } };
    await prisma().setting.create({ data: named });
    const [own, { person }] = await Promise.all([makeUser(), makeFamily()]);
    await mailReset(own);
    await mailReset(person);
    await prisma().setting.delete({ where: { key: named.key } });
    const texts = [own, person].map((each) => cameBy(each)[0]!.mail.text);
    expect(texts[0]).toContain("help@panel.test");
    expect(texts[1]).not.toContain("help@panel.test");
  });

  it("whose link proves an address is carried by nobody who could read it on the way", async () => {
    const { person } = await makeFamily();
    const token = await makeToken(person.id);
    const email = `stranger.${process.pid}@example.com`;
    expect((await call("PUT", "/api/user", { token, body: { email } })).status).toBe(200);
    await work();
    expect(cameBy({ email }).map(({ level }) => level)).toEqual(["system"]);
  });

  it("never leads to a host that a request named", async () => {
    const { token, ...owner } = await makePerson();
    const newcomer = await makeUser({ emailVerifiedAt: null });
    const portal = await makeFamily();
    const asks = {
      reset: () => ["/api/auth/forgot-password", { email: owner.email }],
      verification: () => ["/api/auth/resend-verification", { email: newcomer.email }],
      deletion: () => ["/api/auth/account/delete-request", {}],
      invitation: (index: number) => [
        "/api/team/invitations",
        { name: "Ece", email: `guest.${index}@example.com` },
      ],
    } satisfies Record<string, (index: number) => [string, object]>;
    const variants = named(portal.look.host.slice("http://".length));
    for (const [index, headers] of variants.entries())
      for (const ask of Object.values(asks)) {
        await resetLimits();
        const [path, body] = ask(index);
        const { status } = await post(path, body, { token, headers });
        expect([200, 201], `${path} ${JSON.stringify(headers)}`).toContain(status);
      }
    await work();
    const ours = [owner.email, newcomer.email, ...variants.map((_, index) => `guest.${index}@example.com`)];
    const mails = peers.system.mails
      .filter(({ recipients }) => recipients.some((each) => ours.includes(each)))
      .map(({ text, html }) => `${text}${html}`);
    // One more lists the invitations for their owner.
    expect(mails).toHaveLength(variants.length * Object.keys(asks).length + 1);
    const hosts = mails.flatMap((mail) =>
      [...mail.matchAll(/https?:\/\/([^/\s"<>]+)/g)].map(([, host]) => host),
    );
    expect(new Set(hosts)).toEqual(new Set(["panel.test"]));
    for (const mail of mails) expect(mail).not.toContain("evil.test");
  });
});

/** Ways for a request to name a host: a foreign one, one similar to ours, another portal's. */
function named(portal: string): Record<string, string>[] {
  const hosts = [
    "evil.test",
    "evil.test:8443",
    "panel.test.evil.test",
    "panel.test@evil.test",
    "[::1]",
    portal,
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
