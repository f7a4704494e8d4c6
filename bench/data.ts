import { hash } from "@node-rs/argon2";
import { PrismaPg } from "@prisma/adapter-pg";
import { Secret } from "otpauth";
import type { Client } from "pg";
import { TOTP_SEAL_PURPOSE } from "@/server/domains/access/two-factor/service/consume-code";
import { buildUserSearchText } from "@/server/domains/accounts/users/service/search";
import { ensureDefaultPlans } from "@/server/domains/billing/subscriptions/service/plans";
import { PrismaClient } from "@/server/infrastructure/database/generated/client";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { ARGON2_OPTIONS } from "@/server/infrastructure/secrets/password";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { withClient } from "./environment";

export const ACCOUNT_COUNT = 10_000;
/** Number of accounts with exactly 20 sites each; the other accounts share the remaining sites. */
export const LISTING_ACCOUNT_COUNT = 500;
const LISTED_SITE_COUNT = 20 * LISTING_ACCOUNT_COUNT;
export const BENCH_PASSWORD = "bench-password";

export const getEmail = (account: number) => `person${account}@example.com`;

/** Returns an account's search text: a job would fill an empty one during the measurement. */
const buildAccountSearchText = (account: number) =>
  buildUserSearchText({ name: `Ayşe Kaya ${account}`, email: getEmail(account), phone: "+905321234567" });

/** Migrates the database and inserts accounts. The drill calls it in former releases: keep its name. */
export async function fillAccounts(url: string): Promise<string[]> {
  await migrateDatabase(url);
  const tokens = Array.from({ length: 2 * ACCOUNT_COUNT }, () => createToken("dsu"));
  const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  await ensureDefaultPlans({ db });
  await db.$disconnect();
  await withClient(url, async (client) => {
    await client.query(
      `insert into users (name, email, email_key, phone, password_hash, email_verified_at, search_text)
       select 'Ayşe Kaya ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com', '+905321234567', $1, now(),
              search_text
         from unnest($2::text[]) with ordinality as given(search_text, i)`,
      [
        await hash(BENCH_PASSWORD, ARGON2_OPTIONS),
        Array.from({ length: ACCOUNT_COUNT }, (_, index) => buildAccountSearchText(index + 1)),
      ],
    );
    await client.query(
      `insert into subscriptions (user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
       select u.id, p.id, p.name, p.price * 100, p.monthly_credits, 'active', 1000, now(), now() + interval '1 year'
         from users u, (select * from subscription_plans order by id limit 1) p`,
    );
    // `last_used_at` is in the future: recording a use, once a minute per token, must not be measured.
    await client.query(
      `insert into access_tokens (user_id, kind, name, token_hash, last_four, last_used_at, expires_at)
       select (i - 1) % ${ACCOUNT_COUNT} + 1, 'sign_in', 'sign-in', hash, 'abcd', now() + interval '1 hour', now() + interval '30 days'
         from unnest($1::bytea[]) with ordinality as given(hash, i)`,
      [tokens.map(hashSecret)],
    );
  });
  return tokens.slice(0, ACCOUNT_COUNT);
}

/** Gives every account the same TOTP seed and one pending sign-in. Returns their interim tokens in order. */
export async function fillSecondFactors(url: string): Promise<{ seed: string; interimTokens: string[] }> {
  const seed = new Secret({ size: 20 }).base32;
  const interimTokens = Array.from({ length: ACCOUNT_COUNT }, () => createToken("dsi"));
  await withClient(url, async (client) => {
    await client.query(
      `insert into factors (user_id, kind, secret_sealed, confirmed_at) select id, 'totp', $1, now() from users`,
      [Buffer.from(seal(seed, TOTP_SEAL_PURPOSE))],
    );
    await client.query(
      `insert into interim_tokens (user_id, token_hash, expires_at)
       select i, hash, now() + interval '1 hour' from unnest($1::bytea[]) with ordinality as given(hash, i)`,
      [interimTokens.map(hashSecret)],
    );
  });
  return { seed, interimTokens };
}

/** Copies a filled database and adds sites. `adminUrl` is the superuser's. Returns the URL of the copy. */
export async function copyWithSites(
  { url, adminUrl }: { url: string; adminUrl: string },
  siteCount: number,
): Promise<string> {
  const name = `bench_${siteCount}`;
  await withClient(adminUrl, async (client) => {
    await client.query(`create database ${name} template tellal owner tellal`);
  });
  await withClient(replaceDatabase(adminUrl, name), (client) => fillSites(client, siteCount));
  return replaceDatabase(url, name);
}

async function fillSites(client: Client, siteCount: number): Promise<void> {
  const step = siteCount / LISTED_SITE_COUNT;
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into sites (user_id, subscription_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four,
                        welcome_message, bot_name, search_text)
     select owner, owner, 'Site ' || i, 'site' || i || '.example.com', sha256(i::text::bytea), sha256(i::text::bytea), 'abcd',
            'Merhaba! Size nasıl yardımcı olabiliriz?', 'Asistan', 'site ' || i || ' site' || i || '.example.com'
       from (select i, case when i % ${step} = 0 then 1 + i / ${step} % ${LISTING_ACCOUNT_COUNT}
                            else ${LISTING_ACCOUNT_COUNT + 1} + i % ${ACCOUNT_COUNT - LISTING_ACCOUNT_COUNT} end as owner
               from generate_series(1, ${siteCount}) i) as numbered`,
  );
  await client.query("vacuum (analyze)");
}

function replaceDatabase(url: string, database: string): string {
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${database}`;
  return databaseUrl.href;
}
