import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { openMail } from "./outbox";

/** Seconds until the next attempt, by the number of attempts made; the last one repeats for a day. */
const BACK_OFF = [1, 2, 3, 5, 5, 10, 15, 30, 60, 120, 300];

let transport: Transporter | undefined;

function smtp(url: string): Transporter {
  transport ??= createTransport(url, {
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  return transport;
}

/**
 * Delivers one mail of the outbox. Without SMTP_URL (demo mode) the outbox itself is the mailbox. A
 * server that refuses or is away is asked again, with the same Message-ID, for one day.
 */
export async function deliverMail({ mailId }: { mailId: number }): Promise<void> {
  const mail = await prisma().mailMessage.findUnique({ where: { id: mailId } });
  if (mail?.state !== "queued") return;
  const { SMTP_URL, MAIL_FROM, APP_URL } = env();
  try {
    if (SMTP_URL) {
      await smtp(SMTP_URL).sendMail({
        from: MAIL_FROM,
        to: { name: "", address: mail.toAddress },
        messageId: `<mail-${mail.id}-${mail.createdAt.getTime()}@${new URL(APP_URL).hostname}>`,
        ...openMail(mail.sealed),
      });
    }
    if (SMTP_URL && mail.userId === null) {
      // Nobody's any more: to a deleted account's last address, say. Only the mailbox of a demo keeps it a while.
      await prisma().mailMessage.delete({ where: { id: mailId } });
      return;
    }
    await prisma().mailMessage.update({
      where: { id: mailId },
      data: { state: "sent", sentAt: new Date(), error: null },
    });
  } catch (error) {
    await retryLater(mail, error instanceof Error ? error.message : String(error));
  }
}

async function retryLater(
  mail: { id: number; attempts: number; createdAt: Date },
  reason: string,
): Promise<void> {
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
  // No job key: the running job still holds it, and a second run of a sent mail does nothing.
  await addJob(
    statementsOn(pool()),
    "deliver_mail",
    { mailId: mail.id },
    { runAt: fromNow(seconds * SECOND) },
  );
}
