import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { settingNow } from "@/server/infrastructure/settings";
import type { listSignUpRefusals } from "../contract";
import { listRefused } from "../statements";

export async function listRefusals(ctx: Context<UserActor>): Promise<Output<typeof listSignUpRefusals>> {
  requireAdministrator(ctx.actor);
  const [rows, allowed] = await Promise.all([listRefused(ctx), settingNow(ctx, "allowed_domains")]);
  const refusals = rows.map(({ lastAt, ...row }) => ({
    ...row,
    last_at: isoMicros(lastAt),
    allowed: allowed.includes(row.domain),
  }));
  return { success: true, refusals, data: refusals, count: refusals.length };
}
