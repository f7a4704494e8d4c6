import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { tryUserToken } from "../contract";
import { KEY_SELECT, toKeyDto } from "./keys";

const TRIAL_KEY_NAME = "docs";
const MAX_TRIAL_KEYS = 5;

export async function createTrialKey(
  ctx: Context<UserActor>,
  { body }: Input<typeof tryUserToken>,
): Promise<Output<typeof tryUserToken>> {
  const { id: userId, token: session } = ctx.actor;
  if (body.scope === "all") await requireProof(ctx);
  if (session.kind !== "session") throw createError("forbidden");
  const token = createToken("dsu");
  return withLockedOwnAccount(ctx, async (tx) => {
    const surplusKeys = await tx.db.accessToken.findMany({
      where: { madeInId: session.id },
      orderBy: { id: "desc" },
      skip: MAX_TRIAL_KEYS - 1,
      select: { id: true },
    });
    await tx.db.accessToken.deleteMany({ where: { id: { in: surplusKeys.map(({ id }) => id) } } });
    const row = await tx.db.accessToken.create({
      data: {
        ...{ userId, madeInId: session.id, kind: "api_key", name: TRIAL_KEY_NAME, ip: ctx.ip },
        tokenHash: hashSecret(token),
        lastFour: token.slice(-4),
        abilities: body.scope === "all" ? ["*"] : ["read", "reseller:read"],
        expiresAt: fromNow(HOUR),
      },
      select: KEY_SELECT,
    });
    await audit(tx, {
      action: "api_key.created",
      object: { type: "AccessToken", id: row.id },
      details: { name: TRIAL_KEY_NAME },
    });
    return { success: true as const, token, access_token: toKeyDto(row) };
  });
}
