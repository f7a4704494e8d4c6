import { beforeEach, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { addCredits } from "./service/credits";

const server = await startTestServer({ env: { DATABASE_TIMEOUT: "60" } });
const { call, get, post } = server;
beforeEach(() => resetRateLimits());

const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
const adjustCredits = (id: number, amount: number, note = "Düzeltme") =>
  post(`/api/admin/users/${id}/credits`, { amount, note }, { token: adminToken });

/** Reads the balance of an account, which starts with 1,000 credits (WELCOME_CREDITS). */
async function readCheckedBalance(userId: number): Promise<number> {
  const { credits } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  const { _sum } = await prisma().creditEntry.aggregate({ where: { userId }, _sum: { amount: true } });
  expect(_sum.amount).toBe(credits);
  return credits;
}

it("records an adjustment in the ledger and the audit log, and mails the owner", async () => {
  const { id, email } = await makeUser({ locale: "en" });
  const { status, json } = await adjustCredits(id, 500, "Credits of November");
  expect(status).toBe(201);
  expect(json).toMatchObject({
    success: true,
    credits: 1500,
    entry: {
      amount: 500,
      balance: 1500,
      reason: "admin_adjust",
      actor: "administrator",
      note: "Credits of November",
    },
  });
  const [mail] = await deliverAndReadMails(server, email, "credits_adjusted");
  for (const part of ["+500", "Credits of November", "1,500"]) expect(mail!.text).toContain(part);
  const where = { action: "credits.adjusted", objectId: String(id) };
  expect(await prisma().auditEvent.findFirst({ where })).toMatchObject({
    details: { amount: 500, note: "Credits of November", balance: 1500 },
  });
  expect(await readCheckedBalance(id)).toBe(1500);
});

it("allows only as many of fifty concurrent debits as the balance covers", async () => {
  for (let round = 0; round < 5; round++) {
    const { id: userId } = await makeUser();
    const debit = { userId, amount: -30, reason: "usage" } as const;
    const entries = await runConcurrently(50, () => addCredits(withoutTransaction(), debit));
    expect(entries.filter(Boolean)).toHaveLength(33);
    expect(await readCheckedBalance(userId)).toBe(10);
    expect(await prisma().creditEntry.count({ where: { userId } })).toBe(34);
  }
});

it("allows only as many of twenty concurrent adjustments as the balance covers", async () => {
  const { id } = await makeUser();
  expect(countByStatus(await runConcurrently(20, () => adjustCredits(id, -60)))).toEqual({ 201: 16, 422: 4 });
  expect(await readCheckedBalance(id)).toBe(40);
  expect(await prisma().mailMessage.count({ where: { userId: id } })).toBe(16);
});

it("sums up concurrent debits and credits", async () => {
  const { id: userId } = await makeUser();
  const addUsageEntry = (amount: number) =>
    addCredits(withoutTransaction(), { userId, amount, reason: "usage" });
  const [debits, adjustments] = await Promise.all([
    runConcurrently(50, () => addUsageEntry(-10)),
    runConcurrently(10, () => adjustCredits(userId, 20)),
  ]);
  expect(debits.filter(Boolean).length).toBe(50);
  expect(countByStatus(adjustments)).toEqual({ 201: 10 });
  expect(await readCheckedBalance(userId)).toBe(700);
});

it.each([0, 1_000_001, -1_000_001, 0.5, "1e3", null])("rejects the amount %s", async (amount) => {
  const { id } = await makeUser();
  const { status, json } = await adjustCredits(id, amount as number);
  expect(status).toBe(422);
  expect(Object.keys(json.errors)).toEqual(["amount"]);
  expect(await readCheckedBalance(id)).toBe(1000);
});

it("rejects a debit beyond the balance, and a balance beyond the column's range", async () => {
  const { id } = await makeUser();
  const debitResponse = await adjustCredits(id, -1001);
  expect(debitResponse.status).toBe(422);
  expect(debitResponse.json.success).toBe(false);
  expect("errors" in debitResponse.json).toBe(false);
  await prisma().user.update({ where: { id }, data: { credits: 2_147_483_000 } });
  const creditResponse = await adjustCredits(id, 1000);
  expect(creditResponse.status).toBe(422);
  expect(Object.keys(creditResponse.json.errors)).toEqual(["amount"]);
});

it("returns 404 for an anonymised account", async () => {
  const { id } = await makeUser({ anonymisedAt: new Date() });
  expect((await adjustCredits(id, 1)).status).toBe(404);
});

it("lists and downloads the ledger, with pages and by reason, without the administrator's name", async () => {
  const { id, token } = await makeSignedInUser();
  for (const amount of [1, 2, 3]) await adjustCredits(id, amount);
  const listLedger = async (query: string) => (await get(`/api/user/credits?${query}`, token)).json;
  const firstPage = await listLedger("per_page=2");
  expect(firstPage).toMatchObject({ success: true, credits: 1006, meta: { page: 1, per_page: 2, total: 4 } });
  expect(firstPage.data.map(({ amount }: { amount: number }) => amount)).toEqual([3, 2]);
  expect(Object.keys(firstPage.data[0]).sort()).toEqual(
    ["actor", "amount", "balance", "created_at", "id", "note", "reason"].sort(),
  );
  const welcomeList = await listLedger("reason=welcome&sort=created_at");
  expect(welcomeList.data).toMatchObject([{ amount: 1000, actor: "system", note: null }]);
  const { text, headers } = await call("GET", "/api/user/credits.csv?reason=admin_adjust&sort=created_at", {
    token,
  });
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/id.*created_at.*amount.*balance.*reason.*actor.*note/);
  expect(lines[3]).toContain("administrator");
});

it("lets administrators read the ledger of any account", async () => {
  const { id } = await makeUser();
  await adjustCredits(id, 500, "Credits of November");
  const ownerToken = await makeToken(id);
  const [ownResponse, adminResponse] = [
    await get("/api/user/credits", ownerToken),
    await get(`/api/admin/users/${id}/credits`, adminToken),
  ];
  expect(adminResponse.status).toBe(200);
  expect(adminResponse.json).toEqual(ownResponse.json);
  const filteredResponse = await get(
    `/api/admin/users/${id}/credits?reason=admin_adjust&per_page=1`,
    adminToken,
  );
  expect(filteredResponse).toMatchObject({
    json: { data: { length: 1 }, meta: { total: 1 }, credits: 1500 },
  });
  expect((await get("/api/admin/users/2147483647/credits", adminToken)).status).toBe(404);
});
