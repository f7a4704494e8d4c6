import { expect, it } from "vitest";
import { send } from "@/server/testing/http";
import { testServer } from "@/server/testing/server";
import { securityHeaders } from "./rest/headers";

const { port } = await testServer({ env: { APP_URL: "https://panel.test" } });
const HSTS = "strict-transport-security";

it.each([
  "/api/i18n/meta",
  "/api/nothing",
  "/trpc/nothing",
  "/media/f/nothing",
  "/hooks/telegram/nothing",
  "/.well-known/tellal-portal",
  "/",
])("%s sets HSTS with subdomains on the main host only", async (path) => {
  const headersAt = async (host: string) => (await send(port, "GET", path, { headers: { host } })).headers;
  for (const host of ["panel.test", "PANEL.test:443"])
    expect((await headersAt(host))[HSTS]).toBe("max-age=31536000; includeSubDomains");
  for (const host of ["reseller.example", "x.panel.test", "panel.test.evil.example"])
    expect((await headersAt(host))[HSTS]).toBe("max-age=31536000");
});

it("sets HSTS without subdomains when there is no host", () => {
  expect(securityHeaders(null)[HSTS]).toBe("max-age=31536000");
});
