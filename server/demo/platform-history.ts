import { DAY, fromNow, HOUR } from "@/server/core/time";
import { REFUSAL_RETENTION_DAYS } from "@/server/domains/access/registration/policy";
import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { ERASED_CONTENT } from "@/server/infrastructure/mail/outbox";

/* Statistics of the platform, for the charts of administrators. */

const HISTORY_DAYS = 60;

/** Seeds requests, active accounts, job runs, mails and refused sign-ups up to the last full hour. */
export async function seedPlatformHistory(): Promise<void> {
  const hours = Array.from({ length: HISTORY_DAYS * 24 }, (_, index) => toHour(HISTORY_DAYS * 24 - index));
  await prisma().requestStat.createMany({ data: hours.map(buildRequests) });
  await prisma().activitySample.createMany({
    data: hours.map((at) => ({ at, accounts: 9 + Math.round(8 * getLoad(at)) + (hash(at) % 3) })),
  });
  await prisma().jobStat.createMany({ data: hours.flatMap(buildRuns) });
  const refusedAt = hours.slice(-REFUSAL_RETENTION_DAYS * 24, -48).filter((at) => hash(at) % 31 === 0);
  await prisma().signUpRefusal.createMany({ data: refusedAt.map(buildRefusal) });
  await seedMails();
}

const toHour = (hoursAgo: number) => new Date(Math.floor(fromNow(-hoursAgo * HOUR).getTime() / HOUR) * HOUR);

/** Differs from hour to hour, and is the same for an hour wherever it is needed. */
const hash = (at: Date) => ((at.getTime() / HOUR) * 2_654_435_761) % 997;

/** From 0 at night to 1 at noon in Turkey, lower at weekends. */
function getLoad(at: Date): number {
  const localHour = (at.getUTCHours() + 3) % 24;
  const isWeekend = [0, 6].includes(at.getUTCDay());
  return Math.max(0, Math.sin(((localHour - 6) / 18) * Math.PI)) * (isWeekend ? 0.4 : 1);
}

function buildRequests(at: Date): Prisma.RequestStatCreateManyInput {
  const isSlow = hash(at) % 97 === 0;
  const succeeded = 40 + Math.round(900 * getLoad(at)) + (hash(at) % 40);
  const rejected = Math.round(succeeded * 0.03) + (hash(at) % 5);
  const throttled = hash(at) % 11 === 0 ? hash(at) % 20 : 0;
  const failed = isSlow ? 12 : hash(at) % 41 === 0 ? 1 : 0;
  const total = succeeded + rejected + throttled + failed;
  const shares = isSlow
    ? [0.1, 0.15, 0.2, 0.2, 0.1, 0.1, 0.08, 0.05, 0.02]
    : [0.2, 0.35, 0.25, 0.12, 0.05, 0.02, 0.01];
  const durations = Array.from({ length: 11 }, (_, index) => Math.floor(total * (shares[index] ?? 0)));
  durations[2]! += total - durations.reduce((sum, count) => sum + count, 0);
  return { at, succeeded, rejected, throttled, failed, durations };
}

/** Runs per hour and milliseconds of tasks that run often. */
const TASKS = [
  ["wake_documents", 60, 14],
  ["release_jobs", 12, 6],
  ["deliver_mail", 3, 420],
] as const;

function buildRuns(at: Date): Prisma.JobStatCreateManyInput[] {
  return TASKS.map(([task, runs, ms]) => {
    const failures = task === "deliver_mail" && hash(at) % 53 === 0 ? 1 : 0;
    const average = ms + (hash(at) % ms);
    return { task, hour: at, runs, failures, msSum: runs * average, msMax: average * (2 + (hash(at) % 3)) };
  });
}

function buildRefusal(at: Date): Prisma.SignUpRefusalCreateManyInput {
  const isDisposable = hash(at) % 2 === 0;
  return {
    at,
    domain: isDisposable ? "mailinator.com" : "no-mail.example.com",
    reason: isDisposable ? "disposable" : "no_mail",
    ipBucket: new Uint8Array([hash(at) % 7]),
  };
}

/** Mails to resellers and administrators, whose texts are erased. */
async function seedMails(): Promise<void> {
  const recipients = await prisma().user.findMany({
    where: { role: { not: "user" } },
    orderBy: { id: "asc" },
    select: { id: true, email: true },
  });
  const mails = Array.from({ length: 120 }, (_, index) => {
    const createdAt = fromNow(-((120 - index) * DAY) / 4 - (index % 5) * HOUR);
    const { id: userId, email: toAddress } = recipients[index % recipients.length]!;
    return {
      ...{ userId, toAddress, template: "new_sign_in", locale: "tr", sealed: ERASED_CONTENT },
      ...{ state: "sent" as const, attempts: 1, sentVia: "system", createdAt, sentAt: createdAt },
    };
  });
  await prisma().mailMessage.createMany({ data: mails });
}
