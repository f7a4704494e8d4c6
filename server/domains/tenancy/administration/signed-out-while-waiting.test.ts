import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeLicence, makeProvenUser, makeToken, makeUser } from "@/server/testing/factories";
import { whileWaiting } from "@/server/testing/locks";
import { testServer } from "@/server/testing/server";

const { call, get, post } = await testServer();
const { id: reseller } = await makeUser({ role: "reseller" });
const reader = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });

const { plans } = (await get("/api/admin/plans", reader)).json;
const { texts } = (await get("/api/admin/legal-texts", reader)).json;
const terms = texts.find(({ key }: { key: string }) => key === "terms");

const licence = await makeLicence(reseller);
const activation = { user_id: reseller, plan_id: plans[0].id, send_email: false };
await post(
  "/api/admin/subscriptions/manual-activate",
  { ...activation, send_email: true },
  { token: reader },
);
const { id: invoice } = await prisma().accountingDocument.findFirstOrThrow();
const { id: mail } = await prisma().mailMessage.findFirstOrThrow({ where: { userId: reseller } });

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
  ["a subscription", "POST", "/api/admin/subscriptions/manual-activate", activation],
  ["a licence", "POST", `/api/admin/licences/${licence.id}/payment`, { send_email: false }],
  ["an invoice", "POST", `/api/admin/accounting/${invoice}/resume`, {}],
  ["a mail", "POST", `/api/admin/mails/${mail}/resend`, {}],
];

it.each(CHANGES)(
  "%s is not changed by an administrator who is signed out while the call waits",
  async (_, method, path, body) => {
    const { id, token } = await makeProvenUser({ role: "admin" });
    const late = await whileWaiting(
      id,
      () => call(method, path, { token, body }),
      () => prisma().accessToken.deleteMany({ where: { userId: id } }),
    );
    expect(late.status).toBe(401);
  },
);

it("rejects credits for an account that is anonymised while the call waits", async () => {
  const { id } = await makeUser();
  const before = await prisma().mailMessage.count();
  const late = await whileWaiting(
    id,
    () => post(`/api/admin/users/${id}/credits`, { amount: 5, note: "Late" }, { token: reader }),
    ({ db }) => db.user.update({ where: { id }, data: { anonymisedAt: new Date(), isActive: false } }),
  );
  expect(late.status).toBe(404);
  const moved = { userId: id, reason: "admin_adjust" as const };
  expect(await prisma().creditEntry.count({ where: moved })).toBe(0);
  expect(await prisma().mailMessage.count()).toBe(before);
});
