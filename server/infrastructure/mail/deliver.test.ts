import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { queueMail } from "./outbox";

const smtp = await startFakeSmtpServer();
const { post } = await startTestServer({
  worker: true,
  env: { SMTP_URL: smtp.url, MAIL_FROM: "Tellal <no-reply@panel.test>" },
});

async function registerAccount(changes?: Record<string, unknown>) {
  const body = buildRegistrationBody(changes);
  const startedAt = performance.now();
  const { status } = await post("/api/auth/register", body);
  expect(status).toBe(201);
  return { email: body.email, durationMs: performance.now() - startedAt };
}

const findMail = async (toAddress: string) => prisma().mailMessage.findFirstOrThrow({ where: { toAddress } });
async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isDone()); ) {
    if (Date.now() > deadline) throw new Error("It never happened");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("mail", () => {
  it("of a registration arrives once, with link and code", async () => {
    const { email } = await registerAccount({ name: 'Ayşe <b>"x"</b>\u00a0Kaya' });
    const [mail] = await smtp.waitForMails(email);
    expect(mail!.recipients).toEqual([email]);
    expect(mail!.from).toMatchObject({ name: "Tellal", address: "no-reply@panel.test" });
    expect(mail!.text).toMatch(/http:\/\/panel\.test\/verify-email\?token=dsv_\w{49}\s/);
    expect(mail!.text).toMatch(/\b\d{6}\b/);
    expect(mail!.html).not.toContain("<b>");
    expect(mail!.html).toContain("&lt;b&gt;");
    for (const [, link] of mail!.html!.matchAll(/href="([^"]*)"/g))
      expect(link).toMatch(/^http:\/\/panel\.test\//);
    await waitUntil(async () => (await findMail(email)).state === "sent");
    expect(smtp.mails.filter(({ recipients }) => recipients.includes(email))).toHaveLength(1);
  });

  it("with a copy is sent as one mail with a visible Cc", async () => {
    const toAddress = "musteri.kopya@example.com";
    const content = {
      template: "licence_paid",
      locale: "tr",
      params: { name: "Ece", domain: "kahve.example.com", amount: "100 TL", ends: "1 Ocak 2028" },
      path: "/sites",
    } as const;
    await queueMail(
      withoutTransaction(),
      { userId: null, address: toAddress, copyTo: "yonetici@example.com" },
      content,
    );
    const [mail] = await smtp.waitForMails(toAddress);
    expect(mail!.recipients).toEqual([toAddress, "yonetici@example.com"]);
    expect(mail!.raw).toMatch(/^Cc: yonetici@example\.com\r$/m);
  });

  it("cannot get headers or recipients from a user's name", async () => {
    const names = [
      "A\u0085Bcc: x@example.com",
      "=?utf-8?B?QmNj?=",
      "A, B <evil@example.com>",
      "a@example.com; b@example.com",
    ];
    let acceptedCount = 0;
    for (const name of names) {
      const body = buildRegistrationBody({ name });
      const { status } = await post("/api/auth/register", body);
      if (status === 422) continue;
      acceptedCount += 1;
      const [mail] = await smtp.waitForMails(body.email);
      expect(mail!.recipients).toEqual([body.email]);
      const headers = mail!.raw
        .split("\r\n\r\n")[0]!
        .match(/^[\w-]+(?=:)/gm)!
        .sort();
      expect(headers).toEqual([
        "Content-Type",
        "Date",
        "From",
        "MIME-Version",
        "Message-ID",
        "Subject",
        "To",
      ]);
    }
    expect(acceptedCount).toBeGreaterThan(0);
  });

  it("is queued while the mail server is down, without delaying the registration", async () => {
    await smtp.stop();
    const registrations = await Promise.all(Array.from({ length: 5 }, () => registerAccount()));
    for (const { durationMs } of registrations) expect(durationMs).toBeLessThan(30_000);
    await waitUntil(async () => (await findMail(registrations[0]!.email)).attempts > 0);
    expect((await findMail(registrations[0]!.email)).state).toBe("queued");
    await smtp.start();
    for (const { email } of registrations) await smtp.waitForMails(email);
    await waitUntil(async () => (await prisma().mailMessage.count({ where: { state: "queued" } })) === 0);
    for (const { email } of registrations)
      expect(smtp.mails.filter(({ recipients }) => recipients.includes(email))).toHaveLength(1);
  });

  it.each([451, 550])("is retried with the same Message-ID after a rejection with %i", async (code) => {
    smtp.refuseWith = code;
    const { email } = await registerAccount();
    await waitUntil(async () => (await findMail(email)).attempts > 0);
    expect((await findMail(email)).error).toContain(String(code));
    expect((await findMail(email)).error).not.toContain(email);
    smtp.refuseWith = undefined;
    const [mail] = await smtp.waitForMails(email);
    const { id, createdAt } = await findMail(email);
    expect(mail!.messageId).toBe(`<mail-${id}-${createdAt.getTime()}@panel.test>`);
    await waitUntil(async () => (await findMail(email)).state === "sent");
    expect((await findMail(email)).error).toBeNull();
  });

  it("fails after a day, and is not sent again after it has failed or was sent", async () => {
    smtp.refuseWith = 451;
    const { email } = await registerAccount();
    await waitUntil(async () => (await findMail(email)).attempts > 0);
    const { id } = await findMail(email);
    await prisma().mailMessage.update({
      where: { id },
      data: { createdAt: new Date(Date.now() - 25 * 3_600_000) },
    });
    await waitUntil(async () => (await findMail(email)).state === "failed");
    smtp.refuseWith = undefined;
    const { deliverMail } = await import("./deliver");
    await deliverMail({ mailId: id });
    expect(smtp.mails.filter(({ recipients }) => recipients.includes(email))).toHaveLength(0);
    const secondRegistration = await registerAccount();
    await smtp.waitForMails(secondRegistration.email);
    await waitUntil(async () => (await findMail(secondRegistration.email)).state === "sent");
    await deliverMail({ mailId: (await findMail(secondRegistration.email)).id });
    // No mail has this id.
    await deliverMail({ mailId: 2_147_483_647 });
    expect(smtp.mails.filter(({ recipients }) => recipients.includes(secondRegistration.email))).toHaveLength(
      1,
    );
  });

  it("is stored encrypted", async () => {
    const { email } = await registerAccount();
    const { sealed } = await findMail(email);
    expect(Buffer.from(sealed).toString("latin1")).not.toMatch(/dsv_|http|html/);
  });
});
