import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { registrationBody } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

const { call, post } = await testServer();
const templatesTo = async (toAddress: string) =>
  (
    await prisma().mailMessage.findMany({
      where: { toAddress },
      orderBy: { id: "asc" },
      select: { template: true },
    })
  ).map(({ template }) => template);
const plan = await prisma().subscriptionPlan.findUniqueOrThrow({ where: { slug: "pro" } });
const order = async (token: string) =>
  (await post("/api/billing/orders", { plan_id: plan.id }, { token })).status;

it("sends an unverified address its verification, three deletion codes a day, and the certificate", async () => {
  const email = "stranger@example.com";
  const body = registrationBody({ email });
  const { token, user } = (await post("/api/auth/register", body)).json;
  for (let time = 0; time < 3; time++) expect(await order(token)).toBe(201);
  const changed = { current_password: body.password, password: "another-horse-entirely" };
  expect((await call("PUT", "/api/user", { token, body: changed })).status).toBe(200);
  await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: new Date() } });
  expect((await post("/api/user/export", {}, { token })).status).toBe(422);
  const ask = async () => (await post("/api/auth/account/delete-request", {}, { token })).status;
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
  const codes = ["deletion_code", "deletion_code", "deletion_code"];
  expect(await templatesTo(email)).toEqual(["verify_email", ...codes]);

  await prisma().user.update({ where: { id: user.id }, data: { name: "Ada" } });
  const deleted = await post("/api/auth/account/confirm-delete", { confirmation: "DELETE" }, { token });
  expect(deleted.status, deleted.text).toBe(200);
  expect((await templatesTo(email)).filter((template) => template === "account_deleted")).toHaveLength(1);
});

it("limits deletion codes to an unverified address by the day", async () => {
  const { token } = await makeSignedInUser({ emailVerifiedAt: null });
  const ask = async () => (await post("/api/auth/account/delete-request", {}, { token })).status;
  for (let time = 0; time < 3; time++) expect(await ask()).toBe(200);
  await prisma().$executeRaw`delete from rate_limits where key like 'op:requestDeletion:%'`;
  expect(await ask()).toBe(429);
});

it("sends an unverified address mails caused by administrators, and all mails once verified", async () => {
  const { id, email, token } = await makeSignedInUser({ emailVerifiedAt: null });
  const administrator = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
  const site = await makeSite(id);
  const suspended = await post(
    `/api/sites/${site.id}/suspend`,
    { reason: "Unpaid." },
    { token: administrator },
  );
  expect(suspended.status, suspended.text).toBe(200);
  expect(await order(token)).toBe(201);
  expect(await templatesTo(email)).toEqual(["site_suspended"]);
  await prisma().user.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
  expect(await order(token)).toBe(201);
  expect(await templatesTo(email)).toEqual(["site_suspended", "order_placed"]);
});
