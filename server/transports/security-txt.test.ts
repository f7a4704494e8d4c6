import { expect, it } from "vitest";
import { DAY } from "@/server/core/time";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { overrideSettings } from "@/server/testing/settings";

const { port } = await startTestServer();
const PATH = "/.well-known/security.txt";

it("returns the security contact with an expiry within a year", async () => {
  overrideSettings({ SECURITY_CONTACT: "security@example.com" });
  const { status, headers, text } = await sendHttp(port, "GET", PATH);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  const fields = new Map(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(/: (.*)/) as [string, string]),
  );
  expect(fields.get("Contact")).toBe("mailto:security@example.com");
  expect(fields.get("Canonical")).toBe(`http://panel.test${PATH}`);
  const days = (Date.parse(fields.get("Expires")!) - Date.now()) / DAY;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

it("has an example contact in demo mode", async () => {
  expect((await sendHttp(port, "GET", PATH)).text).toContain("Contact: mailto:security@example.com\n");
});

it("responds 404 without a contact in production", async () => {
  overrideSettings({
    SECURITY_CONTACT: "",
    APP_MODE: "production",
    APP_URL: "https://panel.test",
    APP_SECRET: "a-secret-of-a-test-that-is-long-enough-0123456789",
  });
  expect((await sendHttp(port, "GET", PATH)).status).toBe(404);
});
