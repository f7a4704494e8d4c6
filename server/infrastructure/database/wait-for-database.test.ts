import { expect, it } from "vitest";
import { createTestDatabase } from "@/server/testing/database";
import { findFreePort } from "@/server/testing/ports";
import { openProxy } from "@/server/testing/proxy";
import { waitForDatabase } from "./wait-for-database";

const url = await createTestDatabase();
const urlWith = (parts: Partial<Pick<URL, "password" | "username" | "pathname" | "port">>) =>
  Object.assign(new URL(url), parts).href;

it.each([
  ["a wrong password", { password: "wrong" }, /^DATABASE_URL: .* user or password/],
  ["an unknown user", { username: "nobody" }, /^DATABASE_URL: .* user or password/],
  ["an unknown database", { pathname: "/nowhere" }, /^DATABASE_URL: .* no database nowhere/],
])("reports immediately: %s", async (_, parts, message) => {
  const messages: string[] = [];
  const waitPromise = waitForDatabase(urlWith(parts), { onWait: (text) => messages.push(text) });
  await expect(waitPromise).rejects.toThrow(message);
  expect(messages).toEqual([]);
});

it("rejects a PostgreSQL that is too old", async () => {
  const waitPromise = waitForDatabase(url, { minMajor: 99 });
  await expect(waitPromise).rejects.toThrow(
    /^DATABASE_URL: PostgreSQL 99 or newer is needed; this one is \d\d\./,
  );
});

it("waits for a database that starts later, and reports the reason", async () => {
  const port = await findFreePort();
  const messages: string[] = [];
  await waitForDatabase(urlWith({ port: String(port) }), {
    onWait: (text) => {
      messages.push(text);
      void openProxy(url, port);
    },
  });
  expect(messages).toEqual([
    expect.stringMatching(/^waiting for the database at 127\.0\.0\.1 \(.*ECONNREFUSED/),
  ]);
});

it("gives up with one message that omits the password", async () => {
  const port = await findFreePort();
  const waitPromise = waitForDatabase(urlWith({ port: String(port) }), { timeout: 0 });
  await expect(waitPromise).rejects.toThrow(
    /^The database at 127.* cannot be reached .* correct DATABASE_URL\.$/,
  );
  await expect(waitPromise).rejects.not.toThrow(new URL(url).password);
});
