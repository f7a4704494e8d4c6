import { pool } from "@/server/infrastructure/database/client";
import { closeLimiter } from "@/server/infrastructure/rate-limit/limiter";

export async function resetRateLimits(): Promise<void> {
  await closeLimiter();
  await pool().query("delete from rate_limits");
}
