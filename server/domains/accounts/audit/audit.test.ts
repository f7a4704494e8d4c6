import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { env } from "@/server/core/env";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, extractCode } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";
import { checkAuditJob } from "./jobs";
import { addSecretChange, audit, diffFields } from "./service/audit";
import { verifyAudit } from "./service/check";
import { findLastCheck } from "./service/last-check";
import { sealEntries } from "./service/seal";

const server = await startTestServer();
const { post } = server;
const sealAll = () => sealEntries({ maxEntries: 100_000, minAgeSeconds: -1 });
const verifyLog = () => verifyAudit(withoutTransaction());

async function writeEntries(actorId: number, count = 3): Promise<void> {
  const ctx = { ...createSystemContext(withoutTransaction()), ip: "203.0.113.7", userAgent: "Browser" };
  for (let index = 0; index < count; index++)
    await audit(ctx, {
      action: "profile.changed",
      actorId,
      object: { type: "User", id: actorId },
      details: { fields: "name" },
      changes: { before: { name: "A" }, after: { name: "B" } },
    });
}

const withoutTrigger = (statements: string) =>
  `alter table audit_events disable trigger audit_events_kept; ${statements}; alter table audit_events enable trigger audit_events_kept`;

async function findBreakAfterTampering(statements: string) {
  let verdict: Awaited<ReturnType<typeof verifyLog>> | undefined;
  await inTransaction(async (tx) => {
    for (const statement of withoutTrigger(statements).split("; ")) await tx.db.$executeRawUnsafe(statement);
    verdict = await verifyAudit(tx);
    throw new Error("reverted");
  }).catch((error: Error) => expect(error.message).toBe("reverted"));
  return verdict!.broken;
}

describe("the audit log", () => {
  it("seals each entry once, after a minute", async () => {
    const user = await makeUser();
    await writeEntries(user.id);
    expect(await sealEntries({ maxEntries: 1000 })).toBe(0);
    // A release without seals writes entries like this one.
    await pool().query("insert into audit_events (actor_kind, action) values ('system', 'ledger.checked')");
    const unsealedCount = await prisma().auditEvent.count({ where: { sealId: null } });
    const sealedCounts = await Promise.all(Array.from({ length: 5 }, sealAll));
    expect(sealedCounts.reduce((sum, count) => sum + count)).toBe(unsealedCount);
    const verdict = await verifyLog();
    expect({ broken: verdict.broken, entries: verdict.entryCount, erased: verdict.erasedCount }).toEqual({
      broken: undefined,
      entries: unsealedCount,
      erased: 0,
    });
  });

  it("reports entries that were altered, removed, added or cut off", async () => {
    const user = await makeUser();
    for (let round = 0; round < 3; round++) {
      await writeEntries(user.id, 4);
      await sealAll();
    }
    const rows = await prisma().auditEvent.findMany({ orderBy: { id: "asc" }, where: { actorId: user.id } });
    // The entries of the second of three seals.
    const [firstEntry, secondEntry, thirdEntry, lastEntry] = [rows[4]!, rows[5]!, rows[6]!, rows[7]!];
    const lastSealId = (await prisma().auditSeal.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
    const buildBreak = (id: bigint, reason: string) => ({ reason, id: Number(id) });
    for (const assignment of [
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
      expect(
        await findBreakAfterTampering(`update audit_events set ${assignment} where id = ${secondEntry.id}`),
        assignment,
      ).toEqual(buildBreak(secondEntry.id, "entry_altered"));
    for (const { id } of [secondEntry, thirdEntry])
      expect(await findBreakAfterTampering(`delete from audit_events where id = ${id}`)).toEqual(
        buildBreak(lastEntry.id, "entry_removed"),
      );
    expect(await findBreakAfterTampering(`delete from audit_events where id = ${firstEntry.id}`)).toEqual(
      buildBreak(firstEntry.id, "entry_removed"),
    );
    expect(await findBreakAfterTampering(`delete from audit_events where id = ${lastEntry.id}`)).toEqual(
      buildBreak(lastEntry.id, "entry_removed"),
    );
    expect(
      await findBreakAfterTampering(
        `update audit_events set seal_id = null, action = 'a.b' where id = ${secondEntry.id}`,
      ),
    ).toEqual(buildBreak(lastEntry.id, "entry_removed"));
    const addedEntry = rows[9]!;
    const addSql = `update audit_events set seal_id = ${lastEntry.sealId} where id = ${addedEntry.id}`;
    for (const statements of [addSql, `${addSql}; delete from audit_events where id = ${lastEntry.id}`])
      expect(await findBreakAfterTampering(statements)).toEqual(buildBreak(addedEntry.id, "entry_added"));
    const deleteSealedEntriesSql = `delete from audit_events where seal_id = ${lastEntry.sealId}`;
    expect(await findBreakAfterTampering(deleteSealedEntriesSql)).toEqual(
      buildBreak(firstEntry.id, "entry_removed"),
    );
    expect(
      (
        await findBreakAfterTampering(
          `${deleteSealedEntriesSql}; delete from audit_seals where id = ${lastEntry.sealId}`,
        )
      )?.reason,
    ).toBe("seal_removed");
    const cutOffSql = `delete from audit_events where seal_id = ${lastSealId}; delete from audit_seals where id = ${lastSealId}`;
    expect(await findBreakAfterTampering(cutOffSql)).toEqual({ reason: "cut_off", id: lastSealId });
    const verdictWithoutHead = await findBreakAfterTampering(`${cutOffSql}; delete from audit_heads`);
    expect(verdictWithoutHead).toEqual({ reason: "head_removed", id: lastSealId - 1 });
    const forgedHeadSql = `${cutOffSql}; update audit_heads set seal_id = ${lastSealId - 1}, hash = (select hash from audit_seals where id = ${lastSealId - 1})`;
    expect((await findBreakAfterTampering(forgedHeadSql))?.reason).toBe("head_forged");
    expect(
      (await findBreakAfterTampering(`update audit_seals set rows = 1 where id = ${lastSealId}`))?.reason,
    ).toBe("seal_altered");
    expect((await verifyLog()).broken).toBeUndefined();
  });

  it("refuses to change or delete entries, except to erase their content", async () => {
    const user = await makeUser();
    await writeEntries(user.id);
    await sealAll();
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
    const { broken, erasedCount } = await verifyLog();
    expect({ broken, erased: erasedCount }).toEqual({ broken: undefined, erased: 3 });
  });

  it("stays valid when accounts are deleted before or after their entries are sealed", async () => {
    const users = await Promise.all([makeUser(), makeUser(), makeUser()]);
    for (const { id } of users) await writeEntries(id);
    await sealAll();
    const { erasedCount } = await verifyLog();
    await writeEntries(users[0]!.id);
    const [concurrentVerdict] = await Promise.all([
      verifyLog(),
      ...users.map(async ({ id, email }) => {
        const token = await makeToken(id);
        await post("/api/auth/account/delete-request", undefined, { token });
        const [mail] = await deliverAndReadMails(server, email, "deletion_code");
        const code = extractCode(mail!);
        expect((await post("/api/auth/account/confirm-delete", { code }, { token })).status).toBe(200);
      }),
      sealAll(),
    ]);
    expect(concurrentVerdict.broken).toBeUndefined();
    await sealAll();
    const verdictAfterDeletion = await verifyLog();
    expect(verdictAfterDeletion.broken).toBeUndefined();
    expect(verdictAfterDeletion.erasedCount).toBeGreaterThanOrEqual(erasedCount + 9);
  });

  it("is verified by a job, which stores its result, and by a command", async () => {
    await checkAuditJob();
    expect(await findLastCheck(withoutTransaction())).toMatchObject({ broken: null });
    const runChainCommand = (...args: string[]) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/chains.ts", "audit", ...args], {
        env: { ...process.env, DATABASE_URL: env().DATABASE_URL, TSX_TSCONFIG_PATH: "tsconfig.node.json" },
      }).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
      );
    const { lastHash } = await verifyLog();
    const validRun = await runChainCommand(lastHash!);
    expect(validRun).toMatchObject({ code: 0 });
    expect(validRun.output).toContain("content erased, row untouched");
    expect((await runChainCommand("0".repeat(64))).code).toBe(1);
    const { id } = (await prisma().auditEvent.findFirst({ where: { sealId: { not: null } } }))!;
    await pool().query(withoutTrigger(`update audit_events set action = 'role.changed' where id = ${id}`));
    const brokenRun = await runChainCommand();
    expect(brokenRun.code).toBe(1);
    expect(brokenRun.output.trim()).toBe(`Entry ${id} is not what was recorded.`);
    await checkAuditJob();
    expect((await findLastCheck(withoutTransaction()))?.broken).toEqual({
      reason: "entry_altered",
      id: Number(id),
    });
  });
});

it("records only changed fields, and no values of secrets", () => {
  const before = { name: "A", features: ["x"], phone: null as string | null };
  expect(diffFields(before, { ...before })).toBeUndefined();
  expect(diffFields(before, { name: "A", features: ["x", "y"], phone: "1" })).toEqual({
    before: { features: '["x"]', phone: null },
    after: { features: '["x","y"]', phone: "1" },
  });
  expect(diffFields({ text: "" }, { text: "a".repeat(500) })!.after.text).toHaveLength(201);
  expect(addSecretChange(undefined, "key")).toEqual({
    before: { key: "changed" },
    after: { key: "changed" },
  });
});
