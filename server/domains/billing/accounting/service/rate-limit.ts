import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { reserveCallSlots } from "../statements";
import { ACCESS_ROW } from "./access";

/** The service allows ten calls in ten seconds; one extra second covers calls in transit. */
const LIMIT = { limit: 10, seconds: 11 } as const;

/** Reserves calls and returns 0, or the milliseconds to wait before the next attempt. */
export async function reserveCalls(calls: number): Promise<number> {
  if (calls === 0 || env().relaxedLimits) return 0;
  const [granted] = await reserveCallSlots(withoutTransaction(), { calls, ...LIMIT });
  if (granted) return 0;
  const { calledAt } = await withoutTransaction().db.accountingAccess.findUniqueOrThrow({
    where: ACCESS_ROW,
    select: { calledAt: true },
  });
  // Enough calls are free once this one leaves the window.
  const blocking = calledAt.toSorted((a, b) => b.getTime() - a.getTime())[LIMIT.limit - calls];
  const wait = blocking ? blocking.getTime() + LIMIT.seconds * SECOND - Date.now() : 0;
  return Math.min(Math.max(wait, SECOND), LIMIT.seconds * SECOND);
}
