import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { erasePersonalData } from "@/server/domains/accounts/users/service/personal-data";
import { removeSecondFactors } from "@/server/domains/tenancy/administration/service/console";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { makeEmailFactor, makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { archiveReaders } from "./export";
import { runAdminActionsJob } from "./jobs";

const server = await startTestServer();
const { call, get, post } = server;
beforeEach(() => resetRateLimits());

const HOUR = 3_600_000;
const reason = "Ticket 4711";

async function makeAdmin() {
  const { id } = await makeUser({ role: "admin" });
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}
const [caller, secondAdmin, thirdAdmin] = [await makeAdmin(), await makeAdmin(), await makeAdmin()];

async function makeUserWithTotp(data: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ locale: "en", ...data });
  await makeTotpFactor(user.id);
  return user;
}

const requestReset = (id: number, token = caller.token, body: object = { reason }) =>
  post(`/api/admin/users/${id}/reset-two-factor`, body, { token });
const decideReset = (id: string, decision: "approve" | "cancel", token = secondAdmin.token) =>
  post(`/api/admin/factor-resets/${id}/${decision}`, {}, { token });
const cancelByMailedLink = (token: string, ip = "198.51.100.7") =>
  post("/api/auth/stop-factor-reset", { token }, { ip });
const createReset = async (id: number, token?: string, body?: object): Promise<string> => {
  const { status, json } = await requestReset(id, token, body);
  expect({ status, message: json.message }).toEqual({ status: 201, message: expect.any(String) });
  return json.reset.id;
};
const makeResetDue = (id: string, runAt = new Date(Date.now() - 1000)) =>
  prisma().adminAction.update({ where: { id }, data: { runAt } });
const readResetState = async (id: string) =>
  (await prisma().adminAction.findUniqueOrThrow({ where: { id }, select: { state: true } })).state;
const countFactors = (userId: number) => prisma().factor.count({ where: { userId } });
const listAuditedSteps = async (id: number) =>
  (
    await prisma().auditEvent.findMany({
      where: { objectId: String(id), action: { startsWith: "factor_reset." } },
      orderBy: { id: "asc" },
    })
  ).map(({ action, actorId }) => [action, actorId]);
const putSettings = async (body: object) =>
  expect((await call("PUT", "/api/admin/settings", { token: caller.token, body })).status).toBe(200);

/** Applies settings until the test ends or sets others. */
async function useSettings(body: object): Promise<void> {
  onTestFinished(() => putSettings({ factor_reset_delay_hours: 24, two_administrators: false }));
  await putSettings(body);
}

describe("resetting second factors", () => {
  it("is immediate from the console", async () => {
    const person = await makeUserWithTotp();
    await makeToken(person.id);
    expect(await removeSecondFactors(person.email)).toEqual(expect.arrayContaining(["totp"]));
    expect(await countFactors(person.id)).toBe(0);
    expect(await prisma().accessToken.count({ where: { userId: person.id } })).toBe(0);
    expect(await deliverAndReadMails(server, person.email, "factor_reset_done")).toHaveLength(1);
    expect(await listAuditedSteps(person.id)).toEqual([["factor_reset.done", null]]);
    expect(await removeSecondFactors(person.email)).toEqual([]);
  });

  it("mails the owner, waits, and then removes only what blocks the sign-in", async () => {
    const person = await makeUserWithTotp();
    const [sessionToken, apiKey] = [
      await makeToken(person.id),
      await makeToken(person.id, { kind: "api_key" }),
    ];
    const { json } = await requestReset(person.id);
    expect(json.reset).toMatchObject({
      user: { id: person.id },
      factors: ["totp", "email", "sms"],
      state: "waiting",
      approval_due: false,
      requested_by: { id: caller.id },
      approved_by: null,
    });
    // The default of the setting `factor_reset_delay_hours` is 24.
    const hours = (Date.parse(json.reset.run_at) - Date.now()) / HOUR;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThanOrEqual(24);
    expect(
      getLinkParam((await deliverAndReadMails(server, person.email, "factor_reset_asked"))[0]!, "token"),
    ).toMatch(/^dsa_/);

    await runAdminActionsJob();
    expect(await readResetState(json.reset.id)).toBe("waiting");
    expect(await countFactors(person.id)).toBe(1);
    const waitingResponse = await get("/api/admin/factor-resets", caller.token);
    expect(waitingResponse.json.data.map(({ id }: { id: string }) => id)).toContain(json.reset.id);

    await makeResetDue(json.reset.id);
    await runAdminActionsJob();
    expect(await readResetState(json.reset.id)).toBe("done");
    expect(await countFactors(person.id)).toBe(0);
    expect(await prisma().recoveryCode.count({ where: { userId: person.id } })).toBe(0);
    expect((await get("/api/user", sessionToken)).status).toBe(401);
    expect((await get("/api/user", apiKey)).status).toBe(200);
    const signIn = await post("/api/auth/login", { email: person.email, password: "correct-horse" });
    expect(signIn.status).toBe(200);
    expect(typeof signIn.json.token).toBe("string");
    expect(await deliverAndReadMails(server, person.email, "factor_reset_done")).toHaveLength(1);
    expect(await listAuditedSteps(person.id)).toEqual([
      ["factor_reset.asked", caller.id],
      ["factor_reset.done", null],
    ]);
    await runAdminActionsJob();
    expect(await deliverAndReadMails(server, person.email, "factor_reset_done")).toHaveLength(1);
    const listResponse = await get(`/api/admin/factor-resets?user_id=${person.id}`, caller.token);
    expect(listResponse.json.data).toMatchObject([{ state: "done", ended_at: expect.any(String) }]);
  });

  it("can remove one factor and keeps the recovery codes for the others", async () => {
    const person = await makeUserWithTotp();
    await makeEmailFactor(person.id);
    const id = await createReset(person.id, caller.token, { reason, factors: ["totp", "totp"] });
    await makeResetDue(id);
    await runAdminActionsJob();
    const remainingFactors = await prisma().factor.findMany({
      where: { userId: person.id },
      select: { kind: true },
    });
    expect(remainingFactors).toEqual([{ kind: "email" }]);
    expect(await prisma().recoveryCode.count({ where: { userId: person.id } })).toBeGreaterThan(0);
  });

  it("is refused for the caller's own account and for accounts without that factor", async () => {
    const person = await makeUserWithTotp();
    for (const id of [caller.id, (await makeUser()).id])
      expect((await requestReset(id)).status, String(id)).toBe(422);
    expect((await requestReset(person.id, caller.token, { reason, factors: ["sms"] })).status).toBe(422);
    expect((await requestReset(2_147_483_647)).status).toBe(404);
    expect(await prisma().adminAction.count({ where: { targetId: person.id } })).toBe(0);
  });

  it("is requested once per account by concurrent calls", async () => {
    const person = await makeUserWithTotp();
    const responses = await runConcurrently(8, (index) =>
      requestReset(person.id, [caller, secondAdmin][index % 2]!.token),
    );
    expect(countByStatus(responses)).toEqual({ 201: 1, 422: 7 });
    expect(await deliverAndReadMails(server, person.email, "factor_reset_asked")).toHaveLength(1);
    const [row] = await prisma().adminAction.findMany({ where: { targetId: person.id } });
    const { id, createdAt: _, ...rowFields } = row!;
    const duplicate = { ...rowFields, id: `${id.slice(0, -1)}0`, cancelHash: new Uint8Array(32) };
    await expect(prisma().adminAction.create({ data: duplicate })).rejects.toThrow(/nique/);
  });

  it("uses the delay of the settings", async () => {
    await useSettings({ factor_reset_delay_hours: 0 });
    const person = await makeUserWithTotp();
    const id = await createReset(person.id);
    await runAdminActionsJob();
    expect(await readResetState(id)).toBe("done");
    const tooLong = { factor_reset_delay_hours: 169 };
    expect((await call("PUT", "/api/admin/settings", { token: caller.token, body: tooLong })).status).toBe(
      422,
    );
  });
});

describe("cancelling a reset", () => {
  it("works once for the owner with the mailed link, without signing in", async () => {
    const person = await makeUserWithTotp();
    const id = await createReset(person.id);
    const token = getLinkParam(
      (await deliverAndReadMails(server, person.email, "factor_reset_asked"))[0]!,
      "token",
    );
    for (const wrongToken of [createToken("dsa"), `${token}x`, "no-token"])
      expect((await cancelByMailedLink(wrongToken)).status, wrongToken).toBe(400);
    expect((await cancelByMailedLink(token)).status).toBe(200);
    expect((await cancelByMailedLink(token)).status).toBe(400);
    await makeResetDue(id);
    await runAdminActionsJob();
    expect(await readResetState(id)).toBe("cancelled");
    expect(await countFactors(person.id)).toBe(1);
    expect(await listAuditedSteps(person.id)).toEqual([
      ["factor_reset.asked", caller.id],
      ["factor_reset.cancelled", person.id],
    ]);
    await createReset(person.id);
  });

  it("works for any administrator and notifies the owner", async () => {
    const person = await makeUserWithTotp();
    const id = await createReset(person.id);
    expect((await decideReset(id, "cancel")).json.reset.state).toBe("cancelled");
    expect((await decideReset(id, "cancel")).status).toBe(422);
    expect((await decideReset(id, "approve")).status).toBe(422);
    expect(await deliverAndReadMails(server, person.email, "factor_reset_cancelled")).toHaveLength(1);
    expect((await decideReset("0".repeat(26), "cancel")).status).toBe(404);
  });

  it.each(Array.from({ length: 20 }, (_, round) => round))(
    "has exactly one outcome when the reset also runs at the same time, round %i",
    async (round) => {
      const person = await makeUserWithTotp();
      const id = await createReset(person.id);
      const token = createToken("dsa");
      const cancelHash = Uint8Array.from(hashSecret(token));
      await prisma().adminAction.update({ where: { id }, data: { cancelHash, runAt: new Date() } });
      const [stopResponses, cancelResponses] = await Promise.all([
        runConcurrently(3, () => cancelByMailedLink(token, `198.51.100.${round + 1}`)),
        runConcurrently(2, () => decideReset(id, "cancel")),
        runConcurrently(3, () => runAdminActionsJob()),
      ]);
      const state = await readResetState(id);
      const cancelCount = [...stopResponses, ...cancelResponses].filter(
        ({ status }) => status === 200,
      ).length;
      expect([state, cancelCount]).toEqual(state === "done" ? ["done", 0] : ["cancelled", 1]);
      expect(await countFactors(person.id)).toBe(state === "done" ? 0 : 1);
      expect(await listAuditedSteps(person.id)).toHaveLength(2);
    },
  );
});

describe("a second administrator", () => {
  it("is needed if the setting says so: another administrator, once, with a proof of identity", async () => {
    await useSettings({ two_administrators: true });
    const person = await makeUserWithTotp();
    const { json } = await requestReset(person.id);
    const { id } = json.reset;
    expect(json.reset.approval_due).toBe(true);
    await makeResetDue(id);
    await runAdminActionsJob();
    expect(await readResetState(id)).toBe("waiting");
    const ownApproval = await decideReset(id, "approve", caller.token);
    expect({ status: ownApproval.status, error: ownApproval.json.error }).toEqual({
      status: 422,
      error: expect.any(String),
    });
    expect((await decideReset(id, "approve", await makeToken(secondAdmin.id))).status).toBe(403);
    const responses = await Promise.all(
      [secondAdmin, thirdAdmin].map(({ token }) => decideReset(id, "approve", token)),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 1 });
    await runAdminActionsJob();
    expect(await readResetState(id)).toBe("done");
  });

  it("is needed if the setting is on when the reset is requested or when it runs", async () => {
    const [firstPerson, secondPerson] = [await makeUserWithTotp(), await makeUserWithTotp()];
    const idBeforeSetting = await createReset(firstPerson.id);
    await useSettings({ two_administrators: true });
    const idDuringSetting = await createReset(secondPerson.id);
    for (const id of [idBeforeSetting, idDuringSetting]) await makeResetDue(id);
    await runAdminActionsJob();
    expect([await readResetState(idBeforeSetting), await readResetState(idDuringSetting)]).toEqual([
      "waiting",
      "waiting",
    ]);
    await putSettings({ two_administrators: false });
    await runAdminActionsJob();
    expect([await readResetState(idBeforeSetting), await readResetState(idDuringSetting)]).toEqual([
      "done",
      "waiting",
    ]);
    await decideReset(idDuringSetting, "cancel");
  });

  it("is always required for an administrator, even one appointed after the request", async () => {
    const [owner, person] = [await makeUserWithTotp({ role: "admin" }), await makeUserWithTotp()];
    const token = await makeToken(owner.id, { provenAt: new Date() });
    const ids = [await createReset(owner.id), await createReset(person.id)];
    await prisma().user.update({ where: { id: person.id }, data: { role: "admin" } });
    for (const id of ids) await makeResetDue(id);
    await runAdminActionsJob();
    for (const id of ids) expect(await readResetState(id)).toBe("waiting");
    expect((await decideReset(ids[0]!, "approve", token)).status).toBe(422);
    for (const id of ids) expect((await decideReset(id, "approve")).status).toBe(200);
    await runAdminActionsJob();
    for (const id of ids) expect(await readResetState(id)).toBe("done");
  });

  it("must approve in time", async () => {
    const owner = await makeUserWithTotp({ role: "admin" });
    const id = await createReset(owner.id);
    // One day more than `APPROVAL_LIFETIME_MS` in settle.ts.
    await makeResetDue(id, new Date(Date.now() - 8 * 24 * HOUR));
    await runAdminActionsJob();
    expect(await readResetState(id)).toBe("cancelled");
    expect(await countFactors(owner.id)).toBe(1);
  });
});

describe("a waiting reset", () => {
  const adminChanges = {
    demoted: (id: number) => prisma().user.update({ where: { id }, data: { role: "user" } }),
    deactivated: (id: number) => prisma().user.update({ where: { id }, data: { isActive: false } }),
    deleted: async (id: number) => {
      await prisma().adminAction.updateMany({ where: { requestedById: id }, data: { requestedById: null } });
      await prisma().adminAction.updateMany({ where: { approvedById: id }, data: { approvedById: null } });
    },
  };
  it.each(Object.keys(adminChanges) as Array<keyof typeof adminChanges>)(
    "removes nothing once requester and approver are %s",
    async (change) => {
      const [requester, approver] = [await makeAdmin(), await makeAdmin()];
      const [firstPerson, adminPerson] = [
        await makeUserWithTotp(),
        await makeUserWithTotp({ role: "admin" }),
      ];
      const ids = [await createReset(firstPerson.id, requester.token), await createReset(adminPerson.id)];
      expect((await decideReset(ids[1]!, "approve", approver.token)).status).toBe(200);
      for (const { id } of [requester, approver]) await adminChanges[change](id);
      for (const id of ids) await makeResetDue(id);
      await runAdminActionsJob();
      expect(await readResetState(ids[0]!)).toBe("cancelled");
      expect(await readResetState(ids[1]!)).toBe(change === "deleted" ? "waiting" : "cancelled");
      for (const { id } of [firstPerson, adminPerson]) expect(await countFactors(id)).toBe(1);
      expect(await deliverAndReadMails(server, firstPerson.email, "factor_reset_cancelled")).toHaveLength(1);
    },
  );

  it("is cancelled if the owner removed the factor", async () => {
    const person = await makeUserWithTotp();
    const id = await createReset(person.id);
    const sessionToken = await makeToken(person.id);
    await prisma().factor.deleteMany({ where: { userId: person.id } });
    await makeResetDue(id);
    await runAdminActionsJob();
    expect(await readResetState(id)).toBe("cancelled");
    expect((await get("/api/user", sessionToken)).status).toBe(200);
  });

  it("is exported with the account and deleted with it", async () => {
    const person = await makeUserWithTotp();
    const id = await createReset(person.id);
    const exportedResets = await archiveReaders.factor_resets(prisma(), person.id);
    expect(exportedResets).toMatchObject([{ kind: "reset_two_factor", state: "waiting" }]);
    expect(JSON.stringify(exportedResets)).not.toContain(reason);
    await inTransaction((tx) => erasePersonalData(tx, person.id));
    expect(await prisma().adminAction.count({ where: { id } })).toBe(0);
    await runAdminActionsJob();
  });

  it("cannot be requested if no administrator could approve it", async () => {
    const owner = await makeUserWithTotp({ role: "admin" });
    const otherAdmins = { role: "admin" as const, id: { notIn: [owner.id, caller.id] } };
    const setActive = (isActive: boolean) =>
      prisma()
        .user.updateMany({ where: otherAdmins, data: { isActive } })
        .then(() => {});
    onTestFinished(() => setActive(true));
    await setActive(false);
    const { status, json } = await requestReset(owner.id);
    expect({ status, error: json.error }).toEqual({ status: 422, error: expect.any(String) });
  });
});
