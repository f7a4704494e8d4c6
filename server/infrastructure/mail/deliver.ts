import addressparser from "nodemailer/lib/addressparser";
import { env } from "@/server/core/env";
import type { MailFailure } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { DAY, SECOND } from "@/server/core/time";
import { type Brand, getSenderName } from "@/server/infrastructure/brand/brand";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { planRetry, type RetryPolicy } from "@/server/infrastructure/jobs/retry";
import { withSpan } from "@/server/infrastructure/tracing/trace";
import { sealMail, unsealMail } from "./outbox";
import { findMailSenders, getPlatformSender, type Sender } from "./senders";
import { classifyMailFailure, createAccountTransport, getSystemTransport } from "./smtp";
import { type RenderedMail, renderMail } from "./template";

const RETRY_POLICY: RetryPolicy = {
  event: "mail",
  backoff: [1, 2, 3, 5, 5, 10, 15, 30, 60, 120, 300].map((seconds) => seconds * SECOND),
  maxAge: DAY,
};

interface QueuedMail {
  id: number;
  userId: number | null;
  toAddress: string;
  ccAddress: string | null;
  attempts: number;
  createdAt: Date;
  sealed: Uint8Array;
}

/** Delivers through the first sender that accepts; if the platform's fails, too, retries for a day. */
export async function deliverMail({ mailId }: { mailId: number }): Promise<void> {
  const mail = await prisma().mailMessage.findUnique({ where: { id: mailId } });
  if (mail?.state !== "queued") return;
  const content = unsealMail(mail.sealed);
  const recipient = { userId: mail.userId, brandOf: content.brandOf };
  const senders = content.provesAddress
    ? [await getPlatformSender(withoutTransaction(), recipient)]
    : await findMailSenders(withoutTransaction(), recipient);
  for (const sender of senders) {
    try {
      await sendThrough(mail, sender, renderMail(content, sender.brand));
    } catch (error) {
      const reply = getErrorReason(error) ?? "";
      // Replies often repeat the recipient, which must not be logged.
      const reason = [mail.toAddress, mail.ccAddress ?? mail.toAddress].reduce(
        (text, address) => text.replaceAll(address, "<recipient>"),
        reply,
      );
      const failure = classifyMailFailure(error);
      await recordAttempt(mail, sender, failure);
      if (sender.mailAccount) await pauseMailAccount(sender.mailAccount.id, failure, reason);
      else await scheduleRetry(mail, reason);
      continue;
    }
    await recordSent(mail, sender);
    return;
  }
}

/** All attempts use the same Message-ID, so that recipients can detect a duplicate after a lost reply. */
async function sendThrough(
  mail: QueuedMail,
  { mailAccount, brand }: Sender,
  renderedMail: RenderedMail,
): Promise<void> {
  const { SMTP_URL } = env();
  // Without SMTP_URL (demo mode), the outbox itself is the mailbox.
  if (!mailAccount && !SMTP_URL) return;
  const transport = mailAccount ? await createAccountTransport(mailAccount) : getSystemTransport();
  try {
    const host = mailAccount?.host ?? new URL(SMTP_URL!).hostname;
    const spanSpec = {
      name: `SMTP ${host}`,
      kind: "client",
      attributes: { "server.address": host },
    } as const;
    await withSpan(spanSpec, () =>
      transport.sendMail({
        from: mailAccount?.from ?? getSystemFrom(brand),
        to: { name: "", address: mail.toAddress },
        ...(mail.ccAddress && { cc: { name: "", address: mail.ccAddress } }),
        messageId: `<mail-${mail.id}-${mail.createdAt.getTime()}@${new URL(brand.url).hostname}>`,
        ...renderedMail,
      }),
    );
  } finally {
    if (mailAccount) transport.close();
  }
}

function getSystemFrom(brand: Brand): string | { name: string; address: string } {
  const name = getSenderName(brand);
  const { APP_NAME, MAIL_FROM } = env();
  const [sender] = addressparser(MAIL_FROM, { flatten: true });
  return name === APP_NAME || !sender ? MAIL_FROM : { name, address: sender.address };
}

/** Records the result of a delivery attempt, unless the mail was deleted with its account. */
async function recordAttempt(
  { id }: QueuedMail,
  { via, mailAccount }: Sender,
  outcome: MailFailure | "sent",
): Promise<void> {
  if ((await prisma().mailMessage.count({ where: { id } })) === 0) return;
  const data = { mailId: id, via, accountId: mailAccount?.id ?? null, outcome };
  await prisma().mailAttempt.create({ data, select: { id: true } });
}

async function recordSent(mail: QueuedMail, sender: Sender): Promise<void> {
  const { via, mailAccount, brand } = sender;
  if (env().SMTP_URL && mail.userId === null) {
    // Mails without an account, such as to a deleted account's address, are kept in the demo mailbox only.
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
      accountId: mailAccount?.id ?? null,
      sealed: sealMail({ ...unsealMail(mail.sealed), brand }),
    },
  });
  await recordAttempt(mail, sender, "sent");
}

/** Pauses an account for 15 minutes, unless only the recipient was rejected; the owner sees both. */
async function pauseMailAccount(id: number, failure: MailFailure, reason: string): Promise<void> {
  log.warn({ event: "mail.account_failed", account: id, failure, reason });
  const pauseFields = failure === "recipient" ? {} : { failedAt: new Date(), error: failure };
  const data = { ...pauseFields, failures: { create: { reason: failure } } };
  await prisma()
    .mailAccount.update({ where: { id }, data, select: { id: true } })
    .catch((error) => {
      if (error.code !== "P2025") throw error;
    });
}

async function scheduleRetry(mail: QueuedMail, reason: string): Promise<void> {
  const { id, attempts, createdAt } = mail;
  const runAt = planRetry(RETRY_POLICY, {
    previousAttempts: attempts,
    createdAt,
    reason,
    context: { mail: id },
  });
  await prisma().mailMessage.update({
    where: { id },
    data: { attempts: { increment: 1 }, error: reason.slice(0, 500), state: runAt ? "queued" : "failed" },
  });
  // No job key: the running job still has it. A second run of a sent mail does nothing.
  if (runAt) await addJob(withoutTransaction(), "deliver_mail", { mailId: id }, { runAt });
}
