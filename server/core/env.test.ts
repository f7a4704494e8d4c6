import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startProgram } from "@/server/testing/processes";
import { overrideSettings } from "@/server/testing/settings";
import { env, exportEnvForLibraries } from "./env";

it("reads the settings file once: what is written later is for the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tellal-env-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect((await startProgram("read-settings", folder)).line).toBe("false false");
  expect((await startProgram("read-settings", folder)).line).toBe("true true");
});

it("ignores a byte order mark at the start of the settings file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tellal-env-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, ".env"), "\uFEFFAPP_MODE=production\r\n");
  expect((await startProgram("read-settings", folder)).line).toBe("true true");
});

describe("a bucket", () => {
  const WHOLE = {
    S3_ENDPOINT: "https://s3.example.com/",
    S3_BUCKET: "tellal-files",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  async function read(given: Record<string, string>) {
    overrideSettings(given);
    onTestFinished(() => void vi.unstubAllEnvs());
    return env().s3;
  }

  it("is in the path, or in the name of the host", async () => {
    expect(await read({})).toBeUndefined();
    expect(await read(WHOLE)).toEqual({
      address: "https://s3.example.com/tellal-files",
      region: "us-east-1",
      accessKeyId: "id",
      secretAccessKey: "secret",
      timeout: 30_000,
    });
    expect((await read({ ...WHOLE, S3_PATH_STYLE: "false" }))!.address).toBe(
      "https://tellal-files.s3.example.com/",
    );
  });

  it.each([
    [{ S3_BUCKET: "" }, "S3_BUCKET: missing; a bucket needs S3_ENDPOINT, S3_BUCKET"],
    [{ S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" }, "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: missing"],
    [{ S3_BUCKET: "Tellal_Files" }, "S3_BUCKET: must be the name of a bucket"],
    [{ S3_ENDPOINT: "https://s3.example.com/tellal-files" }, "S3_ENDPOINT: must be an address alone"],
    [{ S3_ENDPOINT: "s3.example.com" }, "S3_ENDPOINT"],
    [{ S3_TIMEOUT: "0" }, "S3_TIMEOUT"],
  ])("with %j is refused in a sentence that names the setting", async (wrong, sentence) => {
    await expect(read({ ...WHOLE, ...wrong })).rejects.toThrow(sentence);
  });
});

it("ignores a TMPDIR that does not exist", async () => {
  vi.stubEnv("TMPDIR", "/nowhere");
  vi.stubEnv("NEXTAUTH_URL", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  exportEnvForLibraries(env());
  expect(existsSync(tmpdir())).toBe(true);
});

it.each([
  [{ PORT: "4443" }, undefined],
  [{ PORT: "4443", APP_URL: "http://localhost:4443" }, undefined],
  [{ PORT: "4443", APP_URL: "https://panel.example.com" }, undefined],
  [
    {
      PORT: "4443",
      APP_URL: "http://localhost:3000",
      APP_MODE: "production",
      APP_SECRET: "q8V1nXx5mJ0l2TtWc7uZ4rEo9sKd3PbY",
    },
    undefined,
  ],
  [{ PORT: "4443", APP_URL: "http://localhost:3000" }, /port 3000 .* listens on 4443/],
  [{ PORT: "4443", APP_URL: "http://[::1]" }, /port 80 .* listens on 4443/],
])("warns of links to another port of this machine in demo mode: %j", async (settings, warning) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const { env, wrongPort } = await import("./env");
  if (warning) expect(wrongPort(env())).toMatch(warning);
  else expect(wrongPort(env())).toBeUndefined();
});
