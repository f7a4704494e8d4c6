import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { makeTotp } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";

const { get } = await testServer();
const admin = await makeToken((await makeUser({ role: "admin" })).id);
const ask = (id: number, query = "") => get(`/api/admin/users/${id}/gates${query}`, admin);

describe("the gates of an account", () => {
  it("are told in their order, with who opens each", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await prisma().resellerPortal.create({
      data: {
        verifiedAt: new Date(),
        resellerId: reseller.id,
        domain: "kaya.example.com",
        lockCustomers: true,
      },
    });
    const user = await makeUser({ emailVerifiedAt: null, isActive: false, resellerId: reseller.id });
    await makeTotp(user.id);
    const { status, json } = await ask(user.id);
    expect(status).toBe(200);
    expect(json.stopped_by).toBe("email_verified");
    expect(
      json.gates.map(({ gate, open, lifted_by }: Record<string, unknown>) => [gate, open, lifted_by]),
    ).toEqual([
      ["email_verified", false, ["owner"]],
      ["account_active", false, ["parent", "reseller", "administrator"]],
      ["portal", false, ["reseller"]],
      ["second_factor", false, ["owner"]],
    ]);
    expect(json.gates[2].reason).toContain("Kaya");
    const there = await ask(user.id, "?host=KAYA.example.com");
    expect(there.json.gates[2]).toEqual({ gate: "portal", open: true, reason: null, lifted_by: [] });
    await prisma().user.update({ where: { id: user.id }, data: { emailVerifiedAt: new Date() } });
    expect((await ask(user.id)).json.stopped_by).toBe("account_active");
    expect(await prisma().auditEvent.count({ where: { objectId: String(user.id) } })).toBe(0);
  });

  it("are all open for most", async () => {
    const { json } = await ask((await makeUser()).id);
    expect([json.stopped_by, json.gates.every(({ open }: { open: boolean }) => open)]).toEqual([null, true]);
  });

  it("are the business of administrators", async () => {
    const user = await makeUser({ role: "reseller" });
    const { status, json } = await get(`/api/admin/users/${user.id}/gates`, await makeToken(user.id));
    expect([status, json]).toEqual([403, { message: "This action is unauthorized." }]);
    const weak = await makeToken((await makeUser({ role: "admin" })).id, { abilities: ["read"] });
    expect((await get(`/api/admin/users/${user.id}/gates`, weak)).status).toBe(403);
    expect((await ask(2_147_483_647)).status).toBe(404);
  });
});
