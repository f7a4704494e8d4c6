import type pg from "pg";
import "@/server/domains";
import { getRegisteredDomains } from "@/server/core/domain";
import { NEXT_PERIODS, PAST_PERIODS } from "@/server/core/series";
import { ensureDefaultPlans } from "@/server/domains/billing/subscriptions/service/plans";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { startDatabase, startTrackedServer, withClient } from "./environment";
import { buildRequest, sendRequest } from "./load";
import { measureDurations, median, percentile } from "./measure";
import { moveSelfToLoadCore, unpinServer } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const ROUNDS = 30;
const TARGET_MS = 50;
const PAGE_TARGET_MS = 150;
/** Views until the pages process has compiled its code. */
const PAGE_WARM_UP = 60;

/** Accounts of the measurement: an administrator, a reseller and a customer of the reseller with most of the rows. */
const ADMINISTRATOR = 1;
const RESELLER = 2;
const CUSTOMER = 3;

/** Pages with charts, over their longest period. */
const PAGES = [
  ...["/dashboard", "/developers/webhooks?period=90d", "/developers/keys?period=90d"].map((path) => ({
    path,
    account: CUSTOMER,
  })),
  ...[
    "/connections?period=90d",
    "/settings/security/activity?period=12m",
    "/billing?tab=credits&period=12m",
  ].map((path) => ({ path, account: CUSTOMER })),
  ...[
    "/dashboard",
    "/reseller/customers?period=12m",
    "/reseller/licences?period=next_12m",
    "/reseller/referral?period=12m",
  ].map((path) => ({ path, account: RESELLER })),
  ...[
    "/dashboard",
    "/admin/sign-ups?period=12m",
    "/admin/users?period=12m",
    "/admin/payments?period=12m",
  ].map((path) => ({ path, account: ADMINISTRATOR })),
  ...[
    "/admin/accounting?period=12m",
    "/admin/mails?period=12m",
    "/admin/jobs?tab=history&period=90d",
    "/admin/health?period=90d",
  ].map((path) => ({ path, account: ADMINISTRATOR })),
];

/** Measures every series over its longest period with a comparison, over HTTP, in a large and busy installation. */
export default async function measureSeries(): Promise<string[][]> {
  const postgres = await startDatabase();
  await migrateDatabase(postgres.url);
  openDatabase(postgres.url);
  await ensureDefaultPlans(withoutTransaction());
  await closeDatabase();
  const accounts = [ADMINISTRATOR, RESELLER, CUSTOMER];
  const tokens = Object.fromEntries(accounts.map((account) => [account, createToken("dsu")]));
  const sessions = Object.fromEntries(accounts.map((account) => [account, createToken("dss")]));
  const superuserUrl = new URL(postgres.adminUrl);
  superuserUrl.pathname = new URL(postgres.url).pathname;
  await withClient(superuserUrl.href, (client) => insertData(client, tokens, sessions));
  moveSelfToLoadCore();
  const env = { WORKER: "off", RATE_LIMITS: "relaxed" };
  const server = await startTrackedServer("HTTP server", postgres.url, { env });
  const { port } = server;
  const rows = [["series", "period", "p50 ms", "p95 ms", "kB", "target", "holds"]];
  for (const { path, account, periods } of listSeries())
    for (const period of periods) {
      const search = `${path}?period=${period}&compare=previous`;
      let bytes = 0;
      const durations = await measureDurations(
        async () => {
          const { status, body } = await sendRequest(
            port,
            buildRequest("GET", search, { token: tokens[account]! }),
          );
          if (status !== 200) throw new Error(`${search}: ${status} ${body}`);
          bytes = body.length;
        },
        { rounds: ROUNDS, warmUp: 5 },
      );
      const p95 = percentile(durations, 0.95);
      rows.push([
        path,
        period,
        formatNumber(median(durations)),
        formatNumber(p95),
        formatNumber(bytes / 1000),
        `${TARGET_MS} ms`,
        yesOrNo(p95 <= TARGET_MS),
      ]);
    }
  unpinServer(server);
  for (const { path, account } of PAGES) {
    const url = `http://127.0.0.1:${port}`;
    const session = sessions[account]!;
    let bytes = 0;
    const durations = await measureDurations(
      async () => {
        const response = await fetch(url + path, {
          headers: { cookie: `locale=tr; session=${session}` },
          redirect: "manual",
        });
        if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
        bytes = (await response.arrayBuffer()).byteLength;
      },
      { rounds: ROUNDS, warmUp: PAGE_WARM_UP },
    );
    const p95 = percentile(durations, 0.95);
    rows.push([
      path,
      "page",
      formatNumber(median(durations)),
      formatNumber(p95),
      formatNumber(bytes / 1000),
      `${PAGE_TARGET_MS} ms`,
      yesOrNo(p95 <= PAGE_TARGET_MS),
    ]);
  }
  return rows;
}

/** Every operation with the parameter `compare`: the default period and the longest one. */
function listSeries() {
  return getRegisteredDomains()
    .flatMap(({ operations = {} }) => Object.values(operations))
    .flatMap(({ operation: { path, query } }) => {
      if (!query || !("compare" in query.shape)) return [];
      const names: string[] = [...PAST_PERIODS, ...NEXT_PERIODS];
      const accepted = names.filter((period) => query.safeParse({ period }).success);
      const account = path.startsWith("/api/admin/")
        ? ADMINISTRATOR
        : /^\/api\/(reseller|billing)\//.test(path)
          ? RESELLER
          : CUSTOMER;
      return [
        { path: path.replace("{id}", String(CUSTOMER)), account, periods: [accepted[0]!, accepted.at(-1)!] },
      ];
    });
}

/** 1,000,000 events, 100,000 deliveries, 100,000 payments, and as many rows as the roll-ups keep. */
async function insertData(
  client: pg.Client,
  tokens: Record<string, string>,
  sessions: Record<string, string>,
): Promise<void> {
  // Skips foreign key checks and triggers; the references are valid by construction.
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into users (name, email, email_key, role, email_verified_at, reseller_id, search_text, credits, created_at)
     select 'Ayşe Kaya ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
            (case i when ${ADMINISTRATOR} then 'admin' when ${RESELLER} then 'reseller' else 'user' end)::"Role", now(),
            case when i > ${RESELLER} and i % 1000 = 3 then ${RESELLER} end, 'ayse kaya ' || i, 1000000,
            now() - (100000 - i) * interval '5 minutes'
       from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into resellers (user_id, agreement_version, agreement_signed_at) values (${RESELLER}, 'paper', now())`,
  );
  for (const [kind, secrets] of [
    ["sign_in", tokens],
    ["session", sessions],
  ] as const)
    for (const [userId, token] of Object.entries(secrets))
      await client.query(
        `insert into access_tokens (user_id, kind, name, token_hash, last_four, last_used_at, expires_at)
         values ($1, $2::"TokenKind", 'bench', $3, 'abcd', now() + interval '1 hour', now() + interval '30 days')`,
        [Number(userId), kind, hashSecret(token)],
      );
  await client.query(
    `insert into access_tokens (user_id, kind, name, token_hash, last_four, last_used_at, expires_at)
     select case when i <= 5 then ${CUSTOMER} else i end, 'api_key', 'key ' || i, sha256(('key' || i)::bytea), 'abcd',
            now() - i * interval '3 seconds', now() + interval '30 days' from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, search_text, updated_at)
     select i, 'Site ' || i, 'site' || i || '.example.com', sha256(i::text::bytea), '', 'abcd', 'site ' || i, now()
       from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into site_changes (user_id, at, created, active, suspended)
     select case when i % 10 = 0 then ${CUSTOMER} else 1 + i % 100000 end, now() - i * interval '300 seconds', (i % 2),
            case when i % 2 = 0 then -1 else 1 end, (i % 2 = 0)::int from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into audit_events (at, actor_kind, actor_id, action, object_type, object_id, ip, request_id)
     select now() - i * interval '30 seconds', 'user', case when i % 10 = 0 then ${CUSTOMER} else 1 + (i * 7919) % 100000 end,
            (array['sign_in.succeeded', 'sign_in.failed', 'site.created', 'role.changed', 'profile.changed'])[1 + i / 10 % 5],
            'User', (1 + (i * 104729) % 100000)::text, '10.1.2.3', 'request' || i
       from generate_series(1::bigint, 1000000) i`,
  );
  await client.query(
    `insert into webhook_endpoints (id, user_id, url, url_hash, events, secret_sealed, secret_last_four)
     select i, ${CUSTOMER}, 'https://example.com/' || i, sha256(i::text::bytea), '{}', '', 'abcd' from generate_series(1, 2) i`,
  );
  await client.query(
    `with event as (insert into webhook_events (id, type, body, audience, created_at, fanned_at)
        select 'msg_' || i, 'site.created', '{}', '{${CUSTOMER}}', now() - i * interval '60 seconds', now()
          from generate_series(1, 100000) i returning id, created_at)
     insert into webhook_deliveries (endpoint_id, event_id, state, attempts, created_at, delivered_at)
     select 1 + length(id) % 2, id, case when is_failed then 'failed' else 'delivered' end, 1 + (random() * 2)::int, created_at,
            case when not is_failed then created_at end
       from (select *, random() < 0.1 as is_failed from event) e`,
  );
  await client.query(
    `insert into subscriptions (id, user_id, plan_id, plan_name, price_minor, monthly_credits, status, site_slots, starts_at, ends_at)
     select i, i, p.id, p.name, p.price * 100, p.monthly_credits, 'active', 3, now(), now() + i * interval '5 minutes'
       from generate_series(1, 100000) i join lateral (
            select * from subscription_plans order by id offset i % 3 limit 1) p on true`,
  );
  await client.query(
    `insert into payments (id, user_id, amount_minor, paid_at, subscription_id, plan_name, bill_to_sealed, created_at)
     select i, i, 10000 + i, (now() - i * interval '5 minutes')::date, i,
            (array['Starter', 'Pro', 'Premium'])[1 + i % 3], '', now() - i * interval '5 minutes' from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into accounting_documents (payment_id, state, step, gross_minor, net_minor, vat_minor, vat_rate, deadline_at, created_at,
            contact_remote_id, invoice_remote_id, issue_date, kind, document_remote_id, document_number, pdf_key, done_at)
     select i, (case when i % 50 = 0 then 'failed' when i < 1000 then 'queued' else 'done' end)::"DocumentState",
            (case when i % 50 = 0 then 'contact' end)::"DocumentState", 12000, 10000, 2000, 20,
            now() - i * interval '5 minutes' + interval '7 days', now() - i * interval '5 minutes',
            'c', 'i', now()::date, 'e_archive', 'd', 'n', 'p', now() from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into referral_earnings (reseller_id, payment_id, amount_minor, rate_percent, state, created_at)
     select case when i % 200 = 0 then ${RESELLER} else i end, i, 1000, 10, (case when i % 30 = 0 then 'void' else 'earned' end)::"EarningState",
            now() - i * interval '5 minutes' from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into site_licences (site_id, user_id, status, price_try, period_start, period_end, pay_by, created_at)
     select i, case when i % 10 = 0 then ${RESELLER} else i end, 'active', 1200, now(), now() + i * interval '5 minutes',
            now() + i * interval '5 minutes', now()
       from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into credit_entries (user_id, amount, balance, reason, created_at)
     select ${CUSTOMER}, case when i % 100 = 0 then 1000 else -5 end, 100000, (case when i % 100 = 0 then 'admin_adjust' else 'usage' end)::"CreditReason",
            now() - i * interval '300 seconds' from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into usage_months (user_id, month, messages_sent, ai_calls, voice_minutes)
     select ${CUSTOMER}, (date_trunc('month', now()) - i * interval '1 month')::date, 100, 50, 10 from generate_series(0, 30) i`,
  );
  await client.query(
    `insert into mail_messages (to_address, template, locale, state, sealed, created_at)
     select 'person' || i || '@example.com', 'verify_email', 'tr', (case when i % 40 = 0 then 'failed' else 'sent' end)::"MailState", '',
            now() - i * interval '25 seconds' from generate_series(1, 100000) i`,
  );
  await client.query(
    `insert into sign_up_refusals (at, domain, reason, ip_bucket)
     select now() - i * interval '50 seconds', 'example.com', 'disposable', '' from generate_series(1, 50000) i`,
  );
  await client.query(
    `insert into key_call_stats (token_id, at, calls, errors)
     select t.id, date_bin('15 minutes', now(), '2020-01-01') - i * interval '15 minutes', 40, i % 3
       from (select id from access_tokens where user_id = ${CUSTOMER} and kind = 'api_key') t, generate_series(0, 8639) i
      order by i desc`,
  );
  await client.query(
    `insert into connections (id, user_id, channel, connection_type, label, remote_key, updated_at)
     select i, ${CUSTOMER}, 'telegram', 'bot', 'bot ' || i, 'bot' || i, now() from generate_series(1, 100) i`,
  );
  await client.query(
    `insert into connection_checks (connection_id, at, outcome)
     select c, now() - i * interval '6 hours', case when i % 9 = 0 then 'unreachable' else 'ok' end
       from generate_series(1, 100) c, generate_series(0, 360) i order by i desc`,
  );
  await client.query(
    `insert into request_stats (at, succeeded, rejected, throttled, failed, durations)
     select date_bin('5 minutes', now(), '2020-01-01') - i * interval '5 minutes', 1000, 50, 5, 1, array[100, 300, 300, 200, 100, 30, 20, 4, 1, 1, 0]
       from generate_series(0, 25919) i`,
  );
  await client.query(
    `insert into job_stats (task, hour, runs, failures, ms_sum, ms_max)
     select 'task_' || t, date_bin('15 minutes', now(), '2020-01-01') - i * interval '15 minutes', 15, i % 50 / 49, 900, 120
       from generate_series(1, 15) t, generate_series(0, 8639) i order by i desc`,
  );
  await client.query(
    `insert into activity_samples (at, accounts) select date_trunc('hour', now()) - i * interval '1 hour', 5000 + i % 100 from generate_series(0, 9600) i`,
  );
  await client.query("vacuum (analyze)");
}
