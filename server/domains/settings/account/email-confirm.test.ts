import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { readMail } from "@/server/infrastructure/mail/outbox";
import { burst, tally } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { registration } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

const { get, post, call } = await testServer({ env: { EMAIL_CHANGE_MODE: "confirm" } });

const rowOf = (id: number) => prisma().user.findUniqueOrThrow({ where: { id } });
async function linkTo(address: string, template: string): Promise<string> {
  const row = await prisma().mailMessage.findFirstOrThrow({
    where: { toAddress: address, template },
    orderBy: { id: "desc" },
  });
  return /token=(\w+)/.exec(readMail(row.sealed).text)![1]!;
}
const ROUTES = ["/api/user", "/api/auth/profile"] as const;

it.each(ROUTES)("%s keeps the old address until the new one confirms", async (path) => {
  const user = await makeUser();
  const token = await makeToken(user.id);
  const email = `new.${user.id}@example.com`;
  const missing = await call("PUT", path, { token, body: { email } });
  expect([missing.status, Object.keys(missing.json.errors)]).toEqual([422, ["current_password"]]);
  const wrong = await call("PUT", path, { token, body: { email, current_password: "not-the-password" } });
  expect([wrong.status, Object.keys(wrong.json)]).toEqual([422, ["success", "error"]]);

  const asked = await call("PUT", path, { token, body: { email, current_password: "correct-horse" } });
  expect([asked.status, asked.json.user.email]).toEqual([200, user.email]);
  expect(await rowOf(user.id)).toMatchObject({ email: user.email, emailVerifiedAt: user.emailVerifiedAt });
  const link = await linkTo(email, "email_change_confirm");
  expect(
    (await post("/api/auth/undo-email-change", { token: link })).status,
    "there is nothing to undo yet",
  ).toBe(400);
  for (const method of ["GET", "HEAD", "GET"])
    expect((await call(method, `/api/auth/confirm-email-change?token=${link}`)).status).toBe(405);
  expect((await rowOf(user.id)).email).toBe(user.email);

  const responses = await burst(20, () => post("/api/auth/confirm-email-change", { token: link }));
  expect(tally(responses)).toEqual({ 200: 1, 400: 19 });
  const { emailVerifiedAt, ...changed } = await rowOf(user.id);
  expect([changed.email, changed.emailKey]).toEqual([email, email]);
  expect(emailVerifiedAt!.getTime()).toBeGreaterThan(user.emailVerifiedAt!.getTime());
  expect((await get("/api/user", token)).status).toBe(200);

  const back = await linkTo(user.email, "email_changed");
  expect((await post("/api/auth/undo-email-change", { token: back })).status).toBe(200);
  expect(await rowOf(user.id)).toMatchObject({ email: user.email, emailVerifiedAt: user.emailVerifiedAt });
  expect((await get("/api/user", token)).status).toBe(401);
});

it("only the newest link confirms, and an address taken meanwhile is refused", async () => {
  const user = await makeUser();
  const token = await makeToken(user.id);
  const ask = (email: string) =>
    call("PUT", "/api/user", { token, body: { email, current_password: "correct-horse" } });
  const [first, second] = [`first.${user.id}@example.com`, `second.${user.id}@example.com`];
  await ask(first);
  await ask(second);
  const old = await linkTo(first, "email_change_confirm");
  expect((await post("/api/auth/confirm-email-change", { token: old })).status).toBe(400);
  expect((await post("/api/auth/register", registration({ email: second }))).status).toBe(201);
  const late = await post("/api/auth/confirm-email-change", {
    token: await linkTo(second, "email_change_confirm"),
  });
  expect([late.status, Object.keys(late.json.errors)]).toEqual([422, ["email"]]);
  expect((await rowOf(user.id)).email).toBe(user.email);
  const taken = await ask(second);
  expect([taken.status, Object.keys(taken.json.errors)]).toEqual([422, ["email"]]);
});

it("an account without a password proves itself instead", async () => {
  const user = await makeUser();
  await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } });
  const token = await makeToken(user.id);
  const body = { email: `proven.${user.id}@example.com` };
  expect((await call("PUT", "/api/user", { token, body })).json.requires_identity).toBe(true);
  await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: new Date() } });
  expect((await call("PUT", "/api/user", { token, body })).status).toBe(200);
});
