import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const { call, post } = await startTestServer();
const listTemplatesTo = async (toAddress: string) =>
  (
    await prisma().mailMessage.findMany({
      where: { toAddress },
      orderBy: { id: "asc" },
      select: { template: true },
    })
  ).map(({ template }) => template);
const plan = await prisma().subscriptionPlan.findUniqueOrThrow({ where: { slug: "pro" } });
const placeOrder = async (token: string) =>
  (await post("/api/billing/orders", { plan_id: plan.id }, { token })).status;

it("sends an unverified address only verification, three deletion codes and deletion certificate", async () => {
  const email = "stranger@example.com";
  const body = buildRegistrationBody({ email });
  const { token, user } = (await post("/api/auth/register", body)).json;
  for (let attempt = 0; attempt < 3; attempt++) expect(await placeOrder(token)).toBe(201);
  const passwordChange = { current_password: body.password, password: "another-horse-entirely" };
  expect((await call("PUT", "/api/user", { token, body: passwordChange })).status).toBe(200);
  await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: new Date() } });
  expect((await post("/api/user/export", {}, { token })).status).toBe(422);
  const requestDeletion = async () => (await post("/api/auth/account/delete-request", {}, { token })).status;
  expect([
    await requestDeletion(),
    await requestDeletion(),
    await requestDeletion(),
    await requestDeletion(),
  ]).toEqual([200, 200, 200, 429]);
  const codes = ["deletion_code", "deletion_code", "deletion_code"];
  expect(await listTemplatesTo(email)).toEqual(["verify_email", ...codes]);

  await prisma().user.update({ where: { id: user.id }, data: { name: "Ada" } });
  const deletion = await post("/api/auth/account/confirm-delete", { confirmation: "DELETE" }, { token });
  expect(deletion.status, deletion.text).toBe(200);
  expect((await listTemplatesTo(email)).filter((template) => template === "account_deleted")).toHaveLength(1);
});

it("sends an unverified address three deletion codes a day, independent of the operation's limit", async () => {
  const { token } = await makeSignedInUser({ emailVerifiedAt: null });
  const requestDeletion = async () => (await post("/api/auth/account/delete-request", {}, { token })).status;
  for (let attempt = 0; attempt < 3; attempt++) expect(await requestDeletion()).toBe(200);
  await prisma().$executeRaw`delete from rate_limits where key like 'op:requestDeletion:%'`;
  expect(await requestDeletion()).toBe(429);
});

it("sends an unverified address mails of administrators, and all mails once verified", async () => {
  const { id, email, token } = await makeSignedInUser({ emailVerifiedAt: null });
  const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  const site = await makeSite(id);
  const suspension = await post(
    `/api/sites/${site.id}/suspend`,
    { reason: "Unpaid." },
    { token: adminToken },
  );
  expect(suspension.status, suspension.text).toBe(200);
  expect(await placeOrder(token)).toBe(201);
  expect(await listTemplatesTo(email)).toEqual(["site_suspended"]);
  await prisma().user.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
  expect(await placeOrder(token)).toBe(201);
  expect(await listTemplatesTo(email)).toEqual(["site_suspended", "order_placed"]);
});
