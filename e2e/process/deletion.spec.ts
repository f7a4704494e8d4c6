import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { buildRegistrationBody } from "@/server/testing/requests";
import { ServerProcess } from "../server-process";

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);

test(`deletions interrupted by SIGKILL complete exactly once, in ${ROUNDS} rounds`, async () => {
  test.setTimeout(180_000 + ROUNDS * 60_000);
  const countRows = async (tableAndCondition: string, values: unknown[]) =>
    Number(
      (await server.sql<{ count: string }>(`select count(*) from ${tableAndCondition}`, values))[0]!.count,
    );
  await using server = await ServerProcess.start({ LOG_LEVEL: "info" }, "demo");
  for (let round = 0; round < ROUNDS; round++) {
    const email = `leaving${round}@example.com`;
    const leavingAccount = await register(server, email, round * 2 + 1);
    const customer = await register(server, `staying${round}@example.com`, round * 2 + 2);
    await server.sql("update users set reseller_id = $1 where id = $2", [leavingAccount.id, customer.id]);
    const hasSite = round % 2 === 1;
    if (hasSite) await createSite(server, leavingAccount);
    const deleteAccount = () =>
      server.call("POST", "/api/auth/account/confirm-delete", {
        token: leavingAccount.token,
        body: { confirmation: "SİL" },
      });
    const response = deleteAccount().catch(() => undefined);
    await sleep(((round * 7) % 20) * 3);
    await server.kill({ database: [true, false, false, true][round % 4]! });
    await response;
    expectAnonymousLog(server);
    await server.start();
    if ((await countRows("users where id = $1 and anonymised_at is null", [leavingAccount.id])) === 1)
      expect((await deleteAccount()).status).toBe(200);

    expect((await server.call("GET", "/api/user", { token: leavingAccount.token })).status).toBe(401);
    expect(await countRows("users where id = $1", [leavingAccount.id])).toBe(hasSite ? 1 : 0);
    expect(await countRows("users where email = $1 or email_key = $1", [email])).toBe(0);
    expect(await countRows("access_tokens where user_id = $1", [leavingAccount.id])).toBe(0);
    expect(await countRows("sites where user_id = $1 and is_active", [leavingAccount.id])).toBe(0);
    expect(await countRows("users where id = $1 and reseller_id is null", [customer.id])).toBe(1);
    const auditQuery =
      "audit_events where action in ('account.deleted', 'account.anonymised') and object_id = $1";
    expect(await countRows(auditQuery, [String(leavingAccount.id)])).toBe(1);
    // Each account gets one mail, even if the process died between the deletion and its jobs.
    const mailQuery = "mail_messages where state = 'sent' and template = $1 and to_address = $2";
    await expect.poll(() => countRows(mailQuery, ["account_deleted", email])).toBe(1);
    const notification = ["account_released", `staying${round}@example.com`];
    await expect.poll(() => countRows(mailQuery, notification)).toBe(1);
  }
  expect(await countRows("deletion_certificates where $1 = $1", ["x"])).toBe(ROUNDS);
});

function expectAnonymousLog({ output }: ServerProcess): void {
  expect(output).toContain('"operation":"register"');
  for (const text of ["leaving", "staying", "Ayşe", "+905321112233"]) expect(output).not.toContain(text);
}

interface Account {
  id: number;
  token: string;
}

async function register(server: ServerProcess, email: string, number: number): Promise<Account> {
  const { status, body } = await server.call("POST", "/api/auth/register", {
    clientAddress: `10.9.${number}.1`,
    body: buildRegistrationBody({ email }),
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
