import { expect, it } from "vitest";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { buildSecurityHeaders } from "./rest/headers";

const { port } = await startTestServer({ env: { APP_URL: "https://panel.test" } });
const HSTS_HEADER = "strict-transport-security";

it.each([
  "/api/i18n/meta",
  "/api/nothing",
  "/trpc/nothing",
  "/media/f/nothing",
  "/hooks/telegram/nothing",
  "/.well-known/tellal-portal",
  "/",
])("%s sets HSTS with subdomains on the main host only", async (path) => {
  const getHeaders = async (host: string) =>
    (await sendHttp(port, "GET", path, { headers: { host } })).headers;
  for (const host of ["panel.test", "PANEL.test:443"])
    expect((await getHeaders(host))[HSTS_HEADER]).toBe("max-age=31536000; includeSubDomains");
  for (const host of ["reseller.example", "x.panel.test", "panel.test.evil.example"])
    expect((await getHeaders(host))[HSTS_HEADER]).toBe("max-age=31536000");
});

it("sets HSTS without subdomains when there is no host", () => {
  expect(buildSecurityHeaders(null)[HSTS_HEADER]).toBe("max-age=31536000");
});
