import { describe, expect, it, vi } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { startTestServer } from "@/server/testing/server";
import { audit } from "./service/audit";
import { verifyAudit } from "./service/check";
import { deleteExpiredEntries } from "./service/retention";
import { sealEntries } from "./service/seal";

await startTestServer();

async function writeOldEntries(
  ageDays: number,
  actions: ("profile.changed" | "site.created" | "account.claimed")[],
): Promise<void> {
  const lastEntry = await prisma().auditEvent.aggregate({ _max: { id: true } });
  const ctx = createSystemContext(withoutTransaction());
  for (const action of actions) await audit(ctx, { action, details: { days: ageDays } });
  await pool().query(
    `alter table audit_events disable trigger audit_events_kept;
     update audit_events set at = now() - interval '${ageDays} days' where id > ${lastEntry._max.id ?? 0};
     alter table audit_events enable trigger audit_events_kept`,
  );
  // Seals use the clock of this process.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - ageDays * DAY });
  try {
    await sealEntries({ maxEntries: 1000, minAgeSeconds: -1 });
  } finally {
    vi.useRealTimers();
  }
}

const listActionsWithAge = async () =>
  (
    await prisma().auditEvent.findMany({ orderBy: { id: "asc" }, select: { action: true, details: true } })
  ).map(({ action, details }) => `${action} ${(details as { days?: number } | null)?.days}`);
const deleteOlderThan = (days: number) => deleteExpiredEntries({ before: fromNow(-days * DAY) });
const findBreak = async () => (await verifyAudit(withoutTransaction())).broken;

async function findReasonAfterTampering(statement: string) {
  let result: Awaited<ReturnType<typeof findBreak>>;
  await inTransaction(async (tx) => {
    await tx.db.$executeRawUnsafe("alter table audit_events disable trigger audit_events_kept");
    await tx.db.$executeRawUnsafe(statement);
    result = (await verifyAudit(tx)).broken;
    throw new Error("reverted");
  }).catch((error: Error) => expect(error.message).toBe("reverted"));
  return result?.reason;
}

describe("the retention of the audit log", () => {
  it("deletes all expired seals", async () => {
    // One more than SEALS_PER_BATCH.
    for (let count = 0; count < 6; count++) await writeOldEntries(950, ["profile.changed"]);
    await writeOldEntries(920, ["profile.changed"]);
    expect(await deleteOlderThan(940)).toBe(6);
    expect(await listActionsWithAge()).toEqual(["profile.changed 920"]);
  });

  it("deletes sealed entries, oldest first, and leaves a valid chain", async () => {
    await writeOldEntries(900, ["profile.changed", "site.created", "account.claimed"]);
    await writeOldEntries(800, ["profile.changed"]);
    await writeOldEntries(740, ["site.created", "profile.changed"]);
    await writeOldEntries(100, ["profile.changed"]);
    await writeOldEntries(0, ["profile.changed"]);
    expect(await deleteOlderThan(1000)).toBe(0);
    expect(await deleteOlderThan(850)).toBe(2);
    expect(await findBreak()).toBeUndefined();
    const deletedCounts = await Promise.all([
      deleteOlderThan(730),
      deleteOlderThan(730),
      deleteOlderThan(730),
    ]);
    expect(deletedCounts.reduce((sum, count) => sum + count)).toBe(2);
    expect(await listActionsWithAge()).toEqual([
      "site.created 900",
      "account.claimed 900",
      "site.created 740",
      "profile.changed 100",
      "profile.changed 0",
    ]);
    const { broken: brokenResult, entryCount, sealCount } = await verifyAudit(withoutTransaction());
    expect({ wrong: brokenResult, entries: entryCount, seals: sealCount }).toEqual({
      wrong: undefined,
      entries: 5,
      seals: 2,
    });
    expect(await deleteOlderThan(730)).toBe(0);
  });

  it("refuses deletions outside retention, and the check reports forced ones", async () => {
    for (const where of [{ action: "profile.changed" }, { details: { equals: { days: 100 } } }])
      await expect(prisma().auditEvent.deleteMany({ where })).rejects.toThrow("not deleted");
    expect(
      await findReasonAfterTampering(
        "delete from audit_events where action = 'site.created' and details->>'days' = '900'",
      ),
    ).toBe("entry_removed");
    expect(await findReasonAfterTampering("delete from audit_stubs")).toBe("seal_removed");
    expect(await findReasonAfterTampering("update audit_stubs set kept = 1")).toBe("stub_forged");
    expect(
      await findReasonAfterTampering("update audit_events set action = 'a.b' where action = 'site.created'"),
    ).toBe("entry_altered");
    const insertSql = `insert into audit_events (actor_kind, action, seal_id, content_hash, row_hash)
      select actor_kind, action, 1, content_hash, row_hash from audit_events where action = 'site.created' limit 1`;
    expect(await findReasonAfterTampering(insertSql)).toBe("entry_altered");
    expect(await findBreak()).toBeUndefined();
  });

  it("leaves a valid chain while entries are sealed and verified, and keeps the last seal", async () => {
    const verification = verifyAudit(withoutTransaction());
    await Promise.all([deleteOlderThan(90), sealEntries({ maxEntries: 1000, minAgeSeconds: -1 })]);
    expect((await verification).broken).toBeUndefined();
    expect(await findBreak()).toBeUndefined();
    expect(await deleteExpiredEntries({ before: fromNow(DAY) })).toBe(0);
    expect(await prisma().auditSeal.count()).toBe(1);
  });

  it("refuses to delete altered entries", async () => {
    await writeOldEntries(0, ["profile.changed"]);
    await pool().query(
      `alter table audit_events disable trigger audit_events_kept;
       update audit_events set at = at - interval '1 year' where seal_id = (select min(id) from audit_seals);
       alter table audit_events enable trigger audit_events_kept`,
    );
    const sealCount = await prisma().auditSeal.count();
    await expect(deleteExpiredEntries({ before: fromNow(DAY) })).rejects.toThrow("at entry");
    expect(await prisma().auditSeal.count()).toBe(sealCount);
  });
});
