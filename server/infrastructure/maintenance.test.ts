import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { formatText } from "@/server/core/texts";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";

const { port } = await startTestServer();
const requestStatus = async (method: string, path: string) => (await sendHttp(port, method, path)).status;

it("returns 503 with a message for everything but health while the file exists", async () => {
  expect(await requestStatus("GET", "/api/i18n/meta")).toBe(200);
  const maintenanceFile = join(env().DATA_DIR, "maintenance");
  onTestFinished(() => rm(maintenanceFile, { force: true }));
  await writeFile(maintenanceFile, "");
  await expect.poll(() => requestStatus("GET", "/api/i18n/meta"), { timeout: 20_000 }).toBe(503);

  for (const [method, path] of [
    ["POST", "/api/auth/login"],
    ["GET", "/trpc/profile.me"],
    ["GET", "/media/x"],
    ["GET", "/dashboard"],
    ["GET", "/api/healthy"],
  ] as const)
    expect([path, await requestStatus(method, path)]).toEqual([path, 503]);
  for (const path of ["/api/health", "/api/health/live", "/api/health/ready"])
    expect([path, await requestStatus("GET", path)]).toEqual([path, 200]);

  const apiResponse = await sendHttp(port, "GET", "/api/sites", { headers: { accept: "application/json" } });
  expect(apiResponse.headers["retry-after"]).toBe("120");
  expect(Object.keys(apiResponse.json)).toEqual(["message"]);
  const page = await sendHttp(port, "GET", "/sites", {
    headers: { accept: "text/html", "accept-language": "ar" },
  });
  expect(page).toMatchObject({ status: 503, headers: { "retry-after": "120" } });
  expect(page.text).toContain('<html lang="ar" dir="rtl">');
  expect(page.text).toContain(formatText("ar", "errors.maintenance"));
  expect(page.text).not.toContain("<script");

  await rm(maintenanceFile);
  await expect.poll(() => requestStatus("GET", "/api/i18n/meta"), { timeout: 20_000 }).toBe(200);
});
