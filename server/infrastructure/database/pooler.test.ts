import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "@/server/testing/database";
import { overrideSettings } from "@/server/testing/settings";
import { closeDatabase, getReadLanes, pool } from "./client";
import { checkPooling, detectPooling, findPoolingProblem, type ProbeConnection } from "./pooler";
import { inOneRoundTrip, withoutTransaction } from "./transaction";

const url = await createTestDatabase();

async function openClient(): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Simulates a transaction pooler with one connection. */
async function simulatePooler({
  keepsPrepared,
}: {
  keepsPrepared: boolean;
}): Promise<() => Promise<ProbeConnection>> {
  const client = await openClient();
  onTestFinished(() => client.end());
  let isPrepared = false;
  const query = async (statement: string | { name?: string }) => {
    if (typeof statement === "string") return client.query(statement);
    expect(statement.name).toMatch(/^probe_[0-9a-f]{16}$/);
    if (isPrepared && !keepsPrepared) throw new Error("prepared statement does not exist");
    isPrepared = true;
    return client.query("select 1");
  };
  return async () => ({ query, end: async () => {} }) as unknown as ProbeConnection;
}

describe("pooler detection", () => {
  it("detects a direct connection as session mode", async () => {
    expect(await detectPooling(openClient)).toBe("session");
  });

  it("detects transaction mode with and without prepared statements", async () => {
    expect(await detectPooling(await simulatePooler({ keepsPrepared: false }))).toBe("transaction");
    expect(await detectPooling(await simulatePooler({ keepsPrepared: true }))).toBe("statements");
  });

  it("assumes session mode if a second connection is rejected", async () => {
    let remainingConnections = 1;
    const connect = () =>
      remainingConnections-- > 0 ? openClient() : Promise.reject(new Error("no more connections allowed"));
    expect(await detectPooling(connect)).toBe("session");
  });

  it("explains settings that do not suit the pooler", () => {
    const [named, unnamed] = (["named", "unnamed"] as const).map((each) => ({ DATABASE_STATEMENTS: each }));
    expect(findPoolingProblem(named!, "session")).toBeUndefined();
    expect(findPoolingProblem(named!, "transaction")).toMatch(
      /^DATABASE_URL: .* DATABASE_STATEMENTS=unnamed/,
    );
    expect(findPoolingProblem(named!, "transaction", "session")).toMatch(/^DATABASE_URL: /);
    expect(findPoolingProblem(named!, "statements")).toMatch(/^DATABASE_DIRECT_URL: missing/);
    expect(findPoolingProblem(unnamed!, "transaction")).toMatch(/^DATABASE_DIRECT_URL: missing/);
    expect(findPoolingProblem(unnamed!, "transaction", "transaction")).toMatch(
      /^DATABASE_DIRECT_URL: leads to a pooler/,
    );
    expect(findPoolingProblem(unnamed!, "transaction", "session")).toBeUndefined();
    expect(findPoolingProblem(named!, "statements", "session")).toBeUndefined();
  });

  it("recommends a statement timeout for the role with unnamed statements", async () => {
    const messages: string[] = [];
    const settings = { DATABASE_URL: url, DATABASE_DIRECT_URL: undefined };
    await checkPooling({ ...settings, DATABASE_STATEMENTS: "named" }, (text) => messages.push(text));
    expect(messages).toEqual([]);
    await checkPooling({ ...settings, DATABASE_STATEMENTS: "unnamed" }, (text) => messages.push(text));
    expect(messages).toEqual([expect.stringContaining("set statement_timeout = '30s'")]);
  });
});

// Mode, `statement_timeout` in seconds, and whether statements are prepared.
describe.each([
  ["named", 30, true],
  ["unnamed", 0, false],
] as const)("with %s statements", (statementMode, timeoutSeconds, keepsPrepared) => {
  it("uses prepared statements and session settings only if named", async () => {
    overrideSettings({ DATABASE_STATEMENTS: statementMode });
    onTestFinished(closeDatabase);
    const row = { parse: (value: unknown) => value } as never;
    const buildStatement = (value: number) => ({
      name: `one_${value % 2}`,
      text: "select $1::int as n",
      values: [value],
      row,
    });
    for (let time = 0; time < 3; time++) {
      expect(await inOneRoundTrip(buildStatement(1), buildStatement(3))).toEqual([[{ n: 1 }], [{ n: 3 }]]);
      const query = { name: "given", text: "select $1::text as t", values: [`ş${time}`] };
      const { rows } = await pool().query(query);
      expect(rows).toEqual([{ t: `ş${time}` }]);
      const results = await Promise.all(Array.from({ length: 9 }, () => getReadLanes().query(query)));
      expect(results.map((each) => each.rows)).toEqual(Array(9).fill(rows));
    }
    const client = await pool().connect();
    const { rows } = await client.query(
      "select count(*)::int as kept, current_setting('statement_timeout') as limit from pg_prepared_statements",
    );
    client.release();
    expect(rows[0].kept > 0).toBe(keepsPrepared);
    expect(
      "short" in withoutTransaction().sql,
      "statements outside of a transaction share a connection",
    ).toBe(keepsPrepared);
    expect(rows[0].limit).toBe(timeoutSeconds ? `${timeoutSeconds}s` : "0");
    const { limit } = (
      await getReadLanes().query({ text: "select current_setting('statement_timeout') as limit" })
    ).rows[0];
    expect(limit).toBe(timeoutSeconds ? `${timeoutSeconds}s` : "0");
  });
});
