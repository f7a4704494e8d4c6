import { randomBytes } from "node:crypto";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { normaliseSpokenCode } from "@/server/core/normalise";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { hashCodeUnderAllKeys } from "@/server/infrastructure/secrets/tokens";
import { RECOVERY_CODE_COUNT, type renewRecoveryCodes } from "../contract";
import { markRecoveryCodeUsed } from "../statements";
import { listActiveFactors } from "./factors";

/** Without I, L, O and U, which are easily confused. */
const CODE_ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ0123456789";

/** 80 random bits, in four groups to read aloud. */
function createRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => CODE_ALPHABET[byte % 32]);
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join("")).join("-");
}

/** One digest per secret, newest first: codes stay valid when secrets are rotated. */
function digestRecoveryCode(code: string, userId: number): Array<Buffer<ArrayBuffer>> {
  return hashCodeUnderAllKeys(normaliseSpokenCode(code), `recovery:${userId}`);
}

export async function renewRecoveryCodeSet({ db }: Pick<DbAccess, "db">, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, createRecoveryCode);
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: digestRecoveryCode(code, userId)[0]! })),
  });
  return codes;
}

export async function consumeRecoveryCode(
  access: Pick<DbAccess, "sql">,
  userId: number,
  code: string,
): Promise<boolean> {
  const rows = await markRecoveryCodeUsed(access, { userId, codeHashes: digestRecoveryCode(code, userId) });
  return rows.length === 1;
}

export async function renewOwnRecoveryCodes(
  ctx: Context<UserActor>,
): Promise<Output<typeof renewRecoveryCodes>> {
  await requireProof(ctx);
  return withLockedOwnAccount(ctx, async (tx) => {
    if ((await listActiveFactors(tx, ctx.actor.id)).length === 0) throw createError("two_factor_off");
    const codes = await renewRecoveryCodeSet(tx, ctx.actor.id);
    await audit(tx, { action: "recovery_codes.renewed", object: { type: "User", id: ctx.actor.id } });
    return { success: true as const, recovery_codes: codes };
  });
}
