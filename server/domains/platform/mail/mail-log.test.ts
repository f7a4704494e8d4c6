import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { deliverMail } from "@/server/infrastructure/mail/deliver";
import { ERASED_CONTENT, queueMail } from "@/server/infrastructure/mail/outbox";
import type { MailContent } from "@/server/infrastructure/mail/template";
import { makeSignedInUser, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get, call } = await startTestServer();
const { token } = await makeSignedInUser({ role: "admin" });
const person = await makeUser({ name: "Ayşe Kaya" });
const SECRET = "dsr_kanaryaKanaryaKanarya123";
const CODE = "739146";

async function queueTestMail(content: Partial<MailContent> = {}): Promise<number> {
  const mail = {
    template: "password_changed",
    locale: "en",
    params: { name: "Ayşe" },
    path: "/settings/security",
  } as const;
  await queueMail(
    withoutTransaction(),
    { userId: person.id, address: person.email },
    { ...mail, ...content },
  );
  return (await prisma().mailMessage.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
}
const showMail = (id: number) => get(`/api/admin/mails/${id}`, token);
const resendMail = (id: number) => call("POST", `/api/admin/mails/${id}/resend`, { token });
const sendTestMail = async (content?: Partial<MailContent>) => {
  const id = await queueTestMail(content);
  await deliverMail({ mailId: id });
  return id;
};

it("finds mails by address, ID, template and state and shows their delivery attempts", async () => {
  const id = await sendTestMail();
  for (const query of [`q=${person.email}`, `q=${id}`, "q=password_ch", "state=sent"]) {
    const { json } = await get(`/api/admin/mails?${query}`, token);
    expect(json.data[0], query).toMatchObject({ id, to: person.email, state: "sent", sent_via: "system" });
  }
  for (const query of ["q=nobody@example.com", "q=2147483647", "q=99999999999", "q=no-such", "state=failed"])
    expect((await get(`/api/admin/mails?${query}`, token)).json.meta.total, query).toBe(0);
  const { json } = await showMail(id);
  expect(json.mail).toMatchObject({
    opens: false,
    resendable: true,
    tries: [{ via: "system", outcome: "sent" }],
  });
  expect(json.mail.preview).toContain("Ayşe");
  expect((await showMail(2_000_000_000)).status).toBe(404);
});

it("masks links, codes and secrets in errors", async () => {
  const contents: Partial<MailContent>[] = [
    {
      template: "reset_password",
      params: { name: "A", minutes: 60 },
      path: `/reset-password?token=${SECRET}`,
    },
    {
      template: "verify_email",
      params: { name: "A", hours: 24 },
      path: `/verify-email?token=${SECRET}`,
      code: CODE,
    },
    { template: "sign_in_code", params: { name: "A", minutes: 5 }, path: undefined, code: CODE },
    {
      template: "export_ready",
      params: { name: "A", hours: 24 },
      path: `/api/user/export/01JDKANARYA?token=${SECRET}`,
    },
    {
      template: "account_deleted",
      params: { name: "A", mode: "deleted" },
      path: `/certificates/01JDKANARYA?code=${SECRET}`,
    },
    { path: `/unsubscribe/${SECRET}` },
  ];
  for (const content of contents) {
    const id = await sendTestMail(content);
    const error = `550 <${person.email}> ${SECRET}`;
    await prisma().mailMessage.update({ where: { id }, data: { error } });
    const [mailResponse, listResponse] = [await showMail(id), await get("/api/admin/mails", token)];
    expect(mailResponse.json.mail.preview).toContain("…");
    for (const text of [mailResponse.text, listResponse.text])
      for (const secret of [SECRET, CODE, "KANARYA", "kanarya"]) expect(text).not.toContain(secret);
    expect(mailResponse.json.mail.error).not.toContain(person.email);
    if (content.path?.includes("unsubscribe")) continue;
    expect(mailResponse.json.mail).toMatchObject({ opens: true, resendable: false });
    expect((await resendMail(id)).json.error).toEqual(expect.stringMatching(/\S/));
    expect((await resendMail(id)).status).toBe(422);
  }
  const jobs = await prisma().$queryRawUnsafe("select payload::text from graphile_worker._private_jobs");
  expect(JSON.stringify(jobs)).not.toContain(SECRET);
});

it("requeues a failed mail once and sends a copy of a sent one", async () => {
  const failedId = await queueTestMail();
  await prisma().mailMessage.update({ where: { id: failedId }, data: { state: "failed", error: "timeout" } });
  const responses = await Promise.all(Array.from({ length: 10 }, () => resendMail(failedId)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(422)]);
  expect(
    await prisma().auditEvent.count({ where: { action: "mail.resent", objectId: String(failedId) } }),
  ).toBe(1);
  await deliverMail({ mailId: failedId });
  expect((await showMail(failedId)).json.mail.state).toBe("sent");

  const countBefore = await prisma().mailMessage.count();
  const id = await sendTestMail();
  expect((await resendMail(id)).status).toBe(200);
  expect(await prisma().mailMessage.count()).toBe(countBefore + 2);
  const copy = await prisma().mailMessage.findFirstOrThrow({ orderBy: { id: "desc" } });
  expect(copy).toMatchObject({ toAddress: person.email, userId: person.id, template: "password_changed" });

  await prisma().mailMessage.update({ where: { id }, data: { sealed: ERASED_CONTENT } });
  expect((await resendMail(id)).status).toBe(422);
  expect((await showMail(id)).json.mail).toMatchObject({ subject: null, preview: null, resendable: false });
});

it("deletes the attempts with the mail", async () => {
  const id = await sendTestMail();
  await prisma().mailMessage.delete({ where: { id } });
  expect(await prisma().mailAttempt.count({ where: { mailId: id } })).toBe(0);
});
