import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { readSetting } from "@/server/infrastructure/settings";
import type { listSignUpRefusals } from "../contract";
import { listRefusalRows } from "../statements";

export async function listRefusals(ctx: Context<UserActor>): Promise<Output<typeof listSignUpRefusals>> {
  requireAdministrator(ctx.actor);
  const [rows, allowedDomains] = await Promise.all([
    listRefusalRows(ctx),
    readSetting(ctx, "allowed_domains"),
  ]);
  const refusals = rows.map(({ lastAt, ...row }) => ({
    ...row,
    last_at: toIsoMicros(lastAt),
    allowed: allowedDomains.includes(row.domain),
  }));
  return { success: true, refusals, data: refusals, count: refusals.length };
}
