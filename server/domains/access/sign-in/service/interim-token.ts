import type * as z from "zod";
import { maskEmail } from "@/server/core/mask";
import { fromNow, MINUTE } from "@/server/core/time";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { countRecoveryCodes, listActiveFactors } from "@/server/domains/access/two-factor/service/factors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { INTERIM_TOKEN_MINUTES } from "../policy";
import {
  deleteInterimToken,
  type InterimPurpose,
  incrementInterimAttempts,
  insertInterimToken,
  selectInterimToken,
} from "../statements";

const INTERIM_LIFETIME_MS = INTERIM_TOKEN_MINUTES * MINUTE;

export interface InterimChallenge {
  token: string;
  methods: FactorKind[];
  maskedEmail: string;
  hasRecoveryCodes: boolean;
}

/** Returns undefined for an account without second factors. */
export async function createInterimToken(
  access: Pick<DbAccess, "sql">,
  user: { id: number; email: string },
  purpose: InterimPurpose,
): Promise<InterimChallenge | undefined> {
  const factors = await listActiveFactors(access, user.id);
  if (factors.length === 0) return undefined;
  const token = createToken("dsi");
  await insertInterimToken(access, {
    userId: user.id,
    purpose,
    tokenHash: hashSecret(token),
    expiresAt: fromNow(INTERIM_LIFETIME_MS),
  });
  return {
    token,
    methods: factors.map(({ kind }) => kind),
    maskedEmail: maskEmail(user.email),
    hasRecoveryCodes: (await countRecoveryCodes(access, user.id)) > 0,
  };
}

export type PendingInterimToken = z.output<typeof selectInterimToken.row>;

export async function findInterimToken(
  access: Pick<DbAccess, "sql">,
  token: string,
  purpose: InterimPurpose,
): Promise<PendingInterimToken | undefined> {
  if (!isWellFormedToken(token, "dsi")) return undefined;
  const [interimToken] = await selectInterimToken(access, { tokenHash: hashSecret(token), purpose });
  return interimToken;
}

/** Counts before the code is checked, so that concurrent calls cannot exceed the limit. */
export async function countInterimTokenAttempt(
  access: Pick<DbAccess, "sql">,
  token: string,
): Promise<PendingInterimToken | undefined> {
  if (!isWellFormedToken(token, "dsi")) return undefined;
  const [interimToken] = await incrementInterimAttempts(access, { tokenHash: hashSecret(token) });
  return interimToken;
}

/** Returns the identity to link, if any. Undefined when another request consumed the token first. */
export async function consumeInterimToken(
  access: Pick<DbAccess, "sql">,
  id: number,
): Promise<z.output<typeof deleteInterimToken.row> | undefined> {
  const [deletedToken] = await deleteInterimToken(access, { id });
  return deletedToken;
}
