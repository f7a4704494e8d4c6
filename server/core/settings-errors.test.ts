import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { checkBuildMode } from "@/server/build";
import { checkPort } from "@/server/check-port";
import { lockDataDirectory } from "@/server/infrastructure/data-directory-lock";
import { printError } from "@/server/print-error";
import { startProgram } from "@/server/testing/processes";
import { overrideSettings } from "@/server/testing/settings";
import { env, listSettingsWarnings } from "./env";
import { readSettingsFile } from "./env-file";
import { Settings } from "./env-schema";

const VALID_SETTINGS = {
  APP_MODE: "production",
  APP_URL: "https://panel.example.com",
  APP_SECRET: "q8V1nXx5mJ0l2TtWc7uZ4rEo9sKd3PbYhAfGvBiN",
};

const REJECTED_SETTINGS: Array<[name: string, value: string]> = [
  ["APP_MODE", "prod"],
  ["APP_URL", ""],
  ["APP_URL", "panel.example.com"],
  ["APP_URL", "https://panel.example.com/app"],
  ["APP_URL", "https://panel.example.com/?a=1"],
  ["APP_URL", "https://panel.example.com/#x"],
  ["APP_URL", "https://admin:pw@panel.example.com"],
  ["APP_URL", "https://panel.example.com:port"],
  ["APP_SECRET", ""],
  ["APP_SECRET", "short"],
  ["APP_SECRET", "please-change-this-secret-to-a-long-random-value"],
  ["APP_SECRET", "x".repeat(40)],
  ["APP_SECRET", "ab".repeat(20)],
  ["APP_SECRET", "abcd".repeat(10)],
  ["APP_SECRET", " 8V1nXx5mJ0l2TtWc7uZ4rEo9sKd3PbYhAfGvBiN"],
  ["APP_SECRET", "$(openssl rand -base64 48)"],
  ["APP_SECRET_OLD", VALID_SETTINGS.APP_SECRET],
  ["APP_SECRET_OLD", "the-old-one"],
  ["HOST", "https://0.0.0.0"],
  ["HOST", "0.0.0.0:3000"],
  ["PORT", "abc"],
  ["PORT", "0"],
  ["PORT", "70000"],
  ["PORT", "3000.5"],
  ["METRICS_PORT", "3000"],
  ["METRICS_HOST", "metrics host"],
  ["WORKER", "no"],
  ["MAINTENANCE", "maybe"],
  ["DRAIN_SECONDS", "5s"],
  ["DATA_DIR", "~/data"],
  ["MEDIA_URL", "https://files.example.com/media"],
  ["DATABASE_URL", "mysql://tellal:pw@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql://tellal:p#w@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql://tellal:12#w@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql://tellal:p/w@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql://tellal:12/w@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql://tellal:1?w@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql://tellal:a@b/c@127.0.0.1/tellal"],
  ["DATABASE_URL", "postgresql:///tellal"],
  ["DATABASE_URL", "postgresql://tellal:pw@127.0.0.1"],
  ["DATABASE_URL", "postgresql://tellal:$" + "{POSTGRES_PASSWORD}@127.0.0.1/tellal"],
  ["DATABASE_DIRECT_URL", "postgresql://tellal:pw@127.0.0.1/tellal"],
  ["DATABASE_POOL_SIZE", "1"],
  ["DATABASE_STATEMENTS", "none"],
  ["DATABASE_TIMEOUT", "500"],
  ["REDIS_URL", "127.0.0.1:6379"],
  ["REDIS_URL", "redis://:p#w@127.0.0.1:6379"],
  ["REDIS_URL", "redis://:p%w@127.0.0.1:6379"],
  ["SMTP_URL", "mail.example.com"],
  ["SMTP_URL", "smtp://user:p/w@mail.example.com"],
  ["SMTP_URL", "smtp://"],
  ["MAIL_FROM", "nonsense"],
  ["MAIL_FROM", "Tellal, Inc. <no-reply@example.com>"],
  ["SUPPORT_EMAIL", "support"],
  ["ADMIN_EMAIL", "ayse@example"],
  ["SECURITY_CONTACT", "http://example.com/security"],
  ["DNS_SERVERS", "dns.example.com"],
  ["S3_ENDPOINT", "s3.eu-central-1.amazonaws.com"],
  ["S3_ENDPOINT", "https://s3.example.com/tellal-files"],
  ["S3_BUCKET", "tellal-files"],
  ["S3_BUCKET", "Tellal_Files"],
  ["TRUSTED_PROXY_HOPS", "-1"],
  ["LOG_LEVEL", "verbose"],
  ["SEED", "demo"],
  ["OUTBOUND_TRUSTED", "http://127.0.0.1:8080"],
  ["TWILIO_FROM", "+12025550100"],
  ["GOOGLE_ISSUER", "accounts.google.com"],
  ["APPLE_PRIVATE_KEY", "-----BEGIN PRIVATE KEY-----"],
  ["PARASUT_USERNAME", "accounting@example.com"],
  ["APP_NAME", "“Tellal”"],
  ["LOG_LEVEL", '"info"'],
  ["SMTP_URL", "smtp://mail.example.com\u200B"],
];

const WARNED_SETTINGS: Array<[name: string, value: string]> = [
  ["APP_URL", "http://panel.example.com"],
  ["DATABSE_URL", "postgresql://tellal:pw@127.0.0.1/tellal"],
];

const ENV_FILES = [
  "DATABSE_URL=postgresql://tellal:pw@127.0.0.1/tellal",
  "APP_URLL=https://panel.example.com",
  "TRUSTED_PROXY_HOP=1",
  "database_url=postgresql://tellal:pw@127.0.0.1/tellal",
  "DATABASE_URL: postgresql://tellal:pw@127.0.0.1/tellal",
  "APP_NAME='Tellal",
  "SMTP_HOST=mail.example.com",
  "MY_TOOL_TOKEN=1",
  "APP_NAME=Shop\nAPP_NAME=Market",
  "a line of text",
  "APP_NAME=Tellal#2",
  "APP_NAME='Ayşe's'",
];

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tellal-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function loadSettingsIn(folder: string, settings: object = VALID_SETTINGS) {
  const { line } = await startProgram("settings-outcome", folder, JSON.stringify(settings));
  return JSON.parse(line.replaceAll(folder, "/srv/tellal")) as { refused?: string; warnings?: string[] };
}

function capturePrintedError(error: unknown): string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  printError(error);
  const [[text]] = write.mock.calls as [[string]];
  write.mockRestore();
  return text.trim().replaceAll("\n  ", "\n");
}

async function loadSettingsWith(
  name: string,
  value: string,
): Promise<{ refused?: string; warnings?: string[] }> {
  const extraSettings: Record<string, string> =
    name === "S3_BUCKET" && value !== "tellal-files" ? { S3_ENDPOINT: "https://s3.example.com" } : {};
  overrideSettings({ ...VALID_SETTINGS, ...extraSettings, [name]: value });
  try {
    env();
    return { warnings: listSettingsWarnings() };
  } catch (error) {
    return { refused: capturePrintedError(error) };
  } finally {
    vi.unstubAllEnvs();
  }
}

async function collectStartProblems(): Promise<Array<[input: string, sentence: string]>> {
  const rows: Array<[string, string]> = [];
  const recordProblem = async (input: string, work: () => Promise<unknown>, hiddenText = "") => {
    const error = await work().then(
      () => expect.fail(input),
      (cause: unknown) => cause,
    );
    rows.push([input, capturePrintedError(error).replaceAll(hiddenText || "\0", "3000")]);
  };
  const otherServer = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void otherServer.close());
  await new Promise((resolve) => otherServer.once("listening", resolve));
  const { port } = otherServer.address() as AddressInfo;
  const checkTakenPort = () => checkPort({ host: "127.0.0.1", port });
  overrideSettings({ ...VALID_SETTINGS, HOST: "nosuch.invalid" });
  await recordProblem("PORT of another program", checkTakenPort, String(port));
  await recordProblem("HOST=nosuch.invalid", () => checkPort({ host: "nosuch.invalid", port: 3000 }));
  await recordProblem("HOST=192.0.2.1", () => checkPort({ host: "192.0.2.1", port: 3000 }));
  overrideSettings({ METRICS_PORT: String(port), METRICS_HOST: "192.0.2.1" });
  await recordProblem("METRICS_PORT of another program", checkTakenPort, String(port));
  await recordProblem("METRICS_HOST=192.0.2.1", () => checkPort({ host: "192.0.2.1", port }));
  const folder = createFolder();
  const dataPath = join(folder, "data");
  writeFileSync(dataPath, "");
  await recordProblem("DATA_DIR=/srv/tellal/data, a file", () =>
    lockDataDirectory(dataPath).catch((error) => {
      error.message = error.message.replaceAll(folder, "/srv/tellal");
      throw error;
    }),
  );
  const stampPath = join(folder, "tellal-build");
  writeFileSync(stampPath, "0123456789abcdef production");
  vi.unstubAllEnvs();
  overrideSettings({ APP_MODE: "" });
  vi.spyOn(process, "cwd").mockReturnValue("/srv/tellal");
  await recordProblem("APP_MODE=, beside a build for production", () =>
    checkBuildMode(env(), new URL(`file://${stampPath}`)),
  );
  vi.mocked(process.cwd).mockRestore();
  return rows;
}

const formatRow = (input: string, sentence: string) =>
  `| \`${input
    .replaceAll("\n", "⏎")
    .replaceAll("\u200B", "�")
    .replace(/`/g, "'")
    .replace(
      /^([A-Z_0-9]+=) /,
      "$1␣",
    )}\` | ${sentence.replaceAll("|", "\\|").replaceAll("\n", "<br>").replaceAll("<no-reply@", "&lt;no-reply@")} |`;

const formatTable = (rows: Array<[string, string]>) =>
  [
    "| Setting | Sentence |",
    "|---|---|",
    ...rows.map(([input, sentence]) => formatRow(input, sentence)),
    "",
  ].join("\n");

it("explains each wrong setting in one sentence, documented in docs/settings-errors.md", async () => {
  const refusedRows: Array<[string, string]> = [];
  const warnedRows: Array<[string, string]> = [];
  const addRow = (
    input: string,
    { refused: text, warnings = [] }: { refused?: string; warnings?: string[] },
  ) => {
    if (text) refusedRows.push([input, text]);
    else warnedRows.push([input, warnings.join("\n")]);
  };
  for (const [name, value] of REJECTED_SETTINGS) {
    const outcome = await loadSettingsWith(name, value);
    expect(outcome.refused, `${name}=${value}`).toBeDefined();
    addRow(`${name}=${value}`, outcome);
  }
  for (const [name, value] of WARNED_SETTINGS) {
    const outcome = await loadSettingsWith(name, value);
    expect(outcome.warnings, `${name}=${value}`).toHaveLength(1);
    addRow(`${name}=${value}`, outcome);
  }
  const folder = createFolder();
  const path = join(folder, ".env");
  const writeEnvFile = (line: string) => writeFileSync(path, `# a file\n${line}\nLOG_LEVEL=info\n`);
  for (const line of ENV_FILES) {
    writeEnvFile(line);
    const { problems, warnings } = readSettingsFile(path, Object.keys(Settings.shape));
    addRow(`.env: ${line}`, { refused: problems.join("\n"), warnings: warnings.map(({ text }) => text) });
  }
  const truncatedLine = "SMTP_URL=smtp://user:p#w@mail.example.com";
  writeEnvFile(truncatedLine);
  addRow(`.env: ${truncatedLine}`, await loadSettingsIn(folder));
  rmSync(path);
  mkdirSync(path);
  addRow(".env, a directory", await loadSettingsIn(folder));
  refusedRows.push(...(await collectStartProblems()));
  await expect(`# Wrong settings

A server, a worker or a command that finds one of these prints the sentence and exits with 1. All wrong settings are listed together.
A test writes this file: \`npx vitest run server/core/settings-errors.test.ts -u\`.

${formatTable(refusedRows)}
These are printed at the start, which goes on.

${formatTable(warnedRows)}`).toMatchFileSnapshot("../../docs/settings-errors.md");
  expect(refusedRows.length).toBeGreaterThan(40);
  for (const [input, sentence] of [...refusedRows, ...warnedRows]) {
    expect(sentence, input).not.toBe("");
    expect(sentence, input).not.toMatch(/p[#/]w|p%w|12[#/]w|^\s+at |undefined|NaN/m);
  }
});
