import { expect, it } from "vitest";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken, makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";

const { call, get } = await testServer();
const { id: reseller } = await makeUser({ role: "reseller" });
const reader = await makeToken((await makeUser({ role: "admin" })).id);

const { plans } = (await get("/api/admin/plans", reader)).json;
const { texts } = (await get("/api/admin/legal-texts", reader)).json;
const terms = texts.find(({ key }: { key: string }) => key === "terms");

/** What an administrator does to the platform or to money. */
const CHANGES: Array<[string, "POST" | "PUT", string, object]> = [
  ["a setting", "PUT", "/api/admin/settings", { vat_rate: 1 }],
  [
    "a legal text",
    "POST",
    "/api/admin/legal-texts/terms",
    { version: "2099-01", bodies: { tr: "x" }, expected_version: terms.version },
  ],
  ["a plan", "PUT", `/api/admin/plans/${plans[0].id}`, { site_slots: 99 }],
  ["credits", "POST", `/api/admin/users/${reseller}/credits`, { amount: 5, note: "Late" }],
  ["a pay-out", "POST", `/api/admin/users/${reseller}/payouts`, { amount: 5, paid_at: "2026-01-01" }],
];

it.each(CHANGES)(
  "%s is not changed by an administrator who is signed out meanwhile",
  async (_, method, path, body) => {
    const { id } = await makeUser({ role: "admin" });
    const token = await makeToken(id);
    let late: ReturnType<typeof call> | undefined;
    await inTransaction(
      async (tx) => {
        await lockUser(tx, id);
        late = call(method, path, { token, body });
        await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
        await prisma().accessToken.deleteMany({ where: { userId: id } });
      },
      { seconds: 60 },
    );
    expect((await late!).status).toBe(401);
  },
);

/** Statements that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await pool().query(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0].count;
}
