import { env } from "@/server/core/env";
import { MINUTE, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { planRetry, type RetryPolicy } from "@/server/infrastructure/jobs/retry";
import { unsealSms } from "./outbox";
import { SmsRejectedError, sendByTwilio } from "./twilio";

/** Ends after five minutes, when the code in the message has expired. */
const RETRY_POLICY: RetryPolicy = {
  event: "sms",
  backoff: [2, 5, 10, 20, 30].map((seconds) => seconds * SECOND),
  maxAge: 5 * MINUTE,
};

/** Delivers a message, in demo mode to the sandbox. Retries while its code is valid. */
export async function deliverSms({ smsId }: { smsId: number }): Promise<void> {
  const sms = await prisma().smsMessage.findUnique({ where: { id: smsId } });
  if (sms?.state !== "queued") return;
  try {
    const remoteId = await sendSms(sms.toNumber, unsealSms(sms.sealed));
    await prisma().smsMessage.update({
      where: { id: smsId },
      data: { state: "sent", sentAt: new Date(), error: null, remoteId },
    });
  } catch (error) {
    await scheduleRetry(sms, error as Error);
  }
}

async function sendSms(to: string, text: string): Promise<string> {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from, TWILIO_API_URL: url } = env();
  if (!sid || !token || !from) throw new SmsRejectedError("no provider is set", true);
  return sendByTwilio({ url, sid, token, from }, { to, text });
}

async function scheduleRetry(
  { id, attempts, createdAt }: { id: number; attempts: number; createdAt: Date },
  error: Error,
): Promise<void> {
  const isPermanent = error instanceof SmsRejectedError && error.isPermanent;
  const failedAttempt = {
    previousAttempts: attempts,
    createdAt,
    reason: error.message,
    isPermanent,
    context: { sms: id },
  };
  const runAt = planRetry(RETRY_POLICY, failedAttempt);
  await prisma().smsMessage.update({
    where: { id },
    data: {
      attempts: { increment: 1 },
      error: error.message.slice(0, 500),
      state: runAt ? "queued" : "failed",
    },
  });
  if (runAt) await addJob(withoutTransaction(), "deliver_sms", { smsId: id }, { runAt });
}
