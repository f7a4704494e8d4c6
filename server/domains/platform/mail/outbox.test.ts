import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { deleteExpiredSignInSecretsJob } from "@/server/domains/access/sign-in/jobs";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ERASED_CONTENT, queueMail, renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { queueSms, unsealSms } from "@/server/infrastructure/sms/outbox";
import { makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { archiveReaders } from "./export";
import { eraseMessagesJob } from "./jobs";

const { get } = await startTestServer();

const AGES_DAYS = [0, 6, 8, 89, 91] as const;

it("keeps texts for a week, other data for 90 days, and queued messages", async () => {
  const user = await makeUser();
  const dbAccess = withoutTransaction();
  for (const _ of [...AGES_DAYS, "waiting"]) {
    const mail = { template: "password_changed", locale: "tr", params: { name: "A" }, path: "/x" } as const;
    await queueMail(dbAccess, { userId: user.id, address: user.email }, mail);
    await queueSms(dbAccess, { userId: user.id, number: "+905321112233", locale: "tr" }, "123456");
  }
  const where = { userId: user.id };
  const readMessages = async () => ({
    mails: await prisma().mailMessage.findMany({ where, orderBy: { id: "asc" } }),
    texts: await prisma().smsMessage.findMany({ where, orderBy: { id: "asc" } }),
  });
  const messagesBefore = await readMessages();
  for (const [index, days] of AGES_DAYS.entries()) {
    const data = {
      createdAt: fromNow(-days * DAY),
      state: index % 2 ? ("sent" as const) : ("failed" as const),
    };
    await prisma().mailMessage.update({ where: { id: messagesBefore.mails[index]!.id }, data });
    await prisma().smsMessage.update({ where: { id: messagesBefore.texts[index]!.id }, data });
  }
  await prisma().mailMessage.update({
    where: { id: messagesBefore.mails.at(-1)!.id },
    data: { createdAt: fromNow(-100 * DAY) },
  });
  await eraseMessagesJob();
  const { mails, texts } = await readMessages();
  const expectedErasures = [false, false, true, true, false];
  const remainingIndexes = [0, 1, 2, 3, 5];
  expect(mails.map(({ id }) => messagesBefore.mails.findIndex((mail) => mail.id === id))).toEqual(
    remainingIndexes,
  );
  expect(texts.map(({ id }) => messagesBefore.texts.findIndex((sms) => sms.id === id))).toEqual(
    remainingIndexes,
  );
  for (const rows of [mails, texts])
    expect(rows.map(({ sealed }) => sealed.length === ERASED_CONTENT.length)).toEqual(expectedErasures);
  expect(renderStoredMail(mails[0]!.sealed).text).toContain("A");
  expect(unsealSms(texts[1]!.sealed)).toBe("123456");

  // Three mails and three text messages still have their text.
  const mailbox = await get(`/api/dev/mailbox?to=${encodeURIComponent(user.email)}`);
  expect(mailbox).toMatchObject({ status: 200, json: { data: { length: 6 } } });
  const exportedMails = await archiveReaders.mails(prisma(), user.id);
  expect(exportedMails.map(({ subject }) => subject === null)).toEqual(expectedErasures);
});

it("deletes expired sign-ins, reset links and trusted devices", async () => {
  const { id: userId } = await makeUser();
  const { id: otherUserId } = await makeUser();
  for (const [owner, days] of [
    [userId, -1],
    [otherUserId, 1],
  ] as const) {
    const makeRowData = (name: string) => ({
      userId: owner,
      tokenHash: Buffer.from(`${name}${owner}`),
      expiresAt: fromNow(days * DAY),
    });
    await prisma().interimToken.create({ data: makeRowData("interim") });
    await prisma().trustedDevice.create({ data: makeRowData("device") });
    await prisma().passwordReset.create({ data: { ...makeRowData("reset"), emailKey: "x" } });
  }
  await deleteExpiredSignInSecretsJob();
  const { interimToken, trustedDevice, passwordReset } = prisma();
  const select = { userId: true } as const;
  for (const rows of [
    await interimToken.findMany({ select }),
    await trustedDevice.findMany({ select }),
    await passwordReset.findMany({ select }),
  ])
    expect(rows).toEqual([{ userId: otherUserId }]);
});
