import pino from "pino";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { log } from "@/server/core/log";
import { formatText } from "@/server/core/texts";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { pool } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { runConcurrently } from "@/server/testing/burst";
import { makeSignedInUser, makeToken } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { toAppError } from "./render-error";

const { port, call, get } = await startTestServer();
const { id, token } = await makeSignedInUser();

/** Makes every update of an account fail with this PostgreSQL error code. */
async function makeWritesFail(code: string, message: string): Promise<void> {
  await pool().query(`
    create or replace function fail() returns trigger language plpgsql as $$
      begin raise exception '${message}' using errcode = '${code}'; end $$;
    create or replace trigger fail before update on users for each statement execute function fail()`);
}
const renameUser = () => call("PUT", "/api/auth/profile", { token, body: { name: "Another Name" } });

async function renameInPanel() {
  const { secret } = (await exchangeForSession(withoutTransaction(), await makeToken(id)))!;
  return sendHttp(port, "POST", "/trpc/account.updateProfile", {
    body: { body: { name: "Another Name" } },
    headers: { origin: "http://panel.test", cookie: `locale=en; session=${secret}` },
  });
}

describe("a failed write", () => {
  let logWrites: MockInstance<(line: string) => void>;
  beforeEach(() => {
    log.level = "info";
    logWrites = vi.spyOn(log[pino.symbols.streamSym as never] as { write(line: string): void }, "write");
    logWrites.mockImplementation(() => {});
  });
  afterEach(async () => {
    log.level = "silent";
    logWrites.mockRestore();
    await pool().query("drop trigger if exists fail on users");
  });
  const getLogEntries = () => logWrites.mock.calls.map(([line]) => JSON.parse(line));

  it("returns 500 for a bug and logs what failed, where and why, without secrets", async () => {
    await makeWritesFail("XX000", `no luck with ${token} of ayse@example.com`);
    expect([(await renameUser()).status, (await renameInPanel()).status]).toEqual([500, 500]);
    const failures = getLogEntries().filter(({ level }) => level === "error");
    expect(failures.map(({ event }) => event)).toEqual(["request", "procedure"]);
    for (const { cause } of failures) {
      expect(cause.stack).toMatch(/server\/domains\/.+\.ts:\d+/);
      expect(JSON.stringify(cause)).toContain("no luck with dsu_… of …@…");
    }
    expect(JSON.stringify(getLogEntries())).not.toContain(token);
  });

  it("returns 503 with an explanation when the disk is full", async () => {
    await makeWritesFail("53100", "could not extend file: No space left on device");
    const { status, headers, json } = await renameUser();
    expect(status).toBe(503);
    expect(headers["retry-after"]).toBe("60");
    expect(json.message).toBe("Service Unavailable: no space is left to store anything.");
    const panelResponse = await renameInPanel();
    expect(panelResponse.status).toBe(503);
    expect(panelResponse.json.error.data.body.message).toBe(formatText("en", "errors.storage_full"));
    expect(getLogEntries().find(({ status }) => status === 503).reason).toContain("53100");
  });
});

it("returns 503, never 500, while database connections are being terminated", async () => {
  let isDone = false;
  const databaseName = (await pool().query("select current_database() as name")).rows[0].name;
  const terminateConnections = async () => {
    while (!isDone)
      await pool()
        .query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
          [databaseName],
        )
        .catch(() => {});
  };
  const termination = terminateConnections();
  const statuses: number[] = [];
  while (!statuses.includes(503) && statuses.length < 5000) {
    const responses = await runConcurrently(20, (index) =>
      index % 2 ? get("/api/user", token) : renameUser(),
    );
    statuses.push(...responses.map(({ status }) => status));
  }
  isDone = true;
  await termination;
  expect(statuses.filter((status) => status >= 500)).not.toContain(500);
  expect(statuses).toContain(503);
  await expect.poll(async () => (await get("/api/user", token)).status).toBe(200);
});

const createErrorWithCode = (code: string) => Object.assign(new Error(""), { code });

it.each([
  new Error("Client has encountered a connection error and is not queryable"),
  new Error("Client was closed and is not queryable"),
  new Error("timeout exceeded when trying to connect"),
  new Error("Connection terminated due to connection timeout"),
  new Error("Connection terminated unexpectedly"),
  new AggregateError([createErrorWithCode("ECONNREFUSED"), createErrorWithCode("ECONNREFUSED")]),
  new Error("the transaction failed", { cause: createErrorWithCode("57P01") }),
  ...["ECONNRESET", "57P03", "08003", "53300", "57014", "40P01", "P1017", "P2028"].map(createErrorWithCode),
  Object.assign(new Error(), { meta: { driverAdapterError: { cause: { originalCode: "57P02" } } } }),
])("maps to busy: %s", (error) => expect(toAppError(error)).toMatchObject({ code: "busy", status: 503 }));

it.each(["23505", "42P01", "22P02", "XX000", "P2002", "ENOENT"])("maps to server_error: %s", (code) =>
  expect(toAppError(createErrorWithCode(code)).code).toBe("server_error"),
);
