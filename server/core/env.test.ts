import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startProgram } from "@/server/testing/processes";
import { overrideSettings } from "@/server/testing/settings";
import { env, exportEnvForLibraries, listSettingsWarnings } from "./env";
import { readSettingsFile } from "./env-file";
import { Settings } from "./env-schema";

it("reads the settings file once per process", async () => {
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

describe("the settings file", () => {
  const names = Object.keys(Settings.shape);

  function readSettingsText(text: string) {
    const folder = mkdtempSync(join(tmpdir(), "tellal-env-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, ".env"), text);
    return readSettingsFile(join(folder, ".env"), names);
  }

  it("accepts a copy of .env.example without a warning", () => {
    expect(readSettingsFile(".env.example", names)).toMatchObject({ problems: [], warnings: [] });
  });

  it("supports quotes, comments, multi-line values and variables of other programs", () => {
    const file = readSettingsText(
      [
        "export APP_NAME = Mağaza # ours",
        `SMTP_URL="smtp://user:p#w@mail.example.com" # it's here`,
        "APPLE_PRIVATE_KEY='-----BEGIN",
        "PORT=1",
        "-----END'",
        "DATABASE_URL=",
        "DATABASE_URL=postgresql://tellal:pw@127.0.0.1/tellal",
        "NODE_OPTIONS=--trace-warnings",
        "POSTGRES_PASSWORD=pw",
        "TZ=Europe/Istanbul",
      ].join("\r\n"),
    );
    expect(file).toMatchObject({ problems: [], warnings: [] });
    expect(file.values).toMatchObject({
      APP_NAME: "Mağaza",
      SMTP_URL: "smtp://user:p#w@mail.example.com",
      APPLE_PRIVATE_KEY: "-----BEGIN\nPORT=1\n-----END",
      DATABASE_URL: "postgresql://tellal:pw@127.0.0.1/tellal",
    });
    expect(file.values).not.toHaveProperty("PORT");
  });

  it("continues after an invalid line and never prints parts of a key", () => {
    const file = readSettingsText(
      "a line of text\nAPP_NAME=Shop\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawI=\nPORT=4443",
    );
    expect(file.values).toMatchObject({ APP_NAME: "Shop", PORT: "4443" });
    expect(file.warnings.map(({ text }) => text)).toEqual([
      "line 1 of .env is not NAME=value and is ignored",
      "line 3 of .env is not a setting and is ignored",
    ]);
  });

  it("rejects other encodings than UTF-8", () => {
    expect(readSettingsText("P\0O\0R\0T\0=\x001\0").problems).toEqual([
      expect.stringContaining("save it as UTF-8"),
    ]);
  });
});

describe("production", () => {
  const VALID_SETTINGS = {
    APP_MODE: "production",
    APP_URL: "https://panel.example.com",
    APP_SECRET: "q8V1nXx5mJ0l2TtWc7uZ4rEo9sKd3PbYhAfGvBiN",
  };

  function loadProductionSettings(settings: Record<string, string>) {
    onTestFinished(() => void vi.unstubAllEnvs());
    overrideSettings({ ...VALID_SETTINGS, ...settings });
    return env();
  }

  it("lists all problems, one per line", () => {
    const wrongSettings = {
      PORT: "abc",
      APP_URL: "panel",
      APP_SECRET: "short",
      TWILIO_FROM: "Shop",
      SEED: "demo",
    };
    expect(() => loadProductionSettings(wrongSettings)).toThrow(
      [
        "APP_URL: must begin with https://, such as https://panel.example.com",
        "PORT: must be a whole number from 1 to 65535, not abc",
        "APP_SECRET: too short; at least 32 characters (openssl rand -base64 48)",
        "SEED: demo accounts have a published password; production refuses SEED=demo",
        "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM: set all three, or none",
      ].join("\n"),
    );
  });

  it("checks combinations only of valid variables", () => {
    expect(() =>
      loadProductionSettings({ DATABASE_URL: "mysql://x", DATABASE_DIRECT_URL: "postgresql://u:p@h/d" }),
    ).toThrow(/^DATABASE_URL: must begin with [^\n]*$/);
  });

  it.each([
    ["APP_SECRET", "0f".repeat(2) + "3a9c17e5b2d84660".repeat(3)],
    ["APP_SECRET", "test-secret-test-secret-test-secret-1234"],
    ["APP_SECRET", "0b1f9c1e-8f6d-4c69-9f0e-0d8f3a9be6a7".repeat(2)],
    ["APP_SECRET", "only-for-measuring-0123456789-0123456789"],
    ["DATABASE_URL", "postgresql://tellal:a@b%23c@127.0.0.1:5432/tellal?sslmode=require"],
    ["DATABASE_URL", "postgresql://tellal@/tellal?host=/var/run/postgresql"],
    ["DATABASE_URL", "postgresql://%2Fvar%2Frun%2Fpostgresql/tellal"],
    ["DATABASE_URL", "postgresql://tellal:50%off@127.0.0.1/tellal"],
    ["SMTP_URL", "smtp://user%40example.com:p%23w@mail.example.com:587?requireTLS=true"],
    ["REDIS_URL", "redis://127.0.0.1"],
    ["MAIL_FROM", "no-reply@localhost"],
    ["MAIL_FROM", '"Tellal, Inc." <no-reply@example.com>'],
    ["DNS_SERVERS", "9.9.9.9,[2620:fe::fe]:53,2620:fe::9"],
    ["HOST", "::"],
    ["APPLE_PRIVATE_KEY", "-----BEGIN PRIVATE KEY-----\\nMIGH\\n-----END PRIVATE KEY-----\\n"],
  ])("accepts %s=%s unchanged", (name, value) => {
    expect(loadProductionSettings({ [name]: value })).toHaveProperty(name, value);
    expect(listSettingsWarnings()).toEqual([]);
  });

  it.each([
    ["APP_URL", "HTTPS://Panel.Example.com:443/", "https://panel.example.com"],
    ["APP_URL", "http://localhost:4443", "http://localhost:4443"],
    ["PORT", " 4443 ", 4443],
    ["METRICS_PORT", "9464", 9464],
    ["DNS_SERVERS", "9.9.9.9, 1.1.1.1", "9.9.9.9,1.1.1.1"],
  ])("normalises %s=%s to %s", (name, value, normalised) => {
    expect(loadProductionSettings({ [name]: value })).toHaveProperty(name, normalised);
    expect(listSettingsWarnings()).toEqual([]);
  });
});

describe("the bucket's settings", () => {
  const BUCKET_SETTINGS = {
    S3_ENDPOINT: "https://s3.example.com/",
    S3_BUCKET: "tellal-files",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  async function readBucketSettings(values: Record<string, string>) {
    overrideSettings(values);
    onTestFinished(() => void vi.unstubAllEnvs());
    return env().s3;
  }

  it("put its name into the path or into the host name", async () => {
    expect(await readBucketSettings({})).toBeUndefined();
    expect(await readBucketSettings(BUCKET_SETTINGS)).toEqual({
      address: "https://s3.example.com/tellal-files",
      region: "us-east-1",
      accessKeyId: "id",
      secretAccessKey: "secret",
      timeout: 30_000,
    });
    expect((await readBucketSettings({ ...BUCKET_SETTINGS, S3_PATH_STYLE: "false" }))!.address).toBe(
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
  ])("reject %j with a message that names the variable", async (wrongSettings, message) => {
    await expect(readBucketSettings({ ...BUCKET_SETTINGS, ...wrongSettings })).rejects.toThrow(message);
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
])("warns in demo mode about links to another local port: %j", async (settings, warning) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const { env, findPortWarning } = await import("./env");
  if (warning) expect(findPortWarning(env())).toMatch(warning);
  else expect(findPortWarning(env())).toBeUndefined();
});
