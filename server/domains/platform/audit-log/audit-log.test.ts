import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";

const server = await testServer();
const { call, get } = server;
const admin = await makeUser({ role: "admin" });
const token = await makeToken(admin.id, { provenAt: new Date() });
const search = async (q: string, more = "") => {
  const { status, json } = await get(`/api/admin/audit?q=${encodeURIComponent(q)}${more}`, token);
  expect(status).toBe(200);
  return json as {
    data: Array<{
      action: string;
      actor: { id: number } | null;
      object: { id: number; name: string | null } | null;
    }>;
    meta: { total: number };
  };
};

it("the log shows who did what to whom, found by action, number and address", async () => {
  const person = await makeUser();
  const body = { is_active: false, reason: "Ticket 4711" };
  await call("PUT", `/api/admin/users/${person.id}/status`, { token, body });
  for (const q of ["account.deact", String(person.id), person.email.toUpperCase()]) {
    const { data } = await search(`${q} account.`);
    expect(data[0], q).toMatchObject({
      action: "account.deactivated",
      actor: { id: admin.id, email: admin.email },
      object: { id: person.id, name: person.name, email: person.email },
      details: { reason: "Ticket 4711" },
    });
  }
  for (const q of ["nobody@example.com", "%", "account_deactivated", "2147483647", "99999999999999"])
    expect((await search(q)).meta.total, q).toBe(0);
});

it("of somebody who is gone, the number is left", async () => {
  const person = await makeUser();
  const body = { is_active: false, reason: "Ticket 4712" };
  await call("PUT", `/api/admin/users/${person.id}/status`, { token, body });
  await prisma().user.update({ where: { id: person.id }, data: { anonymisedAt: new Date() } });
  expect((await search(String(person.id))).data[0]!.object).toEqual({
    id: person.id,
    name: null,
    email: null,
  });
});

it("pages end after ten thousand entries, in either order", async () => {
  await prisma().auditEvent.createMany({
    data: Array.from({ length: 10_050 }, () => ({ actorKind: "system", action: "role.changed" })),
  });
  const { meta } = await search("role.changed", "&per_page=500&page=20");
  expect(meta.total).toBe(10_000);
  expect((await search("role.changed", "&per_page=500&page=20")).data).toHaveLength(500);
  expect((await search("role.changed", "&per_page=500&page=21")).data).toHaveLength(0);
  const ids = async (sort: string) =>
    (await get(`/api/admin/audit?sort=${sort}&per_page=2`, token)).json.data.map(
      ({ id }: { id: number }) => id,
    );
  const [up, down] = [await ids("at"), await ids("-at")];
  expect(up[0]).toBeLessThan(up[1]);
  expect(down[0]).toBeGreaterThan(down[1]);
});

it("nobody else reads it", async () => {
  const reseller = await makeUser({ role: "reseller" });
  expect((await get("/api/admin/audit", await makeToken(reseller.id))).status).toBe(403);
});
