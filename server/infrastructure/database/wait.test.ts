import { expect, it } from "vitest";
import { testDatabase } from "@/server/testing/database";
import { freePort } from "@/server/testing/ports";
import { openProxy } from "@/server/testing/proxy";
import { waitForDatabase } from "./wait";

const url = await testDatabase();
const changed = (parts: Partial<Pick<URL, "password" | "username" | "pathname" | "port">>) =>
  Object.assign(new URL(url), parts).href;

it.each([
  ["a wrong password", { password: "wrong" }, /^DATABASE_URL: .* user or password/],
  ["an unknown user", { username: "nobody" }, /^DATABASE_URL: .* user or password/],
  ["an unknown database", { pathname: "/nowhere" }, /^DATABASE_URL: .* no database nowhere/],
])("reports immediately: %s", async (_, parts, sentence) => {
  const waited: string[] = [];
  const pending = waitForDatabase(changed(parts), { onWait: (text) => waited.push(text) });
  await expect(pending).rejects.toThrow(sentence);
  expect(waited).toEqual([]);
});

it("rejects a PostgreSQL that is too old", async () => {
  const pending = waitForDatabase(url, { oldest: 99 });
  await expect(pending).rejects.toThrow(
    /^DATABASE_URL: PostgreSQL 99 or newer is needed; this one is \d\d\./,
  );
});

it("waits for a database that starts later, and reports the reason", async () => {
  const port = await freePort();
  const waited: string[] = [];
  await waitForDatabase(changed({ port: String(port) }), {
    onWait: (text) => {
      waited.push(text);
      void openProxy(url, port);
    },
  });
  expect(waited).toEqual([
    expect.stringMatching(/^waiting for the database at 127\.0\.0\.1 \(.*ECONNREFUSED/),
  ]);
});

it("gives up with one message that omits the password", async () => {
  const port = await freePort();
  const pending = waitForDatabase(changed({ port: String(port) }), { timeout: 0 });
  await expect(pending).rejects.toThrow(
    /^The database at 127.* cannot be reached .* correct DATABASE_URL\.$/,
  );
  await expect(pending).rejects.not.toThrow(new URL(url).password);
});
