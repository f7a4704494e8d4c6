import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { letThrough } from "../statements";
import { ACCESS } from "./access";

/** Calls that the service takes within ten seconds, of all processes together. One more second for those on their way. */
const LIMIT = { limit: 10, seconds: 11 } as const;

/** Milliseconds until so many calls are let through; 0: they are, now. Where limits are relaxed, always. */
export async function turnFor(calls: number): Promise<number> {
  if (calls === 0 || env().relaxedLimits) return 0;
  const [granted] = await letThrough(outside(), { calls, ...LIMIT });
  if (granted) return 0;
  const { calledAt } = await outside().db.accountingAccess.findUniqueOrThrow({
    where: ACCESS,
    select: { calledAt: true },
  });
  // As many as are needed have passed when the last of them has.
  const inTheWay = calledAt.toSorted((a, b) => b.getTime() - a.getTime())[LIMIT.limit - calls];
  const wait = inTheWay ? inTheWay.getTime() + LIMIT.seconds * SECOND - Date.now() : 0;
  return Math.min(Math.max(wait, SECOND), LIMIT.seconds * SECOND);
}
