import type { Context } from "@/server/core/context";
import { text } from "@/server/core/texts";
import type { Work } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import {
  CONSENT_VERSIONS,
  CONSENTS,
  type ConsentKey,
  type Consents,
  MANDATORY_CONSENTS,
  type MandatoryConsent,
} from "../contract";
import { appendEntries } from "./ledger";

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
  }: { userId: number; consents: Consents; source: "register" | "profile" | "provider" | "invitation" },
): Promise<void> {
  const keys = CONSENTS.filter((key) => consents[key] !== undefined && consents[key] !== null);
  const entries = keys.map((key) => ({
    user_id: userId,
    key,
    granted: consents[key] === true,
    text_version: CONSENT_VERSIONS[key],
    text_hash: digest(text(locale, `consents.${key}.text`)).toString("hex"),
    locale,
    ip,
    user_agent: userAgent?.slice(0, 500) ?? null,
    source,
  }));
  await appendEntries({ sql }, entries);
}

/** The newest row of each key. */
export interface Latest {
  key: ConsentKey;
  granted: boolean;
  text_version: string;
  locale: string;
  ip: string | null;
  source: string;
  created_at: Date;
}

/** What an account last said to each key it was asked about. */
export async function latestConsents(
  { sql }: Pick<Work, "sql">,
  userId: number,
): Promise<Map<ConsentKey, Latest>> {
  const rows = await sql<Latest>`
    select distinct on (key) key, granted, text_version, locale, ip, source, created_at
      from consent_records where user_id = ${userId} order by key, id desc`;
  return new Map(rows.map((row) => [row.key, row]));
}

/** Mandatory consents that were given to a text which reads differently now: the panel asks again. */
export function changedMandatory(latest: Map<ConsentKey, Latest>): MandatoryConsent[] {
  return MANDATORY_CONSENTS.filter((key) => {
    const given = latest.get(key);
    return given?.granted === true && given.text_version !== CONSENT_VERSIONS[key];
  });
}

/**
 * Mandatory consents that an account lacks. Only a sign-up through an identity provider can leave any out: every other
 * way to open an account asks for them first.
 */
export async function missingMandatory(
  { sql }: Pick<Work, "sql">,
  userId: number,
): Promise<MandatoryConsent[]> {
  return sql<{ key: MandatoryConsent }>`
    select key from users, unnest(${MANDATORY_CONSENTS as readonly string[]}::text[]) with ordinality as asked(key, place)
     where users.id = ${userId} and users.provider is not null
       and coalesce((select not granted from consent_records
                      where user_id = users.id and key = asked.key order by id desc limit 1), true)
     order by place`.then((rows) => rows.map(({ key }) => key));
}
