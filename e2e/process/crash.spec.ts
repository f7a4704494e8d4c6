import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { buildRegistrationBody } from "@/server/testing/requests";
import { ServerProcess } from "../server-process";

/** Twenty rounds take two minutes, so the default is lower. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);

interface Journal {
  accounts: Array<{ id: number; email: string }>;
  sites: Array<{ id: number; domain: string }>;
}

test(`registrations and site creations survive ${ROUNDS} kills with SIGKILL`, async () => {
  test.setTimeout(180_000 + ROUNDS * 60_000);
  const journal: Journal = { accounts: [], sites: [] };
  await using server = await ServerProcess.start({}, "demo");
  const token = await server.signIn("reseller@example.com");
  for (let round = 0; round < ROUNDS; round++) {
    const countWritten = () => journal.accounts.length + journal.sites.length;
    const targetCount = countWritten() + 3 + ((round * 7) % 20);
    // Sites are created several times as fast; wait for accounts, too.
    const minAccountCount = journal.accounts.length + 2;
    const writes = writeUntilKilled(server, journal, round, token);
    while (countWritten() < targetCount || journal.accounts.length < minAccountCount) await sleep(5);
    await server.kill({ database: round % 2 === 0 });
    await writes;
    await server.start();
  }
  await checkJournal(server, journal);
  expect(journal.accounts.length).toBeGreaterThan(ROUNDS);
  expect(journal.sites.length).toBeGreaterThan(ROUNDS);
});

async function writeUntilKilled(
  server: ServerProcess,
  journal: Journal,
  round: number,
  token: string,
): Promise<void> {
  const writers = Array.from({ length: 6 }, async (_, writerIndex) => {
    for (let number = 0; ; number++) {
      const name = `r${round}s${writerIndex}n${number}`;
      const response =
        writerIndex % 2 === 0
          ? await register(server, name, `10.${writerIndex}.${number % 250}.${round + 1}`)
          : await createSite(server, name, token);
      if (response.status === 201 && writerIndex % 2 === 0)
        journal.accounts.push(response.body.user as Journal["accounts"][0]);
      else if (response.status === 201) journal.sites.push(response.body.site as Journal["sites"][0]);
      else if (response.status !== 429) return;
    }
  });
  await Promise.allSettled(writers);
}

function register(server: ServerProcess, name: string, clientAddress: string) {
  const body = buildRegistrationBody({ name, email: `${name}@example.com` });
  return server.call("POST", "/api/auth/register", { clientAddress, body });
}

function createSite(server: ServerProcess, name: string, token: string) {
  return server.call("POST", "/api/sites", {
    token,
    body: { name, domain: `${name}.example.com`, confirm_pay_per_site: true },
  });
}

async function checkJournal(server: ServerProcess, journal: Journal): Promise<void> {
  const queryCount = async (text: string, values: unknown[] = []) =>
    Number((await server.sql<{ count: string }>(text, values))[0]!.count);
  const accountIds = journal.accounts.map(({ id }) => id);
  const siteIds = journal.sites.map(({ id }) => id);
  expect(await queryCount("select count(*) from users where id = any($1)", [accountIds])).toBe(
    accountIds.length,
  );
  expect(await queryCount("select count(*) from sites where id = any($1)", [siteIds])).toBe(siteIds.length);
  const registeredUsers = "(select id from users where email like 'r%s%n%@example.com')";
  const registeredCount = await queryCount(`select count(*) from ${registeredUsers} as u`);
  for (const [query, expected] of [
    [
      `select count(*) from credit_entries where reason = 'welcome' and user_id in ${registeredUsers}`,
      registeredCount,
    ],
    [
      `select count(*) from consent_records where user_id in ${registeredUsers}`,
      registeredCount * CONSENTS.length,
    ],
    [
      `select count(*) from mail_messages where template = 'verify_email' and user_id in ${registeredUsers}`,
      registeredCount,
    ],
    [`select count(*) from email_verifications where user_id in ${registeredUsers}`, registeredCount],
    [`select count(*) from access_tokens where user_id in ${registeredUsers}`, registeredCount],
    [
      `select count(*) from audit_events where action = 'account.registered' and actor_id in ${registeredUsers}`,
      registeredCount,
    ],
    [
      "select count(*) from users where credits <> (select sum(amount) from credit_entries where user_id = users.id)",
      0,
    ],
    [
      "select count(*) from sites where is_active and subscription_id is null and not exists (select from site_licences where site_id = sites.id)",
      0,
    ],
  ] as const)
    expect(await queryCount(query), query).toBe(expected);
  await expect.poll(() => queryCount("select count(*) from mail_messages where state <> 'sent'")).toBe(0);
}
