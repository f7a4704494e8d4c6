import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { AppError, invalid } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/audit/service";
import type { Sql } from "@/server/infrastructure/database/sql";
import { withStatements } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import {
  CONSENT_VERSION,
  CONSENTS,
  type Consents,
  type getConsents,
  type giveConsents,
  MANDATORY_CONSENTS,
  type MandatoryConsent,
} from "./contract";

/**
 * Writes what a person agreed to, one row for each key given: with the version and the hash of the text
 * in the language it was shown in, the address and the browser. Rows are never changed.
 */
export async function recordConsents(
  { sql, locale, ip, userAgent }: Pick<Context, "sql" | "locale" | "ip" | "userAgent">,
  {
    userId,
    consents,
    source,
  }: { userId: number; consents: Consents; source: "register" | "profile" | "provider" },
): Promise<void> {
  const keys = CONSENTS.filter((key) => consents[key] !== undefined && consents[key] !== null);
  const hashes = keys.map((key) => digest(text(locale, `consents.${key}.text`)).toString("hex"));
  await sql`
    insert into consent_records (user_id, key, granted, text_version, text_hash, locale, ip, user_agent, source)
    select ${userId}, given.key, given.granted, ${CONSENT_VERSION}, given.hash, ${locale}, ${ip}, ${userAgent?.slice(0, 500) ?? null}, ${source}
      from unnest(${keys as string[]}::text[], ${keys.map((key) => consents[key] === true)}::bool[], ${hashes}::text[])
        as given(key, granted, hash)`;
}

/**
 * Mandatory consents that an account lacks. Only a sign-up through an identity provider can leave any out: every other
 * way to open an account asks for them first.
 */
export async function missingMandatory(sql: Sql, userId: number): Promise<MandatoryConsent[]> {
  return sql<{ key: MandatoryConsent }>`
    select key from users, unnest(${MANDATORY_CONSENTS as readonly string[]}::text[]) with ordinality as asked(key, place)
     where users.id = ${userId} and users.provider is not null
       and coalesce((select not granted from consent_records
                      where user_id = users.id and key = asked.key order by id desc limit 1), true)
     order by place`.then((rows) => rows.map(({ key }) => key));
}

export async function state({ sql, actor }: Context<UserActor>): Promise<Answer<typeof getConsents>> {
  return { success: true, missing_consents: await missingMandatory(sql, actor.id) };
}

/** Records what the caller agrees to now, one key at least. Throws `consents_missing` for a mandatory one that is refused. */
export async function give(
  ctx: Context<UserActor>,
  { body: { consents } }: Input<typeof giveConsents>,
): Promise<Answer<typeof giveConsents>> {
  const refused = MANDATORY_CONSENTS.filter((key) => consents[key] === false);
  if (Object.values(consents).every((given) => given == null)) throw invalid("consents", "required");
  if (refused.length > 0) throw new AppError("consents_missing", { missing_consents: refused });
  return withStatements(ctx, async (tx) => {
    const userId = ctx.actor.id;
    await recordConsents(tx, { userId, consents, source: "profile" });
    await audit(tx, { action: "consents.given", object: { type: "User", id: userId } });
    return {
      success: true as const,
      message: text(ctx.locale, "answers.consents_saved"),
      missing_consents: await missingMandatory(tx.sql, userId),
    };
  });
}
