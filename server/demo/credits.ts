import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

const MONTHS = 12;
/** Days of a month on which the demo account used credits. */
const USAGE_DAYS = [3, 6, 10, 14, 18, 22, 26, 28];
const CREDITS_PER_MESSAGE = 1;
const CREDITS_PER_AI_CALL = 2;
const CREDITS_PER_MINUTE = 5;

interface CreditYear {
  userId: number;
  administratorId: number;
  plan: string;
  monthlyCredits: number;
  /** Period of the plan. Months that begin in it get its credits. */
  since: Date;
  until?: Date;
}

/** Usage of a month as a share of the Pro plan's credits. */
const PRO_CREDITS = 10_000;

/** Adds a year of ledger entries to an account: the plan's credits on the first of each month, and its usage. */
export async function seedCreditYear({
  userId,
  administratorId,
  plan,
  monthlyCredits,
  since,
  until = new Date(),
}: CreditYear): Promise<void> {
  const now = new Date();
  const scale = monthlyCredits / PRO_CREDITS;
  const { credits } = await prisma().user.findUniqueOrThrow({
    where: { id: userId },
    select: { credits: true },
  });
  let balance = credits;
  const entries: Prisma.CreditEntryCreateManyInput[] = [];
  const usageMonths: Prisma.UsageMonthCreateManyInput[] = [];
  const addEntry = (entry: Omit<Prisma.CreditEntryCreateManyInput, "userId" | "balance">) => {
    balance += entry.amount;
    entries.push({ ...entry, userId, balance });
  };
  for (let monthsAgo = MONTHS - 1; monthsAgo >= 0; monthsAgo--) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1));
    if (month < since || month > until) continue;
    addEntry({
      ...{ amount: monthlyCredits, createdAt: month, note: plan },
      ...{ reason: "admin_adjust", actorId: administratorId },
    });
    const usage = { messagesSent: 0, aiCalls: 0, voiceMinutes: 0, creditsUsed: 0 };
    for (const day of getUsageDays(month, until)) {
      // Grows over the year, and differs from day to day.
      const messages = Math.floor((560 - 6 * monthsAgo + ((day * 37) % 90)) * scale);
      const [aiCalls, minutes] = [Math.round(messages * 0.42), Math.floor((4 + ((day * 5) % 13)) * scale)];
      const used =
        messages * CREDITS_PER_MESSAGE + aiCalls * CREDITS_PER_AI_CALL + minutes * CREDITS_PER_MINUTE;
      usage.messagesSent += messages;
      usage.aiCalls += aiCalls;
      usage.voiceMinutes += minutes;
      usage.creditsUsed += used;
      addEntry({ amount: -used, createdAt: getMoment(month, day, now), reason: "usage" });
    }
    usageMonths.push({ userId, month, ...usage });
  }
  await prisma().creditEntry.createMany({ data: entries });
  await prisma().usageMonth.createMany({ data: usageMonths });
  await prisma().user.update({ where: { id: userId }, data: { credits: balance } });
}

/** Days of a month until now; at least one, so that the current month is never empty. */
function getUsageDays(month: Date, now: Date): number[] {
  const isCurrent =
    month.getUTCMonth() === now.getUTCMonth() && month.getUTCFullYear() === now.getUTCFullYear();
  if (!isCurrent) return USAGE_DAYS;
  const days = USAGE_DAYS.filter((day) => day < now.getUTCDate());
  return days.length > 0 ? days : [now.getUTCDate()];
}

function getMoment(month: Date, day: number, now: Date): Date {
  const evening = Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), day, 18);
  return new Date(Math.min(evening, now.getTime()));
}
