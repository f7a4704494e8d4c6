import { DAY, fromNow, HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken } from "./factories";

/** Documentation address of the shop's server. */
const DEMO_ADDRESS = "203.0.113.40";
const NO_EXPIRY = new Date("9999-12-31T00:00:00Z");
const HISTORY_DAYS = 89;
const USE_DAYS = 29;

/** Seeds an API key in use, with two months of calls, and one that is no longer used. */
export async function seedApiKeys(userId: number): Promise<void> {
  await makeToken(userId, {
    ...{ kind: "api_key", name: "Muhasebe", abilities: ["read"], expiresAt: NO_EXPIRY },
    ...{ createdAt: fromNow(-280 * DAY), lastUsedAt: fromNow(-120 * DAY), ip: DEMO_ADDRESS },
  });
  const name = "Mağaza sunucusu";
  await makeToken(userId, {
    ...{ kind: "api_key", name, abilities: ["read", "sites:write"], expiresAt: NO_EXPIRY },
    ...{ createdAt: fromNow(-190 * DAY), lastUsedAt: fromNow(-2 * HOUR), ip: DEMO_ADDRESS },
  });
  const { id: tokenId } = await prisma().accessToken.findFirstOrThrow({
    where: { userId, name },
    select: { id: true },
  });
  const stats = listCalls();
  await prisma().keyCallStat.createMany({ data: stats.map((row) => ({ tokenId, ...row })) });
  await prisma().keyUse.createMany({ data: toDays(stats).map((row) => ({ tokenId, ...row })) });
}

function toDays(stats: ReturnType<typeof listCalls>) {
  const days = new Map<string, { calls: number; lastAt: Date }>();
  for (const { at, calls } of stats) {
    const day = at.toISOString().slice(0, 10);
    days.set(day, { calls: (days.get(day)?.calls ?? 0) + calls, lastAt: at });
  }
  return [...days].slice(-USE_DAYS).flatMap(([day, { calls, lastAt }]) => {
    const siteLists = Math.ceil(calls * 0.7);
    const row = { day: new Date(day), address: DEMO_ADDRESS, lastAt };
    return [
      { ...row, operation: "listSites", calls: siteLists },
      { ...row, operation: "getSite", calls: calls - siteLists },
    ];
  });
}

/** Calls every hour from morning to evening, fewer at the weekend, with two bad days. */
function listCalls() {
  const currentHour = Math.floor(Date.now() / HOUR);
  return Array.from({ length: HISTORY_DAYS * 24 }, (_, index) => {
    const at = new Date((currentHour - HISTORY_DAYS * 24 + index) * HOUR);
    const daysAgo = Math.floor((Date.now() - at.getTime()) / DAY);
    const hour = at.getUTCHours();
    const isWeekend = at.getUTCDay() % 6 === 0;
    const busy = hour < 5 || hour > 19 ? 0 : 8 - Math.abs(12 - hour);
    const growth = 1 + (HISTORY_DAYS - daysAgo) / HISTORY_DAYS;
    const calls = Math.round(busy * growth * (isWeekend ? 0.4 : 1) + ((index * 7) % 3));
    const errors = daysAgo === 4 || daysAgo === 23 ? Math.round(calls * 0.4) : index % 17 === 0 ? 1 : 0;
    return { at, calls, errors: Math.min(calls, errors) };
  }).filter(({ calls }) => calls > 0);
}
