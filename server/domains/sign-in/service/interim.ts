import type { Context } from "@/server/core/context";
import { maskEmail } from "@/server/core/mask";
import { fromNow, MINUTE } from "@/server/core/time";
import type { FactorKind } from "@/server/domains/two-factor/contract";
import { activeFactors, countRecoveryCodes } from "@/server/domains/two-factor/service/factors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";

/** Life of a sign-in that waits for its second factor. */
const INTERIM_LIFE = 10 * MINUTE;

/** What a sign-in answers when a second factor is due (contract 4.2). */
export interface Interim {
  token: string;
  methods: FactorKind[];
  maskedEmail: string;
  hasRecoveryCodes: boolean;
}

/** Opens a waiting sign-in when the account has a second factor; undefined when it has none. */
export async function openInterim(
  { sql }: Pick<Context, "sql">,
  user: { id: number; email: string },
): Promise<Interim | undefined> {
  const factors = await activeFactors({ sql }, user.id);
  if (factors.length === 0) return undefined;
  const token = newToken("dsi");
  await sql`
    insert into interim_tokens (user_id, token_hash, expires_at)
    values (${user.id}, ${digest(token)}, ${fromNow(INTERIM_LIFE)})`;
  return {
    token,
    methods: factors.map(({ kind }) => kind),
    maskedEmail: maskEmail(user.email),
    hasRecoveryCodes: (await countRecoveryCodes({ sql }, user.id)) > 0,
  };
}

export interface OpenInterim {
  id: number;
  user_id: number;
  attempts: number;
  created_at: Date;
}

/** A waiting sign-in by its token. */
export async function findInterim(
  { sql }: Pick<Work, "sql">,
  token: string,
): Promise<OpenInterim | undefined> {
  if (!isToken(token, "dsi")) return undefined;
  const [interim] = await sql<OpenInterim>`
    select id, user_id, attempts, created_at from interim_tokens
     where token_hash = ${digest(token)} and expires_at > now()`;
  return interim;
}

/** Counts a try before the code is looked at, so that a burst cannot try more than allowed. */
export async function countTry({ sql }: Pick<Work, "sql">, token: string): Promise<OpenInterim | undefined> {
  if (!isToken(token, "dsi")) return undefined;
  const [interim] = await sql<OpenInterim>`
    update interim_tokens set attempts = attempts + 1
     where token_hash = ${digest(token)} and expires_at > now()
    returning id, user_id, attempts, created_at`;
  return interim;
}

/** Ends a waiting sign-in by its one success; false when another request was first. */
export async function spendInterim({ sql }: Pick<Work, "sql">, id: number): Promise<boolean> {
  return (await sql`delete from interim_tokens where id = ${id} returning id`).length === 1;
}
