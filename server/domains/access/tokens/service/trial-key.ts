import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { tryUserToken } from "../contract";
import { describeKey, KEY } from "./keys";

const NAME = "docs";
const LIVE_MAX = 5;

/** Throws `forbidden` without a session, `identity_unproven` for `all` without a recent proof. */
export async function createTrialKey(
  ctx: Context<UserActor>,
  { body }: Input<typeof tryUserToken>,
): Promise<Output<typeof tryUserToken>> {
  const { id: userId, token: session } = ctx.actor;
  if (body.scope === "all") await requireProof(ctx);
  if (session.kind !== "session") throw refuse("forbidden");
  const token = newToken("dsu");
  return withOwnAccount(ctx, async (tx) => {
    const earlier = await tx.db.accessToken.findMany({
      where: { madeInId: session.id },
      orderBy: { id: "desc" },
      skip: LIVE_MAX - 1,
      select: { id: true },
    });
    await tx.db.accessToken.deleteMany({ where: { id: { in: earlier.map(({ id }) => id) } } });
    const row = await tx.db.accessToken.create({
      data: {
        ...{ userId, madeInId: session.id, kind: "api_key", name: NAME, ip: ctx.ip },
        tokenHash: digest(token),
        lastFour: token.slice(-4),
        abilities: body.scope === "all" ? ["*"] : ["read", "reseller:read"],
        expiresAt: fromNow(HOUR),
      },
      select: KEY,
    });
    await audit(tx, {
      action: "api_key.created",
      object: { type: "AccessToken", id: row.id },
      details: { name: NAME },
    });
    return { success: true as const, token, access_token: describeKey(row) };
  });
}
