import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createSystemContext } from "@/server/core/context";
import { makeUser } from "@/server/demo/factories";
import { createTestDatabase } from "@/server/testing/database";
import { closeDatabase, pool, prisma } from "./client";
import { statement } from "./statement";
import {
  type DbAccess,
  inTransaction,
  runAndRollBack,
  withoutTransaction,
  withStatementTransaction,
} from "./transaction";

beforeAll(async () => void (await createTestDatabase()));
afterAll(closeDatabase);

const appendName = statement(z.strictObject({ name: z.string() }))<{ id: number; text: string }>`
  update users set name = name || ${({ text }) => text} where id = ${({ id }) => id} returning name`;
const divideTen = statement(z.strictObject({ n: z.int() }))<{ by: unknown }>`
  select 10 / ${({ by }) => by}::int as n`;
const readName = statement(z.strictObject({ name: z.string() }))<{ id: number }>`
  select name from users where id = ${({ id }) => id}`;

let id: number;
beforeEach(async () => {
  id = (await makeUser({ name: "a" })).id;
});
const readCommittedName = async () => (await prisma().user.findUniqueOrThrow({ where: { id } })).name;

type SqlAccess = Pick<DbAccess, "sql">;
const TRANSACTION_KINDS: Array<[string, <T>(work: (tx: SqlAccess) => Promise<T>) => Promise<T>]> = [
  ["Prisma", (work) => inTransaction(work)],
  ["statements", (work) => withStatementTransaction(createSystemContext(withoutTransaction()), work)],
];

async function expectIntactPool(): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool().totalCount }, () => pool().connect()));
  for (const client of clients) {
    const { rows } = await client.query("select now() = statement_timestamp() as alone");
    expect(rows).toEqual([{ alone: true }]);
  }
  for (const client of clients) client.release();
  for (const [, runTransaction] of TRANSACTION_KINDS)
    for (let time = 0; time < 6; time++)
      await runTransaction(async (tx) => {
        await appendName.sendWithoutWaiting(tx, { id, text: "" });
        await divideTen.sendWithoutWaiting(tx, { by: 5 });
        expect(await divideTen(tx, { by: 2 })).toEqual([{ n: 5 }]);
      });
}

describe.each(TRANSACTION_KINDS)("in a transaction of %s", (_, runTransaction) => {
  it("runs pipelined statements in order, before the next awaited one", async () => {
    await runTransaction(async (tx) => {
      await appendName.sendWithoutWaiting(tx, { id, text: "b" });
      await appendName.sendWithoutWaiting(tx, { id, text: "c" });
      expect(await readName(tx, { id })).toEqual([{ name: "abc" }]);
      await appendName.sendWithoutWaiting(tx, { id, text: "d" });
      expect(await appendName(tx, { id, text: "e" })).toEqual([{ name: "abcde" }]);
      expect(await readCommittedName()).toBe("a");
      await appendName.sendWithoutWaiting(tx, { id, text: "f" });
    });
    expect(await readCommittedName()).toBe("abcdef");
  });

  it("rolls back when a pipelined statement fails, with or without a following one", async () => {
    for (const runLastStatement of [(tx: SqlAccess) => readName(tx, { id }), async () => []])
      for (const by of [0, "no number"])
        for (let time = 0; time < 5; time++) {
          const transaction = runTransaction(async (tx) => {
            await appendName(tx, { id, text: "b" });
            await appendName.sendWithoutWaiting(tx, { id, text: "c" });
            await divideTen.sendWithoutWaiting(tx, { by });
            await appendName.sendWithoutWaiting(tx, { id, text: "d" });
            await runLastStatement(tx);
          });
          await expect(transaction).rejects.toMatchObject({
            message: expect.stringMatching(/division by zero|invalid input syntax/),
          });
        }
    expect(await readCommittedName()).toBe("a");
    await expectIntactPool();
  });

  it("rolls back when a value cannot be serialised", async () => {
    const circular: { self?: object } = {};
    circular.self = circular;
    for (let time = 0; time < 5; time++) {
      const transaction = runTransaction(async (tx) => {
        await appendName.sendWithoutWaiting(tx, { id, text: "b" });
        await divideTen(tx, { by: circular }).catch(() => {});
        await appendName(tx, { id, text: "c" });
        throw new Error("over");
      });
      await expect(transaction).rejects.toThrow("over");
    }
    expect(await readCommittedName()).toBe("a");
    await expectIntactPool();
  });

  it("rolls back a transaction that fails before its first awaited statement", async () => {
    for (let time = 0; time < 5; time++) {
      const transaction = runTransaction(async (tx) => {
        await appendName.sendWithoutWaiting(tx, { id, text: "b" });
        throw new Error("over");
      });
      await expect(transaction).rejects.toThrow("over");
      await runTransaction(async () => {});
    }
    expect(await readCommittedName()).toBe("a");
    await expectIntactPool();
  });
});

it("runs a pipelined statement before Prisma queries and unnamed statements", async () => {
  await inTransaction(async (tx) => {
    await appendName.sendWithoutWaiting(tx, { id, text: "b" });
    expect((await tx.db.user.findUniqueOrThrow({ where: { id } })).name).toBe("ab");
    await appendName.sendWithoutWaiting(tx, { id, text: "c" });
    const rows = await tx.db.$queryRawUnsafe<[{ name: string }]>("select name from users where id = $1", id);
    expect(rows).toEqual([{ name: "abc" }]);
    await appendName.sendWithoutWaiting(tx, { id, text: "d" });
  });
  expect(await readCommittedName()).toBe("abcd");
  const client = await pool().connect();
  await client.query({ name: "begin", text: "begin" });
  (client as unknown as { sendWithoutWaiting(one: object): void }).sendWithoutWaiting(
    appendName.bindParams({ id, text: "e" }),
  );
  expect((await client.query("select name from users where id = $1", [id])).rows).toEqual([
    { name: "abcde" },
  ]);
  (client as unknown as { sendWithoutWaiting(one: object): void }).sendWithoutWaiting(
    appendName.bindParams({ id, text: "f" }),
  );
  expect((await client.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await client.query("rollback");
  client.release();
  expect(await readCommittedName()).toBe("abcd");
});

it("rolls back pipelined statements of a dry run", async () => {
  const name = await runAndRollBack(createSystemContext(withoutTransaction()), async (tx) => {
    await appendName.sendWithoutWaiting(tx, { id, text: "b" });
    const [row] = await readName(tx, { id });
    await appendName.sendWithoutWaiting(tx, { id, text: "c" });
    return row!.name;
  });
  expect(name).toBe("ab");
  expect(await readCommittedName()).toBe("a");
});

it("runs a pipelined statement immediately outside of a transaction", async () => {
  await appendName.sendWithoutWaiting(withoutTransaction(), { id, text: "b" });
  expect(await readCommittedName()).toBe("ab");
  await expect(divideTen.sendWithoutWaiting(withoutTransaction(), { by: 0 })).rejects.toMatchObject({
    code: "22012",
  });
});

it("rejects a pipelined statement after the transaction has ended", async () => {
  const tx = await inTransaction(async (work) => work);
  await expect(appendName.sendWithoutWaiting(tx, { id, text: "b" })).rejects.toThrow("over");
  expect(await readCommittedName()).toBe("a");
});
