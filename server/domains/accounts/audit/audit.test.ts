import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { systemContext } from "@/server/core/context";
import { env } from "@/server/core/env";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken, makeUser } from "@/server/testing/factories";
import { codeIn, mailsTo } from "@/server/testing/mailbox";
import { testServer } from "@/server/testing/server";
import { checkAuditJob } from "./jobs";
import { audit, changesOf, secretChanged } from "./service/audit";
import { verifyAudit } from "./service/check";
import { findLastCheck } from "./service/last-check";
import { sealEntries } from "./service/seal";

const server = await testServer();
const { post } = server;
const seal = () => sealEntries({ most: 100_000, seconds: -1 });
const verify = () => verifyAudit(withoutTransaction());

async function note(actorId: number, count = 3): Promise<void> {
  const ctx = { ...systemContext(withoutTransaction()), ip: "203.0.113.7", userAgent: "Browser" };
  for (let index = 0; index < count; index++)
    await audit(ctx, {
      action: "profile.changed",
      actorId,
      object: { type: "User", id: actorId },
      details: { fields: "name" },
      changes: { before: { name: "A" }, after: { name: "B" } },
    });
}

const unguarded = (statements: string) =>
  `alter table audit_events disable trigger audit_events_kept; ${statements}; alter table audit_events enable trigger audit_events_kept`;

async function tampered(statements: string) {
  let verdict: Awaited<ReturnType<typeof verify>> | undefined;
  await inTransaction(async (tx) => {
    for (const statement of unguarded(statements).split("; ")) await tx.db.$executeRawUnsafe(statement);
    verdict = await verifyAudit(tx);
    throw new Error("reverted");
  }).catch((error: Error) => expect(error.message).toBe("reverted"));
  return verdict!.broken;
}

describe("the audit log", () => {
  it("seals each entry once, after a minute", async () => {
    const user = await makeUser();
    await note(user.id);
    expect(await sealEntries({ most: 1000 })).toBe(0);
    // A release without seals writes entries like this one.
    await pool().query("insert into audit_events (actor_kind, action) values ('system', 'ledger.checked')");
    const unsealed = await prisma().auditEvent.count({ where: { sealId: null } });
    const sealed = await Promise.all(Array.from({ length: 5 }, seal));
    expect(sealed.reduce((sum, count) => sum + count)).toBe(unsealed);
    const verdict = await verify();
    expect({ broken: verdict.broken, entries: verdict.entries, erased: verdict.erased }).toEqual({
      broken: undefined,
      entries: unsealed,
      erased: 0,
    });
  });

  it("reports entries that were altered, removed, added or cut off", async () => {
    const user = await makeUser();
    for (let round = 0; round < 3; round++) {
      await note(user.id, 4);
      await seal();
    }
    const rows = await prisma().auditEvent.findMany({ orderBy: { id: "asc" }, where: { actorId: user.id } });
    const [first, second, third, last] = [rows[4]!, rows[5]!, rows[6]!, rows[7]!];
    const end = (await prisma().auditSeal.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
    const of = (id: bigint, reason: string) => ({ reason, id: Number(id) });
    for (const change of [
      "action = 'role.changed'",
      "at = at - interval '1 day'",
      `details = '{"fields":"phone"}'`,
      `after = '{"name":"C"}'`,
      "ip = '198.51.100.1'",
      "actor_id = null",
      "on_behalf_of = 1",
      "request_id = 'x'",
      "row_hash = content_hash",
    ])
      expect(await tampered(`update audit_events set ${change} where id = ${second.id}`), change).toEqual(
        of(second.id, "entry_altered"),
      );
    for (const { id } of [second, third])
      expect(await tampered(`delete from audit_events where id = ${id}`)).toEqual(
        of(last.id, "entry_removed"),
      );
    expect(await tampered(`delete from audit_events where id = ${first.id}`)).toEqual(
      of(first.id, "entry_removed"),
    );
    expect(await tampered(`delete from audit_events where id = ${last.id}`)).toEqual(
      of(last.id, "entry_removed"),
    );
    expect(
      await tampered(`update audit_events set seal_id = null, action = 'a.b' where id = ${second.id}`),
    ).toEqual(of(last.id, "entry_removed"));
    const wholeSeal = `delete from audit_events where seal_id = ${last.sealId}`;
    expect(await tampered(wholeSeal)).toEqual(of(first.id, "entry_removed"));
    expect((await tampered(`${wholeSeal}; delete from audit_seals where id = ${last.sealId}`))?.reason).toBe(
      "seal_removed",
    );
    const cut = `delete from audit_events where seal_id = ${end}; delete from audit_seals where id = ${end}`;
    expect(await tampered(cut)).toEqual({ reason: "cut_off", id: end });
    const headless = await tampered(`${cut}; delete from audit_heads`);
    expect(headless).toEqual({ reason: "head_removed", id: end - 1 });
    const forged = `${cut}; update audit_heads set seal_id = ${end - 1}, hash = (select hash from audit_seals where id = ${end - 1})`;
    expect((await tampered(forged))?.reason).toBe("head_forged");
    expect((await tampered(`update audit_seals set rows = 1 where id = ${end}`))?.reason).toBe(
      "seal_altered",
    );
    expect((await verify()).broken).toBeUndefined();
  });

  it("refuses changes and deletions, except erasing content", async () => {
    const user = await makeUser();
    await note(user.id);
    await seal();
    const where = { actorId: user.id };
    await expect(prisma().auditEvent.deleteMany({ where })).rejects.toThrow("not deleted");
    for (const data of [{ action: "role.changed" }, { ip: "::1" }, { details: {} }, { sealId: null }])
      await expect(prisma().auditEvent.updateMany({ where, data })).rejects.toThrow("not changed");
    // The previous release erases content like this.
    await pool().query(
      "update audit_events set details = null, ip = null, user_agent = null where actor_id = $1",
      [user.id],
    );
    const [entry] = await prisma().auditEvent.findMany({ where });
    expect(entry).toMatchObject({ details: null, before: null, after: null, ip: null });
    const { broken, erased } = await verify();
    expect({ broken, erased }).toEqual({ broken: undefined, erased: 3 });
  });

  it("stays valid when accounts are deleted before or after their entries are sealed", async () => {
    const people = await Promise.all([makeUser(), makeUser(), makeUser()]);
    for (const { id } of people) await note(id);
    await seal();
    const { erased } = await verify();
    await note(people[0]!.id);
    const [walked] = await Promise.all([
      verify(),
      ...people.map(async ({ id, email }) => {
        const token = await makeToken(id);
        await post("/api/auth/account/delete-request", undefined, { token });
        const [mail] = await mailsTo(server, email, "deletion_code");
        const code = codeIn(mail!);
        expect((await post("/api/auth/account/confirm-delete", { code }, { token })).status).toBe(200);
      }),
      seal(),
    ]);
    expect(walked.broken).toBeUndefined();
    await seal();
    const after = await verify();
    expect(after.broken).toBeUndefined();
    expect(after.erased).toBeGreaterThanOrEqual(erased + 9);
  });

  it("is verified by a job, whose result the health check shows, and by a command", async () => {
    await checkAuditJob();
    expect(await findLastCheck(withoutTransaction())).toMatchObject({ broken: null });
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/chains.ts", "audit", ...args], {
        env: { ...process.env, DATABASE_URL: env().DATABASE_URL, TSX_TSCONFIG_PATH: "tsconfig.node.json" },
      }).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
      );
    const { head } = await verify();
    const good = await run(head!);
    expect(good).toMatchObject({ code: 0 });
    expect(good.output).toContain("content erased, row untouched");
    expect((await run("0".repeat(64))).code).toBe(1);
    const { id } = (await prisma().auditEvent.findFirst({ where: { sealId: { not: null } } }))!;
    await pool().query(unguarded(`update audit_events set action = 'role.changed' where id = ${id}`));
    const bad = await run();
    expect(bad.code).toBe(1);
    expect(bad.output.trim()).toBe(`Entry ${id} is not what was recorded.`);
    await checkAuditJob();
    expect((await findLastCheck(withoutTransaction()))?.broken).toEqual({
      reason: "entry_altered",
      id: Number(id),
    });
  });
});

it("records only changed fields, and no values of secrets", () => {
  const was = { name: "A", features: ["x"], phone: null as string | null };
  expect(changesOf(was, { ...was })).toBeUndefined();
  expect(changesOf(was, { name: "A", features: ["x", "y"], phone: "1" })).toEqual({
    before: { features: '["x"]', phone: null },
    after: { features: '["x","y"]', phone: "1" },
  });
  expect(changesOf({ text: "" }, { text: "a".repeat(500) })!.after.text).toHaveLength(201);
  expect(secretChanged(undefined, "key")).toEqual({ before: { key: "changed" }, after: { key: "changed" } });
});
