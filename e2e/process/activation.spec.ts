import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { ServerProcess } from "../server-process";

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);

test(`activations with an idempotency key have one effect across ${ROUNDS} kills with SIGKILL`, async () => {
  test.setTimeout(180_000 + ROUNDS * 60_000);
  await using server = await ServerProcess.start({}, "demo");
  const token = await server.signIn("admin@example.com");
  const [plan] = await server.sql<{ id: number }>("select id from subscription_plans where slug = 'pro'");
  const [customer] = await server.sql<{ id: number }>(
    "select id from users where role = 'user' and not is_agent_only order by id limit 1",
  );
  const body = { user_id: customer!.id, plan_id: plan!.id };
  const activate = (key: string) =>
    server.call("POST", "/api/admin/subscriptions/manual-activate", {
      token,
      body,
      headers: { "idempotency-key": key },
    });
  const countRows = async (table: string) =>
    Number((await server.sql<{ count: string }>(`select count(*) from ${table}`))[0]!.count);
  const countsBefore = [await countRows("payments"), await countRows("accounting_documents")];

  const responsesByKey = new Map<string, unknown>();
  const sentKeys: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const keys = Array.from({ length: 6 }, (_, number) => `r${round}n${number}`);
    sentKeys.push(...keys);
    const calls = Promise.allSettled(
      keys.map(async (key) => {
        const { status, body: response } = await activate(key);
        if (status === 201) responsesByKey.set(key, response);
      }),
    );
    // Kills while some calls are acknowledged, some are in progress and some have not started.
    const targetCount = responsesByKey.size + 1 + (round % 4);
    let areSettled = false;
    void calls.then(() => {
      areSettled = true;
    });
    while (responsesByKey.size < targetCount && !areSettled) await sleep(2);
    await server.kill({ database: round % 2 === 0 });
    await calls;
    await server.start();
  }
  for (const key of sentKeys) {
    const { status, body: response } = await activate(key);
    expect(status).toBe(201);
    if (responsesByKey.has(key)) expect(response).toEqual(responsesByKey.get(key));
    expect((await activate(key)).body).toEqual(response);
  }
  expect([await countRows("payments"), await countRows("accounting_documents")]).toEqual(
    countsBefore.map((number) => number + sentKeys.length),
  );
  const [mismatches] = await server.sql<{ count: string }>(
    "select count(*) from subscriptions u where used_slots <> (select count(*) from sites where subscription_id = u.id)",
  );
  expect(Number(mismatches!.count)).toBe(0);
  expect(responsesByKey.size).toBeGreaterThanOrEqual(ROUNDS);
});
