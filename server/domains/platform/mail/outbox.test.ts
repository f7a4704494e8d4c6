import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { deleteExpiredSignInsJob } from "@/server/domains/access/sign-in/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ERASED_CONTENT, queueMail, renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { queueSms, unsealSms } from "@/server/infrastructure/sms/outbox";
import { makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { exports } from "./export";
import { eraseMessagesJob } from "./jobs";

const { get } = await startTestServer();

const AGES = [0, 6, 8, 89, 91] as const;

it("keeps texts for a week, other data for 90 days, and queued messages", async () => {
  const user = await makeUser();
  const db = withoutTransaction();
  for (const _ of [...AGES, "waiting"]) {
    const mail = { template: "password_changed", locale: "tr", params: { name: "A" }, path: "/x" } as const;
    await queueMail(db, { userId: user.id, address: user.email }, mail);
    await queueSms(db, { userId: user.id, number: "+905321112233", locale: "tr" }, "123456");
  }
  const where = { userId: user.id };
  const readMessages = async () => ({
    mails: await prisma().mailMessage.findMany({ where, orderBy: { id: "asc" } }),
    texts: await prisma().smsMessage.findMany({ where, orderBy: { id: "asc" } }),
  });
  const before = await readMessages();
  for (const [index, days] of AGES.entries()) {
    const data = {
      createdAt: fromNow(-days * DAY),
      state: index % 2 ? ("sent" as const) : ("failed" as const),
    };
    await prisma().mailMessage.update({ where: { id: before.mails[index]!.id }, data });
    await prisma().smsMessage.update({ where: { id: before.texts[index]!.id }, data });
  }
  await prisma().mailMessage.update({
    where: { id: before.mails.at(-1)!.id },
    data: { createdAt: fromNow(-100 * DAY) },
  });
  await eraseMessagesJob();
  const { mails, texts } = await readMessages();
  const isErased = [false, false, true, true, false];
  const remaining = [0, 1, 2, 3, 5];
  expect(mails.map(({ id }) => before.mails.findIndex((mail) => mail.id === id))).toEqual(remaining);
  expect(texts.map(({ id }) => before.texts.findIndex((sms) => sms.id === id))).toEqual(remaining);
  for (const rows of [mails, texts])
    expect(rows.map(({ sealed }) => sealed.length === ERASED_CONTENT.length)).toEqual(isErased);
  expect(renderStoredMail(mails[0]!.sealed).text).toContain("A");
  expect(unsealSms(texts[1]!.sealed)).toBe("123456");

  const mailbox = await get(`/api/dev/mailbox?to=${encodeURIComponent(user.email)}`);
  expect(mailbox).toMatchObject({ status: 200, json: { data: { length: 6 } } });
  const exported = await exports.mails(prisma(), user.id);
  expect(exported.map(({ subject }) => subject === null)).toEqual(isErased);
});

it("deletes expired sign-ins, reset links and trusted devices", async () => {
  const { id: userId } = await makeUser();
  const { id: otherUserId } = await makeUser();
  for (const [owner, days] of [
    [userId, -1],
    [otherUserId, 1],
  ] as const) {
    const row = (name: string) => ({
      userId: owner,
      tokenHash: Buffer.from(`${name}${owner}`),
      expiresAt: fromNow(days * DAY),
    });
    await prisma().interimToken.create({ data: row("interim") });
    await prisma().trustedDevice.create({ data: row("device") });
    await prisma().passwordReset.create({ data: { ...row("reset"), emailKey: "x" } });
  }
  await deleteExpiredSignInsJob();
  const { interimToken, trustedDevice, passwordReset } = prisma();
  const select = { userId: true } as const;
  for (const rows of [
    await interimToken.findMany({ select }),
    await trustedDevice.findMany({ select }),
    await passwordReset.findMany({ select }),
  ])
    expect(rows).toEqual([{ userId: otherUserId }]);
});
