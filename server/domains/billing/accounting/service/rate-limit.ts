import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { reserveCallSlots } from "../statements";
import { ACCESS_ROW_FILTER } from "./access";

/** The service allows ten calls in ten seconds; one extra second covers calls in transit. */
const CALL_LIMIT = { limit: 10, seconds: 11 } as const;

/** Reserves calls. Returns 0, or the milliseconds to wait if fewer calls are free. */
export async function reserveCalls(callCount: number): Promise<number> {
  if (callCount === 0 || env().hasRelaxedLimits) return 0;
  const [reservation] = await reserveCallSlots(withoutTransaction(), { callCount, ...CALL_LIMIT });
  if (reservation) return 0;
  const { calledAt } = await withoutTransaction().db.accountingAccess.findUniqueOrThrow({
    where: ACCESS_ROW_FILTER,
    select: { calledAt: true },
  });
  // `callCount` slots are free once this call leaves the window.
  const blockingCallAt = calledAt.toSorted((a, b) => b.getTime() - a.getTime())[CALL_LIMIT.limit - callCount];
  const waitMs = blockingCallAt ? blockingCallAt.getTime() + CALL_LIMIT.seconds * SECOND - Date.now() : 0;
  return Math.min(Math.max(waitMs, SECOND), CALL_LIMIT.seconds * SECOND);
}
