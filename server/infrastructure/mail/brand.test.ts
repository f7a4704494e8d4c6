import { describe, expect, it } from "vitest";
import { brandPalette } from "@/server/core/brand-colour";
import { type MailTemplate, registeredDomains } from "@/server/core/domain";
import { LOCALES, type Locale } from "@/server/core/locale";
import { dictionaryOf } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { fakeSmtpServer } from "@/server/testing/external-servers";
import {
  makeMailAccount,
  makeProvenUser,
  makeReseller,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";
import { deliverMail } from "./deliver";
import { queueMail } from "./outbox";
import { renderMail } from "./template";

/** Platform name that occurs in no message. */
const PLATFORM = "Tellal";
const system = await fakeSmtpServer();
const own = await fakeSmtpServer();
const { post, work } = await testServer({
  env: {
    SMTP_URL: system.url,
    APP_URL: "http://panel.test",
    APP_NAME: PLATFORM,
    MAIL_FROM: `${PLATFORM} <no-reply@mail.tellal.example>`,
    MAIL_PRIVATE_HOSTS: "true",
  },
});

const TEMPLATES = registeredDomains().flatMap(({ mails = [], notices = [] }) => [
  ...mails,
  ...notices,
]) as MailTemplate[];

/** Values for every placeholder of a template. */
function paramsOf(template: MailTemplate, locale: Locale): Record<string, string | number> {
  const texts = JSON.stringify((dictionaryOf(locale).mail as Record<string, unknown>)[template]);
  const names = [...texts.matchAll(/\{(\w+)(?:\}|, (\w+))/g)].map(([, name, kind]) => [
    name!,
    kind === "plural" || kind === "number" ? 3 : "Değer",
  ]);
  return { name: "Işıl", ...Object.fromEntries(names.filter(([name]) => name !== "brand")) };
}

async function branded({ portal }: { portal: boolean }) {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  await prisma().brand.create({
    data: {
      userId: reseller.id,
      productName: "Işıl & Co <Panel>",
      color: "#FFE100",
      palette: brandPalette("#FFE100"),
      logoPath: "media/brands/01JZ8XK5M0QW3R9T7V2B4N6C8D.png",
      supportEmail: "destek@isil.example",
      supportPhone: "+90 312 555 00 34",
    },
  });
  const domain = `portal-${reseller.id}.example.com`;
  await prisma().resellerPortal.create({
    data: { resellerId: reseller.id, domain, verifiedAt: portal ? new Date() : null },
  });
  return { reseller, url: portal ? `http://${domain}` : "http://panel.test" };
}

type Arrived = (typeof system.mails)[number];

/** Checks that only the sender's address names the platform, and that all links start with `url`. */
function expectBranded(mail: Arrived, url: string, label: string): void {
  const address = mail.from!.address!;
  const rest = mail.raw.replaceAll(address, "").replace(/^Received:.*(\r?\n[ \t].*)*/gm, "");
  const content = [rest, mail.subject, mail.text, mail.html, mail.from!.name].join("\n");
  expect(content.toLowerCase().includes(PLATFORM.toLowerCase()), `${label}: ${content}`).toBe(false);
  expect(mail.text, label).toContain("Işıl & Co Panel");
  expect(mail.html, label).toContain(`${url}/media/brands/`);
  for (const part of [mail.text, mail.html])
    expect([part!.includes("destek@isil.example"), part!.includes("+90 312 555 00 34")], label).toEqual([
      true,
      true,
    ]);
  const links = `${mail.text} ${mail.html}`.match(/https?:\/\/[^\s"<>/]+/g) ?? [];
  expect(new Set(links), label).toEqual(new Set([url]));
}

describe.each([true, false])("mails under a brand, with a verified domain: %s", (portal) => {
  it("of every template, in all seven languages, do not mention the platform", async () => {
    const { reseller, url } = await branded({ portal });
    const person = await makeUser({ resellerId: reseller.id });
    // Without a domain only the links differ, so one language per template is enough.
    const kinds = TEMPLATES.flatMap((template, index) =>
      LOCALES.filter((_, place) => portal || place === index % LOCALES.length).map((locale) => ({
        template,
        locale,
        provesAddress: (index + LOCALES.indexOf(locale)) % 2 === 0,
      })),
    );
    system.mails.length = 0;
    const send = async ({ template, locale, provesAddress }: (typeof kinds)[number]) => {
      const address = `${template}.${locale}@example.com`;
      const content = {
        template,
        locale,
        params: paramsOf(template, locale),
        path: "/x?token=t",
        provesAddress,
      };
      await queueMail(withoutTransaction(), { userId: person.id, address }, content);
      const { id } = await prisma().mailMessage.findFirstOrThrow({
        where: { toAddress: address, userId: person.id },
        select: { id: true },
      });
      await deliverMail({ mailId: id });
    };
    for (let at = 0; at < kinds.length; at += 8) await Promise.all(kinds.slice(at, at + 8).map(send));
    expect(TEMPLATES.length).toBeGreaterThan(30);
    expect(system.mails).toHaveLength(kinds.length);
    for (const mail of system.mails) {
      expectBranded(mail, url, mail.recipients[0]!);
      expect(mail.from).toMatchObject({ name: "Işıl & Co Panel", address: "no-reply@mail.tellal.example" });
    }
  });

  it("do so for invitations, former members and mails sent by a site's account", async () => {
    const { reseller, url } = await branded({ portal });
    const token = await makeToken(reseller.id, { provenAt: new Date() });
    const { token: by, ...customer } = await makeProvenUser({ resellerId: reseller.id });
    const [guest, member] = [`guest.${reseller.id}@example.com`, `member.${reseller.id}@example.com`];
    system.mails.length = 0;
    own.mails.length = 0;
    const invited = [
      await post("/api/reseller/customers", { name: "Ece", email: guest }, { token }),
      await post("/api/team/invitations", { name: "Ece", email: member }, { token: by }),
    ];
    for (const { status, text } of invited) expect(status, text).toBe(201);
    await work();
    const site = await makeSite(customer.id);
    await makeMailAccount({ siteId: site.id, host: "127.0.0.1", port: own.port });
    await post("/api/auth/forgot-password", { email: customer.email });
    await work();
    // The inviting accounts get a notice, too.
    const recipients = [guest, member, reseller.email, customer.email];
    expect(system.mails.map(({ recipients: [to] }) => to).sort()).toEqual(recipients.sort());
    const others = system.mails.filter(({ recipients: [to] }) => to !== reseller.email);
    for (const mail of others) expectBranded(mail, url, mail.subject!);
    expect(own.mails).toHaveLength(1);
    expectBranded(own.mails[0]!, url, "by the site's account");
  });

  it("carry the platform's brand when they are sent to the reseller", async () => {
    const { reseller } = await branded({ portal });
    system.mails.length = 0;
    await post("/api/auth/forgot-password", { email: reseller.email });
    await work();
    expect(system.mails[0]!.from!.name).toEqual(PLATFORM);
    expect(/https?:\/\/[^/\s]+/.exec(system.mails[0]!.text!)![0]).toBe("http://panel.test");
  });
});

const LINK = "https://evil.example.net/a=?utf-8?q?b?=";
const UNCHANGED = ["address", "contact", "domain", "email", "host", "ip"];

it("contains no links from user-entered names or texts", () => {
  for (const template of TEMPLATES)
    for (const locale of LOCALES) {
      const params = Object.fromEntries(
        Object.entries(paramsOf(template, locale)).map(([name, value]) => [
          name,
          typeof value === "string" && !UNCHANGED.includes(name) ? LINK : value,
        ]),
      );
      const brand = { name: `Kaya ${LINK}`, url: "http://panel.test" };
      const mail = renderMail({ template, locale, params }, brand);
      for (const part of [mail.subject, mail.text, mail.html])
        expect(part.match(/\w:\/\/evil|evil\.example|=\?/g), `${template} ${locale}: ${part}`).toBeNull();
    }
});

it("sends a brand name that looks like addresses as a plain display name", async () => {
  const { reseller } = await branded({ portal: false });
  const productName = '"Garanti" <a@garanti.com.tr>, x@evil.com';
  await prisma().brand.update({ where: { userId: reseller.id }, data: { productName } });
  const { email } = await makeUser({ resellerId: reseller.id });
  system.mails.length = 0;
  await post("/api/auth/forgot-password", { email });
  await work();
  const [mail] = system.mails;
  expect(mail!.from).toMatchObject({
    name: "Garanti a garanti. com. tr , x evil. com",
    address: "no-reply@mail.tellal.example",
  });
  for (const part of [mail!.subject, mail!.text, mail!.html])
    expect(part).not.toMatch(/evil\.com|garanti\.com/);
});
