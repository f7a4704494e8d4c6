import type { Context } from "@/server/core/context";
import { consumePoints } from "@/server/infrastructure/rate-limit/limiter";
import { audit } from "./audit";

/** One entry a minute for each caller and operation. */
const REFUSAL_LIMIT = { name: "refusal", points: 1, per: 60, durable: true };

export async function recordRefusedCall(ctx: Omit<Context, "db">, operation: string): Promise<void> {
  const accountId = ctx.actor.kind === "user" ? ctx.actor.id : 0;
  const { allowed } = await consumePoints(REFUSAL_LIMIT, `u${accountId}:${operation}`);
  if (allowed) await audit(ctx, { action: "access.refused", details: { operation } });
}
