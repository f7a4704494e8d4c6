import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { fromNow, MINUTE, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { outside } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { openSms } from "./outbox";
import { SmsRefused, sendByTwilio } from "./twilio";

/** Seconds until the next attempt. A code is worthless after its five minutes. */
const BACK_OFF = [2, 5, 10, 20, 30];
const LIFE = 5 * MINUTE;

/**
 * Delivers one message of the outbox. Without a provider (demo mode) the outbox itself is the phone. When the
 * provider is unavailable, delivery is retried while the code in the message is valid.
 */
export async function deliverSms({ smsId }: { smsId: number }): Promise<void> {
  const sms = await prisma().smsMessage.findUnique({ where: { id: smsId } });
  if (sms?.state !== "queued") return;
  try {
    const remoteId = await send(sms.toNumber, openSms(sms.sealed));
    await prisma().smsMessage.update({
      where: { id: smsId },
      data: { state: "sent", sentAt: new Date(), error: null, remoteId },
    });
  } catch (error) {
    await retryLater(sms, error as Error);
  }
}

async function send(to: string, text: string): Promise<string | null> {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from, TWILIO_API_URL: url } = env();
  return sid && token && from ? sendByTwilio({ url, sid, token, from }, { to, text }) : null;
}

async function retryLater(
  { id, attempts, createdAt }: { id: number; attempts: number; createdAt: Date },
  error: Error,
): Promise<void> {
  const over = (error instanceof SmsRefused && error.lasting) || createdAt.getTime() < Date.now() - LIFE;
  log.warn({
    event: over ? "sms.gave_up" : "sms.retry",
    sms: id,
    attempts: attempts + 1,
    reason: error.message,
  });
  await prisma().smsMessage.update({
    where: { id },
    data: {
      attempts: { increment: 1 },
      error: error.message.slice(0, 500),
      state: over ? "failed" : "queued",
    },
  });
  if (over) return;
  const seconds = BACK_OFF[Math.min(attempts, BACK_OFF.length - 1)]!;
  await addJob(outside(), "deliver_sms", { smsId: id }, { runAt: fromNow(seconds * SECOND) });
}
