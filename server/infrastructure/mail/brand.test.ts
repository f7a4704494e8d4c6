import { describe, expect, it } from "vitest";
import { buildBrandPalette } from "@/server/core/brand-colour";
import { getRegisteredDomains, type MailTemplate } from "@/server/core/domain";
import { LOCALES, type Locale } from "@/server/core/locale";
import { readDictionary } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import {
  makeMailAccount,
  makeProvenUser,
  makeReseller,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { deliverMail } from "./deliver";
import { queueMail } from "./outbox";
import { renderMail } from "./template";

/** Platform name that occurs in no message. */
const PLATFORM_NAME = "Tellal";
const systemSmtp = await startFakeSmtpServer();
const siteSmtp = await startFakeSmtpServer();
const { post, runJobs } = await startTestServer({
  env: {
    SMTP_URL: systemSmtp.url,
    APP_URL: "http://panel.test",
    APP_NAME: PLATFORM_NAME,
    MAIL_FROM: `${PLATFORM_NAME} <no-reply@mail.tellal.example>`,
    MAIL_PRIVATE_HOSTS: "true",
  },
});

const TEMPLATES = getRegisteredDomains().flatMap(({ mails = [], notices = [] }) => [
  ...mails,
  ...notices,
]) as MailTemplate[];

function buildMailParams(template: MailTemplate, locale: Locale): Record<string, string | number> {
  const texts = JSON.stringify((readDictionary(locale).mail as Record<string, unknown>)[template]);
  const paramEntries = [...texts.matchAll(/\{(\w+)(?:\}|, (\w+))/g)].map(([, name, kind]) => [
    name!,
    kind === "plural" || kind === "number" ? 3 : "Değer",
  ]);
  return { name: "Işıl", ...Object.fromEntries(paramEntries.filter(([name]) => name !== "brand")) };
}

async function createBrandedReseller({ hasVerifiedDomain }: { hasVerifiedDomain: boolean }) {
  const reseller = await makeUser({ role: "reseller" });
  await makeReseller(reseller.id);
  await prisma().brand.create({
    data: {
      userId: reseller.id,
      productName: "Işıl & Co <Panel>",
      color: "#FFE100",
      palette: buildBrandPalette("#FFE100"),
      logoPath: "media/brands/01JZ8XK5M0QW3R9T7V2B4N6C8D.png",
      supportEmail: "destek@isil.example",
      supportPhone: "+90 312 555 00 34",
    },
  });
  const domain = `portal-${reseller.id}.example.com`;
  await prisma().resellerPortal.create({
    data: { resellerId: reseller.id, domain, verifiedAt: hasVerifiedDomain ? new Date() : null },
  });
  return { reseller, url: hasVerifiedDomain ? `http://${domain}` : "http://panel.test" };
}

type ReceivedMail = (typeof systemSmtp.mails)[number];

function expectBranded(mail: ReceivedMail, url: string, label: string): void {
  const address = mail.from!.address!;
  const rawContent = mail.raw.replaceAll(address, "").replace(/^Received:.*(\r?\n[ \t].*)*/gm, "");
  const content = [rawContent, mail.subject, mail.text, mail.html, mail.from!.name].join("\n");
  expect(content.toLowerCase().includes(PLATFORM_NAME.toLowerCase()), `${label}: ${content}`).toBe(false);
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

describe.each([true, false])("mails under a brand, with a verified domain: %s", (hasVerifiedDomain) => {
  it("of every template, in all seven languages, do not mention the platform", async () => {
    const { reseller, url } = await createBrandedReseller({ hasVerifiedDomain });
    const person = await makeUser({ resellerId: reseller.id });
    // Without a domain only the links differ, so one language per template is enough.
    const variants = TEMPLATES.flatMap((template, index) =>
      LOCALES.filter((_, localeIndex) => hasVerifiedDomain || localeIndex === index % LOCALES.length).map(
        (locale) => ({
          template,
          locale,
          provesAddress: (index + LOCALES.indexOf(locale)) % 2 === 0,
        }),
      ),
    );
    systemSmtp.mails.length = 0;
    const deliverTestMail = async ({ template, locale, provesAddress }: (typeof variants)[number]) => {
      const address = `${template}.${locale}@example.com`;
      const content = {
        template,
        locale,
        params: buildMailParams(template, locale),
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
    for (let start = 0; start < variants.length; start += 8)
      await Promise.all(variants.slice(start, start + 8).map(deliverTestMail));
    expect(TEMPLATES.length).toBeGreaterThan(30);
    expect(systemSmtp.mails).toHaveLength(variants.length);
    for (const mail of systemSmtp.mails) {
      expectBranded(mail, url, mail.recipients[0]!);
      expect(mail.from).toMatchObject({ name: "Işıl & Co Panel", address: "no-reply@mail.tellal.example" });
    }
  });

  it("carry the brand in invitations and when a site's account sends them", async () => {
    const { reseller, url } = await createBrandedReseller({ hasVerifiedDomain });
    const token = await makeToken(reseller.id, { provenAt: new Date() });
    const { token: ownerToken, ...customer } = await makeProvenUser({ resellerId: reseller.id });
    const [guestEmail, memberEmail] = [
      `guest.${reseller.id}@example.com`,
      `member.${reseller.id}@example.com`,
    ];
    systemSmtp.mails.length = 0;
    siteSmtp.mails.length = 0;
    const invitations = [
      await post("/api/reseller/customers", { name: "Ece", email: guestEmail }, { token }),
      await post("/api/team/invitations", { name: "Ece", email: memberEmail }, { token: ownerToken }),
    ];
    for (const { status, text } of invitations) expect(status, text).toBe(201);
    await runJobs();
    const site = await makeSite(customer.id);
    await makeMailAccount({ siteId: site.id, host: "127.0.0.1", port: siteSmtp.port });
    await post("/api/auth/forgot-password", { email: customer.email });
    await runJobs();
    // The inviting accounts get a notice, too.
    const recipients = [guestEmail, memberEmail, reseller.email, customer.email];
    expect(systemSmtp.mails.map(({ recipients: [to] }) => to).sort()).toEqual(recipients.sort());
    const customerMails = systemSmtp.mails.filter(({ recipients: [to] }) => to !== reseller.email);
    for (const mail of customerMails) expectBranded(mail, url, mail.subject!);
    expect(siteSmtp.mails).toHaveLength(1);
    expectBranded(siteSmtp.mails[0]!, url, "by the site's account");
  });

  it("carry the platform's brand when they are sent to the reseller", async () => {
    const { reseller } = await createBrandedReseller({ hasVerifiedDomain });
    systemSmtp.mails.length = 0;
    await post("/api/auth/forgot-password", { email: reseller.email });
    await runJobs();
    expect(systemSmtp.mails[0]!.from!.name).toEqual(PLATFORM_NAME);
    expect(/https?:\/\/[^/\s]+/.exec(systemSmtp.mails[0]!.text!)![0]).toBe("http://panel.test");
  });
});

const HOSTILE_LINK = "https://evil.example.net/a=?utf-8?q?b?=";
/** `VALIDATED_PARAMS` of template.ts. */
const UNCHANGED_PARAMS = ["address", "contact", "domain", "email", "host", "ip"];

it("contains no links from user-entered names or texts", () => {
  for (const template of TEMPLATES)
    for (const locale of LOCALES) {
      const params = Object.fromEntries(
        Object.entries(buildMailParams(template, locale)).map(([name, value]) => [
          name,
          typeof value === "string" && !UNCHANGED_PARAMS.includes(name) ? HOSTILE_LINK : value,
        ]),
      );
      const brand = { name: `Kaya ${HOSTILE_LINK}`, url: "http://panel.test" };
      const mail = renderMail({ template, locale, params }, brand);
      for (const part of [mail.subject, mail.text, mail.html])
        expect(part.match(/\w:\/\/evil|evil\.example|=\?/g), `${template} ${locale}: ${part}`).toBeNull();
    }
});

it("sends a brand name that looks like addresses as a plain display name", async () => {
  const { reseller } = await createBrandedReseller({ hasVerifiedDomain: false });
  const productName = '"Garanti" <a@garanti.com.tr>, x@evil.com';
  await prisma().brand.update({ where: { userId: reseller.id }, data: { productName } });
  const { email } = await makeUser({ resellerId: reseller.id });
  systemSmtp.mails.length = 0;
  await post("/api/auth/forgot-password", { email });
  await runJobs();
  const [mail] = systemSmtp.mails;
  expect(mail!.from).toMatchObject({
    name: "Garanti a garanti. com. tr , x evil. com",
    address: "no-reply@mail.tellal.example",
  });
  for (const part of [mail!.subject, mail!.text, mail!.html])
    expect(part).not.toMatch(/evil\.com|garanti\.com/);
});
