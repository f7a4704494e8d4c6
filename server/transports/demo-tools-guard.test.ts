import { expect, it } from "vitest";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";

const { port } = await startTestServer();

const MAILBOX = "/api/dev/mailbox";
const TOOL_PATHS = [
  MAILBOX,
  "/trpc/sandbox.listMails",
  "/trpc/account.getMeta,sandbox.listMails?batch=1",
  "/trpc/sandbox%2ElistMails",
];
type Headers = Record<string, string>;
const getStatus = async (path: string, headers: Headers) =>
  (await sendHttp(port, "GET", path, { headers })).status;

it.each(TOOL_PATHS)("%s accepts programs and our own pages", async (path) => {
  for (const headers of [
    {},
    { host: "panel.test" },
    { host: "localhost:3000", "sec-fetch-site": "same-origin" },
    { host: "[::1]:3000", "sec-fetch-site": "none" },
    { origin: "http://panel.test", "sec-fetch-site": "same-origin" },
  ] as Headers[])
    expect(await getStatus(path, headers)).toBe(200);
});

it.each([...TOOL_PATHS, "/api/%64ev/mailbox"])("%s rejects every other page", async (path) => {
  for (const headers of [
    { origin: "http://evil.test" },
    { origin: "null", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { host: "evil.test:3000", "sec-fetch-site": "same-origin" },
    { host: "evil.test", "x-portal-host": "panel.test" },
    { host: "panel.test.evil.test" },
  ] as Headers[])
    expect([headers, await getStatus(path, headers)]).toEqual([headers, 403]);
  const { headers } = await sendHttp(port, "GET", path, { headers: { origin: "http://evil.test" } });
  expect(headers["access-control-allow-origin"]).toBeUndefined();
});

it("allows links to the tool pages from any site, under our own host name", async () => {
  expect(await getStatus("/dev/mailbox", { "sec-fetch-site": "cross-site" })).toBe(404);
  expect(await getStatus("/dev/mailbox", { host: "evil.test" })).toBe(403);
  expect(await getStatus("/developers/keys", { host: "evil.test" })).toBe(404);
});
