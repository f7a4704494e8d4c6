import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { registrationBody } from "@/server/testing/requests";
import { ServerProcess } from "../server-process";

/** Twenty rounds take two minutes, so the default is lower. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);

test(`deletions interrupted by SIGKILL complete exactly once, in ${ROUNDS} rounds`, async () => {
  test.setTimeout(180_000 + ROUNDS * 60_000);
  const count = async (text: string, values: unknown[]) =>
    Number((await server.sql<{ count: string }>(`select count(*) from ${text}`, values))[0]!.count);
  await using server = await ServerProcess.start({ LOG_LEVEL: "info" }, "demo");
  for (let round = 0; round < ROUNDS; round++) {
    const email = `leaving${round}@example.com`;
    const leaving = await register(server, email, round * 2 + 1);
    const customer = await register(server, `staying${round}@example.com`, round * 2 + 2);
    await server.sql("update users set reseller_id = $1 where id = $2", [leaving.id, customer.id]);
    const hasSite = round % 2 === 1;
    if (hasSite) await createSite(server, leaving);
    const remove = () =>
      server.call("POST", "/api/auth/account/confirm-delete", {
        token: leaving.token,
        body: { confirmation: "SİL" },
      });
    const response = remove().catch(() => undefined);
    await sleep(((round * 7) % 20) * 3);
    await server.kill({ database: [true, false, false, true][round % 4]! });
    await response;
    expectNoPersonalData(server);
    await server.start();
    if ((await count("users where id = $1 and anonymised_at is null", [leaving.id])) === 1)
      expect((await remove()).status).toBe(200);

    expect((await server.call("GET", "/api/user", { token: leaving.token })).status).toBe(401);
    expect(await count("users where id = $1", [leaving.id])).toBe(hasSite ? 1 : 0);
    expect(await count("users where email = $1 or email_key = $1", [email])).toBe(0);
    expect(await count("access_tokens where user_id = $1", [leaving.id])).toBe(0);
    expect(await count("sites where user_id = $1 and is_active", [leaving.id])).toBe(0);
    expect(await count("users where id = $1 and reseller_id is null", [customer.id])).toBe(1);
    const auditEntries =
      "audit_events where action in ('account.deleted', 'account.anonymised') and object_id = $1";
    expect(await count(auditEntries, [String(leaving.id)])).toBe(1);
    // Each account gets one mail, even if the process died between the deletion and its jobs.
    const mails = "mail_messages where state = 'sent' and template = $1 and to_address = $2";
    await expect.poll(() => count(mails, ["account_deleted", email])).toBe(1);
    const notification = ["account_released", `staying${round}@example.com`];
    await expect.poll(() => count(mails, notification)).toBe(1);
  }
  expect(await count("deletion_certificates where $1 = $1", ["x"])).toBe(ROUNDS);
});

function expectNoPersonalData({ output }: ServerProcess): void {
  expect(output).toContain('"operation":"register"');
  for (const personal of ["leaving", "staying", "Ayşe", "+905321112233"])
    expect(output).not.toContain(personal);
}

interface Account {
  id: number;
  token: string;
}

async function register(server: ServerProcess, email: string, number: number): Promise<Account> {
  const { status, body } = await server.call("POST", "/api/auth/register", {
    from: `10.9.${number}.1`,
    body: registrationBody({ email }),
  });
  expect(status).toBe(201);
  return { id: (body.user as { id: number }).id, token: String(body.token) };
}

async function createSite(server: ServerProcess, { id, token }: Account): Promise<void> {
  await server.sql(
    `insert into subscriptions (user_id, plan_id, status, site_slots, starts_at, ends_at)
     select $1, min(id), 'active', 1, now(), now() + interval '1 year' from subscription_plans`,
    [id],
  );
  const body = { name: "Kaya Kahve", domain: `leaving-${id}.example.com` };
  expect((await server.call("POST", "/api/sites", { token, body })).status).toBe(201);
}
