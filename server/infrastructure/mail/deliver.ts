import { env } from "@/server/core/env";
import type { MailFailure } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { outside } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { type Sender, sendersFor } from "./cascade";
import { failureOf } from "./failure";
import { openMail, sealMail } from "./outbox";
import { accountTransport, systemTransport } from "./smtp";
import { type RenderedMail, renderMail } from "./template";

/** Seconds until the next attempt, by the number of attempts made; the last one repeats for a day. */
const BACK_OFF = [1, 2, 3, 5, 5, 10, 15, 30, 60, 120, 300];

interface Mail {
  id: number;
  userId: number | null;
  toAddress: string;
  attempts: number;
  createdAt: Date;
  sealed: Uint8Array;
}

/**
 * Delivers one mail of the outbox by the first sender that accepts it. A customer's account that fails is skipped for
 * a while, and the next one is tried at once; when the platform's own server fails too, everything is retried for a
 * day.
 */
export async function deliverMail({ mailId }: { mailId: number }): Promise<void> {
  const mail = await prisma().mailMessage.findUnique({ where: { id: mailId } });
  if (mail?.state !== "queued") return;
  const content = openMail(mail.sealed);
  const senders = await sendersFor(outside(), {
    userId: mail.userId,
    inviterId: content.inviterId,
  });
  for (const sender of senders) {
    try {
      await send(mail, sender, renderMail(content, sender.brand));
    } catch (error) {
      const reply = error instanceof Error ? error.message : String(error);
      // Mail servers often repeat the recipient, and the log must not name people.
      const reason = reply.replaceAll(mail.toAddress, "<recipient>");
      if (sender.account) await pauseAccount(sender.account.id, failureOf(error), reason);
      else await retryLater(mail, reason);
      continue;
    }
    await noteSent(mail, sender);
    return;
  }
}

/** Every sender uses the same Message-ID, so that a recipient can recognise a duplicate after a lost reply. */
async function send(mail: Mail, { account }: Sender, rendered: RenderedMail): Promise<void> {
  const { SMTP_URL, MAIL_FROM, APP_URL } = env();
  // Without a platform mail server (demo mode) the outbox itself is the mailbox.
  if (!account && !SMTP_URL) return;
  const transport = account ? await accountTransport(account) : systemTransport(SMTP_URL!);
  try {
    await transport.sendMail({
      from: account?.from ?? MAIL_FROM,
      to: { name: "", address: mail.toAddress },
      messageId: `<mail-${mail.id}-${mail.createdAt.getTime()}@${new URL(APP_URL).hostname}>`,
      ...rendered,
    });
  } finally {
    if (account) transport.close();
  }
}

async function noteSent(mail: Mail, { via, account, brand }: Sender): Promise<void> {
  if (env().SMTP_URL && mail.userId === null) {
    // A mail that belongs to no account, such as one to a deleted account's last address. Only a demo's mailbox keeps
    // it.
    await prisma().mailMessage.delete({ where: { id: mail.id } });
    return;
  }
  await prisma().mailMessage.update({
    where: { id: mail.id },
    data: {
      state: "sent",
      sentAt: new Date(),
      error: null,
      sentVia: via,
      accountId: account?.id ?? null,
      sealed: sealMail({ ...openMail(mail.sealed), brand }),
    },
  });
}

/** A refused recipient says nothing about the account; any other failure suspends it for a quarter of an hour. */
async function pauseAccount(id: number, failure: MailFailure, reason: string): Promise<void> {
  log.warn({ event: "mail.account_failed", account: id, failure, reason });
  if (failure === "recipient") return;
  await prisma().mailAccount.updateMany({ where: { id }, data: { failedAt: new Date(), error: failure } });
}

async function retryLater(mail: Mail, reason: string): Promise<void> {
  const tooOld = mail.createdAt.getTime() < Date.now() - DAY;
  log.warn({
    event: tooOld ? "mail.gave_up" : "mail.retry",
    mail: mail.id,
    attempts: mail.attempts + 1,
    reason,
  });
  await prisma().mailMessage.update({
    where: { id: mail.id },
    data: { attempts: { increment: 1 }, error: reason.slice(0, 500), state: tooOld ? "failed" : "queued" },
  });
  if (tooOld) return;
  const seconds = BACK_OFF[Math.min(mail.attempts, BACK_OFF.length - 1)]!;
  // No job key: the running job still holds it. A second run of a sent mail does nothing.
  await addJob(outside(), "deliver_mail", { mailId: mail.id }, { runAt: fromNow(seconds * SECOND) });
}
