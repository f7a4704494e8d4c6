import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { foldText } from "@/server/core/fold";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { startDatabase, startTrackedServer, withClient } from "./environment";
import { buildRequest, sendRequest } from "./load";
import { measureDurations, median, percentile } from "./measure";
import { readResidentMegabytes } from "./processes";
import { moveSelfToLoadCore, type Server } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const ACCOUNT_COUNT = 100_000;
const AUDIT_ENTRY_COUNT = 1_000_000;
const ROUNDS = 40;
const LIST_TARGET_MS = 150;
const SEARCH_TARGET_MS = 30;
const MEMORY_TARGET_MB = 30;

const FIRST_NAMES =
  "Ayşe Işıl Mehmet Çağrı Ömer Zeynep Deniz Umut Elif Kerem Şule Gökhan İrem Yusuf Nilüfer Burak".split(" ");
const LAST_NAMES =
  "Kaya Yılmaz Demir Şahin Çelik Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt".split(
    " ",
  );
const TRADES = "Kırtasiye Mobilya Eczane Otel Kafe Bijuteri Optik Pastane Oto Yapı Tekstil Sigorta".split(
  " ",
);
const ACTIONS = [
  ..."sign_in.succeeded sign_in.failed token.issued token.revoked site.created site.updated site.deleted".split(
    " ",
  ),
  ..."role.changed team.member_moved profile.updated consent.given media.uploaded subscription.activated".split(
    " ",
  ),
];

const LIST_TITLES = {
  "/api/admin/users": "accounts, newest first",
  "/api/admin/users?page=2000": "accounts, the last page",
  "/api/admin/users?q=I%C5%9EIL+kaya": "accounts by two words",
  "/api/admin/users?q=person77123%40": "accounts by an address",
  "/api/admin/users?q=nobody+of+that+name": "accounts, no match",
  "/api/admin/users?verified=false&two_factor=false&sort=email": "accounts by filters, sorted by address",
  "/api/admin/users?role=admin": "accounts of a rare role",
  "/api/admin/audit": "audit log, newest first",
  "/api/admin/audit?page=200": "audit log, the last page",
  "/api/admin/audit?q=role.": "audit log by an action",
  "/api/admin/audit?q=person77123%40example.com": "audit log by an account",
  "/api/admin/audit?ip=10.1.2.3": "audit log by a network address",
  "/api/admin/audit?from=2026-01-01&to=2026-01-02": "audit log of two days",
  "/api/admin/mails": "mails",
  "/api/admin/subscriptions": "subscriptions",
  "/api/admin/overview": "overview",
} as const;

const SEARCH_TITLES = {
  "person77123@": "palette, an address",
  "işıl kaya": "palette, two words of many accounts",
  "site mobilya": "palette, words of many sites",
  "site 77123": "palette, a common and a rare word",
  "nobody of that name": "palette, no match",
  ka: "palette, two letters",
} as const;

/** Measures lists, palette searches and CSV downloads of administrators with 100,000 accounts, over HTTP. */
export default async function measureAdministration(): Promise<string[][]> {
  const postgres = await startDatabase();
  await migrateDatabase(postgres.url);
  const token = createToken("dsu");
  await withClient(getSuperuserUrl(postgres), (client) => insertData(client, token));
  moveSelfToLoadCore();
  const env = { WORKER: "off", RATE_LIMITS: "relaxed" };
  return measureServer(await startTrackedServer("HTTP server", postgres.url, { env }), token);
}

async function measureServer(server: Server, token: string): Promise<string[][]> {
  const rows = [["call", "p50 ms", "p95 ms", "measured", "target", "holds"]];
  const addRow = async (name: string, path: string, target: number) => {
    const durations = await measureDurations(
      async () => {
        const { status, body } = await sendRequest(server.port, buildRequest("GET", path, { token }));
        if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      },
      { rounds: ROUNDS, warmUp: 10 },
    );
    const p95 = percentile(durations, 0.95);
    rows.push([
      name,
      formatNumber(median(durations)),
      formatNumber(p95),
      "",
      `${target} ms`,
      yesOrNo(p95 <= target),
    ]);
  };
  for (const [path, name] of Object.entries(LIST_TITLES)) await addRow(name, path, LIST_TARGET_MS);
  for (const [words, name] of Object.entries(SEARCH_TITLES))
    await addRow(name, `/api/search?q=${encodeURIComponent(words)}`, SEARCH_TARGET_MS);
  for (const path of ["/api/admin/users.csv", "/api/admin/audit.csv"]) {
    const { bytes, seconds, growth: growthMegabytes } = await measureDownload(server, path, token);
    const cell = `${formatNumber(growthMegabytes)} MB above, ${formatNumber(bytes / 1e6)} MB in ${formatNumber(seconds)} s`;
    rows.push([path, "", "", cell, `${MEMORY_TARGET_MB} MB`, yesOrNo(growthMegabytes <= MEMORY_TARGET_MB)]);
  }
  return rows;
}

async function measureDownload({ port, pid }: Server, path: string, token: string) {
  const downloadOnce = () =>
    new Promise<number>((resolve, reject) => {
      let bytes = 0;
      const headers = { authorization: `Bearer ${token}` };
      get({ port, path, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on("end", () => resolve(bytes)).on("error", reject);
      }).on("error", reject);
    });
  await downloadOnce();
  await sleep(3000);
  const memoryBefore = readResidentMegabytes(pid) ?? 0;
  let peakMemory = memoryBefore;
  const timer = setInterval(() => {
    peakMemory = Math.max(peakMemory, readResidentMegabytes(pid) ?? 0);
  }, 50);
  const startedAt = performance.now();
  const bytes = await downloadOnce();
  clearInterval(timer);
  return { bytes, seconds: (performance.now() - startedAt) / 1000, growth: peakMemory - memoryBefore };
}

function getSuperuserUrl({ url, adminUrl }: { url: string; adminUrl: string }): string {
  const superuserUrl = new URL(adminUrl);
  superuserUrl.pathname = new URL(url).pathname;
  return superuserUrl.href;
}

/** Inserts accounts with a site each. 1 is the administrator; every hundredth resells to the next 99. */
async function insertData(client: pg.Client, token: string): Promise<void> {
  // Skips foreign key checks and triggers; the references are valid by construction.
  await client.query("set session_replication_role = replica");
  // 272 names: the statements below contain this number.
  const [names, foldedNames] = [buildFullNames((word) => word), buildFullNames(foldText)];
  await client.query(
    `insert into users (name, email, email_key, phone, role, email_verified_at, reseller_id, search_text, created_at)
     select ($1::text[])[1 + i % 272] || ' ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
            '+90532' || lpad(i::text, 7, '0'),
            (case when i = 1 then 'admin' when i % 100 = 0 then 'reseller' else 'user' end)::"Role",
            case when i % 7 = 3 then null else now() end,
            case when i % 100 = 0 or i < 100 then null else i / 100 * 100 end,
            ($2::text[])[1 + i % 272] || ' ' || i || ' person' || i || '@example.com +90532' || lpad(i::text, 7, '0'),
            now() - (${ACCOUNT_COUNT} - i) * interval '5 minutes'
       from generate_series(1, ${ACCOUNT_COUNT}) i`,
    [names, foldedNames],
  );
  await client.query(
    `insert into access_tokens (user_id, kind, name, token_hash, last_four, last_used_at, expires_at)
     values (1, 'sign_in', 'sign-in', $1, 'abcd', now() + interval '1 hour', now() + interval '30 days')`,
    [hashSecret(token)],
  );
  await client.query(
    `insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, search_text, updated_at)
     select i, 'Site ' || ($1::text[])[1 + i % 12] || ' ' || i, 'site' || i || '.example.com', sha256(i::text::bytea), '',
            'abcd', 'site ' || ($2::text[])[1 + i % 12] || ' ' || i || ' site' || i || '.example.com', now()
       from generate_series(1, ${ACCOUNT_COUNT}) i`,
    [TRADES, TRADES.map(foldText)],
  );
  await client.query(
    `insert into audit_events (at, actor_kind, actor_id, action, object_type, object_id, ip, user_agent, request_id, details)
     select now() - (${AUDIT_ENTRY_COUNT} - i) * interval '40 seconds', 'user', 1 + (i * 7919) % ${ACCOUNT_COUNT},
            ($1::text[])[1 + i % ${ACTIONS.length}], 'User', (1 + (i * 104729) % ${ACCOUNT_COUNT})::text,
            '10.' || i % 5 || '.' || i / 5 % 250 || '.' || i / 1250 % 250, 'Mozilla/5.0 (X11; Linux x86_64)', 'request' || i,
            jsonb_build_object('reason', 'Ticket ' || i)
       from generate_series(1::bigint, ${AUDIT_ENTRY_COUNT}) i`,
    [ACTIONS],
  );
  await client.query("vacuum (analyze)");
}

function buildFullNames(transform: (word: string) => string): string[] {
  return LAST_NAMES.flatMap((last) => FIRST_NAMES.map((first) => transform(`${first} ${last}`)));
}
