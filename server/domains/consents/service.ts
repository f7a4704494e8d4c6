import type { Context } from "@/server/core/context";
import { text } from "@/server/core/texts";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { CONSENT_VERSION, CONSENTS, type Consents } from "./contract";

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
