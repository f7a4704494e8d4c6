import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { text } from "@/server/core/texts";
import { send } from "@/server/testing/http";
import { testServer } from "@/server/testing/server";

const { port } = await testServer();
const statusOf = async (method: string, path: string) => (await send(port, method, path)).status;

it("returns 503 with a message for everything but health while the file exists", async () => {
  expect(await statusOf("GET", "/api/i18n/meta")).toBe(200);
  const file = join(env().DATA_DIR, "maintenance");
  onTestFinished(() => rm(file, { force: true }));
  await writeFile(file, "");
  await expect.poll(() => statusOf("GET", "/api/i18n/meta"), { timeout: 20_000 }).toBe(503);

  for (const [method, path] of [
    ["POST", "/api/auth/login"],
    ["GET", "/trpc/profile.me"],
    ["GET", "/media/x"],
    ["GET", "/dashboard"],
    ["GET", "/api/healthy"],
  ] as const)
    expect([path, await statusOf(method, path)]).toEqual([path, 503]);
  for (const path of ["/api/health", "/api/health/live", "/api/health/ready"])
    expect([path, await statusOf("GET", path)]).toEqual([path, 200]);

  const script = await send(port, "GET", "/api/sites", { headers: { accept: "application/json" } });
  expect(script.headers["retry-after"]).toBe("120");
  expect(Object.keys(script.json)).toEqual(["message"]);
  const page = await send(port, "GET", "/sites", {
    headers: { accept: "text/html", "accept-language": "ar" },
  });
  expect(page).toMatchObject({ status: 503, headers: { "retry-after": "120" } });
  expect(page.text).toContain('<html lang="ar" dir="rtl">');
  expect(page.text).toContain(text("ar", "errors.maintenance"));
  expect(page.text).not.toContain("<script");

  await rm(file);
  await expect.poll(() => statusOf("GET", "/api/i18n/meta"), { timeout: 20_000 }).toBe(200);
});
