import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { describeEnvironment as read } from "@/server/core/env";
import type { listEnvironment } from "../contract";

export async function listEnvironmentVariables(
  ctx: Context<UserActor>,
): Promise<Output<typeof listEnvironment>> {
  requireAdministrator(ctx.actor);
  const variables = read();
  return { success: true, variables, data: variables, count: variables.length };
}
