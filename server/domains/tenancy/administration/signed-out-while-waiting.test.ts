import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeLicence, makeProvenUser, makeToken, makeUser } from "@/server/testing/factories";
import { runWhileCallWaits } from "@/server/testing/locks";
import { startTestServer } from "@/server/testing/server";

const { call, get, post } = await startTestServer();
const { id: resellerId } = await makeUser({ role: "reseller" });
const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });

const { plans } = (await get("/api/admin/plans", adminToken)).json;
const { texts } = (await get("/api/admin/legal-texts", adminToken)).json;
const terms = texts.find(({ key }: { key: string }) => key === "terms");

const licence = await makeLicence(resellerId);
const activationBody = { user_id: resellerId, plan_id: plans[0].id, send_email: false };
await post(
  "/api/admin/subscriptions/manual-activate",
  { ...activationBody, send_email: true },
  { token: adminToken },
);
const { id: invoiceId } = await prisma().accountingDocument.findFirstOrThrow();
const { id: mailId } = await prisma().mailMessage.findFirstOrThrow({ where: { userId: resellerId } });

const CHANGES: Array<[string, "POST" | "PUT", string, object]> = [
  ["a setting", "PUT", "/api/admin/settings", { vat_rate: 1 }],
  [
    "a legal text",
    "POST",
    "/api/admin/legal-texts/terms",
    { version: "2099-01", bodies: { tr: "x" }, expected_version: terms.version },
  ],
  ["a plan", "PUT", `/api/admin/plans/${plans[0].id}`, { site_slots: 99 }],
  ["credits", "POST", `/api/admin/users/${resellerId}/credits`, { amount: 5, note: "Late" }],
  ["a pay-out", "POST", `/api/admin/users/${resellerId}/payouts`, { amount: 5, paid_at: "2026-01-01" }],
  ["a subscription", "POST", "/api/admin/subscriptions/manual-activate", activationBody],
  ["a licence", "POST", `/api/admin/licences/${licence.id}/payment`, { send_email: false }],
  ["an invoice", "POST", `/api/admin/accounting/${invoiceId}/resume`, {}],
  ["a mail", "POST", `/api/admin/mails/${mailId}/resend`, {}],
];

it.each(CHANGES)(
  "%s is not changed by an administrator who is signed out while the call waits",
  async (_, method, path, body) => {
    const { id, token } = await makeProvenUser({ role: "admin" });
    const response = await runWhileCallWaits(
      id,
      () => call(method, path, { token, body }),
      () => prisma().accessToken.deleteMany({ where: { userId: id } }),
    );
    expect(response.status).toBe(401);
  },
);

it("rejects credits for an account that is anonymised while the call waits", async () => {
  const { id } = await makeUser();
  const mailCountBefore = await prisma().mailMessage.count();
  const response = await runWhileCallWaits(
    id,
    () => post(`/api/admin/users/${id}/credits`, { amount: 5, note: "Late" }, { token: adminToken }),
    ({ db }) => db.user.update({ where: { id }, data: { anonymisedAt: new Date(), isActive: false } }),
  );
  expect(response.status).toBe(404);
  const adjustment = { userId: id, reason: "admin_adjust" as const };
  expect(await prisma().creditEntry.count({ where: adjustment })).toBe(0);
  expect(await prisma().mailMessage.count()).toBe(mailCountBefore);
});
