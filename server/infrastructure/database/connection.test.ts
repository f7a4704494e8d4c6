import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { RawUtf8 } from "@/server/core/raw-utf8";
import { makeUser } from "@/server/demo/factories";
import { runConcurrently } from "@/server/testing/burst";
import { countDatabaseWrites } from "@/server/testing/count-writes";
import { createTestDatabase } from "@/server/testing/database";
import { closeDatabase, getReadLanes, pool } from "./client";
import { READ_LANE_COUNT } from "./lanes";
import { withStatementTimeout } from "./statement-timeout";
import { withoutTransaction, withStatementTransaction } from "./transaction";

beforeAll(async () => void (await createTestDatabase()));
afterAll(closeDatabase);

async function withConnection<T>(
  work: (query: (text: string, values?: unknown[]) => Promise<unknown[]>) => Promise<T>,
) {
  const client = await pool().connect();
  try {
    return await work(async (text, values = []) => {
      const { rows } = await client.query({ name: `t${text.length}${text.slice(0, 40)}`, text, values });
      return rows;
    });
  } finally {
    client.release();
  }
}

describe("a named statement", () => {
  it("returns the same rows on every run", () =>
    withConnection(async (query) => {
      const text =
        "select $1::int as n, $2::text as t, null::text as nothing, $3::jsonb as j, $4::bytea as b";
      const values = [7, "ş", { a: [1] }, Buffer.from([0, 255])];
      const row = { n: 7, t: "ş", nothing: null, j: { a: [1] }, b: Buffer.from([0, 255]) };
      for (let time = 0; time < 3; time++) expect(await query(text, values)).toEqual([row]);
    }));

  it("returns no rows and a row count for an update", async () => {
    const client = await pool().connect();
    const query = { name: "touch", text: "update users set name = name where id = $1", values: [-1] };
    for (let time = 0; time < 3; time++) {
      const { rows, rowCount, fields } = await client.query(query);
      expect({ rows, rowCount, fields }).toEqual({ rows: [], rowCount: 0, fields: [] });
    }
    client.release();
  });

  it("does not affect later statements when it fails", () =>
    withConnection(async (query) => {
      const text = "select 10 / $1::int as n";
      await expect(query(text, [0])).rejects.toMatchObject({ code: "22012" });
      expect(await query(text, [5])).toEqual([{ n: 2 }]);
      await expect(query(text, [0])).rejects.toMatchObject({ code: "22012" });
      await expect(query("select wrong")).rejects.toMatchObject({ code: "42703" });
      await expect(query("select wrong")).rejects.toMatchObject({ code: "42703" });
      expect(await query(text, [2])).toEqual([{ n: 5 }]);
    }));

  it("accepts a response that arrived while the process was stalled beyond the timeout", async () => {
    const client = await pool().connect();
    const response = withStatementTimeout(200, () => client.query("select 1 as n"));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    await expect(response.finally(() => client.release())).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });

  it("rejects an unserialisable value before anything is sent", () =>
    withConnection(async (query) => {
      const circle: { self?: object } = {};
      circle.self = circle;
      await expect(query("select $1::jsonb as j", [circle])).rejects.toThrow("circular");
      expect(await query("select $1::jsonb as j", [{ a: 1 }])).toEqual([{ j: { a: 1 } }]);
    }));

  it("sees changed columns on a new connection", async () => {
    const text = "select * from changing";
    await pool().query("create table changing as select 1 as a, 'x' as b");
    expect(await withConnection((query) => query(text))).toEqual([{ a: 1, b: "x" }]);
    await pool().query("alter table changing drop column a, add column c date default '2026-01-02'");
    const rejectedQuery = withConnection((query) => query(text));
    await expect(rejectedQuery, "prepared for the old columns").rejects.toThrow(
      "must not change result type",
    );
    const otherClient = await pool().connect();
    const rows = await withConnection((query) => query(text));
    otherClient.release();
    expect(rows).toEqual([{ b: "x", c: new Date(2026, 0, 2) }]);
  });
});

it("sends the statements of one event-loop turn in one write", async () => {
  const client = await pool().connect();
  const read = (n: number) => client.query({ name: "of one turn", text: "select $1::int as n", values: [n] });
  const rows: unknown[] = [];
  const readTogether = async () => {
    for (const result of await Promise.all([1, 2, 3].map(read))) rows.push(...result.rows);
  };
  expect(await countDatabaseWrites(readTogether)).toBe(1);
  expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  const readSeparately = async () => {
    for (const n of [1, 2, 3]) await read(n);
  };
  expect(await countDatabaseWrites(readSeparately)).toBe(3);
  client.release();
});

it("begins a transaction in one write with its first statements", async () => {
  const ctx = createSystemContext(withoutTransaction());
  const runTransaction = () =>
    withStatementTransaction(ctx, async ({ sql }) => {
      sql.sendWithoutWaiting!({ name: "first", text: "select 1" });
      await sql`select 2`;
    });
  await runTransaction();
  expect(await countDatabaseWrites(runTransaction), "the second is the commit").toBe(2);
});

describe("short reads", () => {
  const readPids = (count: number) =>
    runConcurrently(count, async () => {
      const { rows } = await getReadLanes().query({ name: "pid", text: "select pg_backend_pid() as pid" });
      return rows[0].pid as number;
    });

  it("share a few connections and return each result to its caller", async () => {
    const results = await runConcurrently(300, async (index) => {
      const text = index % 50 === 0 ? "select 1 / ($1::int - $1::int) as n" : "select $1::int as n";
      return getReadLanes()
        .query({ name: text, text, values: [index] })
        .then(({ rows }) => rows[0].n)
        .catch(() => "failed");
    });
    expect(results).toEqual(Array.from({ length: 300 }, (_, index) => (index % 50 === 0 ? "failed" : index)));
    expect(new Set(await readPids(100)).size).toBe(READ_LANE_COUNT);
  });

  it("leave a column undecoded, even if its bytes arrive in several chunks", async () => {
    const text =
      "select $1::int as n, repeat($2::text, $1::int) as passed, $2::text as read, null::bytea as nothing";
    const letters = "ş🕌م\u00e9\\";
    const read = (n: number, rawColumn?: number) =>
      getReadLanes()
        .query({ name: `unread${rawColumn}`, text, values: [n, letters], rawColumn })
        .then(({ rows }) => rows[0]);
    for (const n of [0, 1, 20_000, 7])
      expect(await Promise.all([read(n), read(n, 1), read(n, 3)])).toEqual([
        { n, passed: letters.repeat(n), read: letters, nothing: null },
        {
          ...{ n, read: letters, nothing: null },
          passed: new RawUtf8(Buffer.from(letters.repeat(n)).toString("latin1")),
        },
        { n, passed: letters.repeat(n), read: letters, nothing: null },
      ]);
    expect((await read(3, 1)).passed.text).toBe(letters.repeat(3));
  });

  it("of one event-loop turn share a connection", async () => {
    await readPids(100);
    // lanes.ts: at most four statements of one turn per connection.
    for (const [count, connectionCount] of [
      [4, 1],
      [8, 2],
    ] as const)
      expect(new Set(await readPids(count)).size).toBe(connectionCount);
  });

  it("reconnect after their connections were terminated", async () => {
    const pidsBefore = await readPids(20);
    await pool().query("select pg_terminate_backend(pid) from unnest($1::int[]) as pid", [pidsBefore]);
    await expect
      .poll(() => readPids(20).catch(() => pidsBefore))
      .not.toEqual(expect.arrayContaining(pidsBefore));
  });

  it("see committed data, and inside a transaction its own writes", async () => {
    const { id } = await makeUser();
    const ctx = createSystemContext(withoutTransaction());
    const readName = async ({ sql }: Pick<typeof ctx, "sql">) =>
      (await (sql.short ?? sql)<{ name: string }>`select name from users where id = ${id}`)[0]!.name;
    await withStatementTransaction(ctx, async (tx) => {
      await tx.sql`update users set name = 'within' where id = ${id}`;
      expect(await readName(tx)).toBe("within");
      expect(await readName(ctx)).not.toBe("within");
    });
    expect(await readName(ctx)).toBe("within");
  });
});

it("waits on close until every connection is closed", async () => {
  const openedPool = pool();
  await Promise.all(Array.from({ length: 5 }, () => openedPool.query("select pg_sleep(0.1)")));
  const count = openedPool.totalCount;
  expect(count).toBeGreaterThan(1);
  let closedCount = 0;
  openedPool.on("remove", () => {
    closedCount += 1;
  });
  await closeDatabase();
  expect(closedCount).toBe(count);
});
