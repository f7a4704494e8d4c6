import type * as z from "zod";
import { maskEmail } from "@/server/core/mask";
import { fromNow, MINUTE } from "@/server/core/time";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { activeFactors, countRecoveryCodes } from "@/server/domains/access/two-factor/service/factors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";
import { INTERIM_MINUTES } from "../policy";
import {
  deleteInterim,
  type InterimPurpose,
  incrementInterimAttempts,
  insertInterim,
  selectInterim,
} from "../statements";

const INTERIM_LIFE = INTERIM_MINUTES * MINUTE;

/** A pending sign-in or identity check (docs/contract.md 4.2). */
export interface Interim {
  token: string;
  methods: FactorKind[];
  maskedEmail: string;
  hasRecoveryCodes: boolean;
}

/** Undefined for an account without a second factor. */
export async function openInterim(
  work: Pick<DbAccess, "sql">,
  user: { id: number; email: string },
  purpose: InterimPurpose,
): Promise<Interim | undefined> {
  const factors = await activeFactors(work, user.id);
  if (factors.length === 0) return undefined;
  const token = newToken("dsi");
  await insertInterim(work, {
    userId: user.id,
    purpose,
    tokenHash: digest(token),
    expiresAt: fromNow(INTERIM_LIFE),
  });
  return {
    token,
    methods: factors.map(({ kind }) => kind),
    maskedEmail: maskEmail(user.email),
    hasRecoveryCodes: (await countRecoveryCodes(work, user.id)) > 0,
  };
}

export type PendingInterim = z.output<typeof selectInterim.row>;

export async function findInterim(
  work: Pick<DbAccess, "sql">,
  token: string,
  purpose: InterimPurpose,
): Promise<PendingInterim | undefined> {
  if (!isToken(token, "dsi")) return undefined;
  const [interim] = await selectInterim(work, { tokenHash: digest(token), purpose });
  return interim;
}

/** Counts before the code is checked, so that concurrent calls cannot exceed the limit. */
export async function countInterimAttempt(
  work: Pick<DbAccess, "sql">,
  token: string,
): Promise<PendingInterim | undefined> {
  if (!isToken(token, "dsi")) return undefined;
  const [interim] = await incrementInterimAttempts(work, { tokenHash: digest(token) });
  return interim;
}

/** Undefined when another request used it first. Returns the identity to link, if any. */
export async function consumeInterim(
  work: Pick<DbAccess, "sql">,
  id: number,
): Promise<z.output<typeof deleteInterim.row> | undefined> {
  const [row] = await deleteInterim(work, { id });
  return row;
}
