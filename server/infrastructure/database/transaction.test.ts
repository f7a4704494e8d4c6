import { afterAll, beforeAll, expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { makeUser } from "@/server/demo/factories";
import { runConcurrently } from "@/server/testing/burst";
import { createTestDatabase } from "@/server/testing/database";
import { closeDatabase, pool, prisma } from "./client";
import { isUniqueViolation } from "./error-kinds";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
  withStatementTransaction,
  withTransaction,
} from "./transaction";

beforeAll(async () => void (await createTestDatabase()));
afterAll(closeDatabase);

const readPid = async ({ sql }: Pick<DbAccess, "sql">) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`)[0]!.pid;
const readName = async (id: number) => (await prisma().user.findUniqueOrThrow({ where: { id } })).name;
const renameUser = ({ db }: Pick<DbAccess, "db">, id: number, name: string) =>
  db.user.update({ where: { id }, data: { name }, select: { id: true } });

it("runs Prisma and statements in one transaction on one connection", async () => {
  const { id } = await makeUser();
  await inTransaction(async (tx) => {
    await renameUser(tx, id, "within");
    const [row] = await tx.sql<{ name: string }>`select name from users where id = ${id}`;
    expect(row!.name).toBe("within");
    expect(await readName(id)).not.toBe("within");
    const [prismaRow] = await tx.db.$queryRaw<[{ pid: number }]>`select pg_backend_pid() as pid`;
    expect(await readPid(tx)).toBe(prismaRow.pid);
  });
  expect(await readName(id)).toBe("within");
});

it.each([
  ["its own error", () => Promise.reject(new Error("no"))],
  ["an error of Prisma", ({ db }: DbAccess) => db.user.update({ where: { id: -1 }, data: { name: "x" } })],
  ["an error of a statement", ({ sql }: DbAccess) => sql`select 1 / 0`],
])("rolls back after %s", async (_, causeError) => {
  const { id, name } = await makeUser();
  const changeAndFail = async (tx: DbAccess) => {
    await renameUser(tx, id, "lost");
    await tx.sql`update users set credits = 7 where id = ${id}`;
    await causeError(tx);
  };
  await expect(inTransaction(changeAndFail)).rejects.toThrow();
  const user = await prisma().user.findUniqueOrThrow({ where: { id } });
  expect({ name: user.name, credits: user.credits }).toEqual({ name, credits: 1000 });
});

it("returns the same rows and errors inside and outside of a Prisma transaction", async () => {
  const { id, emailKey } = await makeUser();
  const otherUser = await makeUser();
  const readValues = ({ sql }: Pick<DbAccess, "sql">) => sql`
    select id, '\\x0102'::bytea as bytes, 5000000000::bigint as large, now()::timestamptz(0) as at, null as nothing,
           '{"a":1}'::jsonb as json, array['x', 'y'] as list, role from users where id = ${id}`;
  const violateUniqueEmail = ({ sql }: Pick<DbAccess, "sql">) =>
    sql`update users set email_key = ${emailKey} where id = ${otherUser.id}`.then(
      () => "none",
      (error: { code: string }) => error.code,
    );
  const [rowsOutside, rowsInside] = [await readValues(withoutTransaction()), await inTransaction(readValues)];
  expect(rowsInside[0]).toEqual({ ...rowsOutside[0], at: expect.any(Date) });
  expect(await violateUniqueEmail(withoutTransaction())).toBe("23505");
  let code: string | undefined;
  await inTransaction(async (tx) => {
    code = await violateUniqueEmail(tx);
    throw new Error("over");
  }).catch(() => {});
  expect(code).toBe("23505");
});

it("fails on commit when a failed statement was swallowed", async () => {
  const { id, name } = await makeUser();
  const transaction = inTransaction(async (tx) => {
    await renameUser(tx, id, "lost");
    await tx.sql`select 1 / 0`.catch(() => {});
  });
  await expect(transaction).rejects.toThrow("rolled back");
  expect(await readName(id)).toBe(name);
});

it("does not share its connection with a transaction opened in the meantime", async () => {
  await inTransaction(async (tx) => {
    const ownPid = await readPid(tx);
    await inTransaction(async (inner) => expect(await readPid(inner)).not.toBe(ownPid));
    await prisma().$transaction([prisma().user.count()]);
    expect(await readPid(tx)).toBe(ownPid);
  });
});

it("identifies the unique column that was violated", async () => {
  const [firstUser, secondUser] = [await makeUser(), await makeUser()];
  const error: unknown = await inTransaction(({ db }) =>
    db.user.update({ where: { id: secondUser.id }, data: { emailKey: firstUser.emailKey } }),
  ).catch((thrown) => thrown);
  expect([
    isUniqueViolation(error, "email_key"),
    isUniqueViolation(error, "email"),
    isUniqueViolation(new Error("no"), "email_key"),
  ]).toEqual([true, false, false]);
});

it("isolates thirty concurrent transactions", async () => {
  const results = await runConcurrently(30, (index) =>
    inTransaction(async ({ db }) => {
      const { id } = await db.user.create({
        data: { name: `n${index}`, email: `t${index}@example.com`, emailKey: `t${index}@example.com` },
        select: { id: true },
      });
      return (await db.user.findUnique({ where: { id }, select: { name: true } }))?.name;
    }),
  );
  expect(results).toEqual(Array.from({ length: 30 }, (_, index) => `n${index}`));
});

it("rejects calls after its end, and times out", async () => {
  const endedTransaction = await inTransaction(async (tx) => tx);
  await expect(endedTransaction.db.user.count()).rejects.toThrow();
  await expect(endedTransaction.sql`select 1`).rejects.toThrow("is over");
  const { id, name } = await makeUser();
  const runSlowPrisma = async (tx: DbAccess) => {
    await renameUser(tx, id, "late");
    await new Promise((done) => setTimeout(done, 1500));
    await renameUser(tx, id, "later");
  };
  const runSlowStatements = async (tx: DbAccess) => {
    await tx.sql`update users set name = 'late' where id = ${id}`;
    await new Promise((done) => setTimeout(done, 1500));
    await tx.sql`update users set name = 'later' where id = ${id}`;
  };
  await expect(inTransaction(runSlowPrisma, { seconds: 1 })).rejects.toMatchObject({ code: "P2028" });
  await expect(inTransaction(runSlowStatements, { seconds: 1 })).rejects.toThrow();
  expect(await readName(id)).toBe(name);
});

it("writes nothing more of a running call after its timeout", async () => {
  const buildHead = (lastId: number) => ({ count: 1, lastId, hash: Buffer.alloc(32), mac: Buffer.alloc(32) });
  const heads = prisma().consentHead;
  await heads.create({ data: buildHead(1) });
  const otherClient = await pool().connect();
  await otherClient.query("begin");
  // The first statement of the call waits for this lock, longer than the transaction may take.
  await otherClient.query("lock table consent_heads in access exclusive mode");
  const call = inTransaction(
    ({ db }) =>
      db.consentHead.upsert({
        where: { id: 1 },
        create: buildHead(2),
        update: buildHead(2),
        select: { id: true },
      }),
    { seconds: 1 },
  );
  const rejection = expect(call).rejects.toMatchObject({ code: "P2028" });
  await new Promise((done) => setTimeout(done, 1500));
  await otherClient.query("rollback");
  otherClient.release();
  await rejection;
  // Use every pooled connection, so that statements still queued on one would run.
  await Promise.all(Array.from({ length: 10 }, () => heads.count()));
  expect((await heads.findUniqueOrThrow({ where: { id: 1 } })).lastId).toBe(1);
});

it("supports transactions of named statements only", async () => {
  const { id, credits } = await makeUser();
  const ctx = createSystemContext(withoutTransaction());
  const spendCredit = (shouldFail: boolean) =>
    withStatementTransaction(ctx, async ({ sql }) => {
      await sql`update users set credits = credits - 1 where id = ${id}`;
      if (shouldFail) throw new Error("no");
    });
  await expect(spendCredit(true)).rejects.toThrow();
  const transaction = withStatementTransaction(ctx, async ({ sql }) => {
    await sql`update users set credits = 0 where id = ${id}`;
    await sql`select 1 / 0`.catch(() => {});
  });
  await expect(transaction, "a failed statement has ended it").rejects.toThrow("rolled back");
  await spendCredit(false);
  expect((await prisma().user.findUniqueOrThrow({ where: { id } })).credits).toBe(credits - 1);
  expect(await withTransaction(ctx, async (tx) => tx.actor.kind)).toBe("system");
});
