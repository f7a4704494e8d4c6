import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type * as z from "zod";
import { findPasteProblem, findSecretProblems, trimValue } from "./env-checks";
import { readSettingsFile, type SettingsFile } from "./env-file";
import { Settings } from "./env-schema";
import { lazyValue } from "./lazy-value";
import { findNearestName } from "./nearest-name";

const TWILIO_API_URL = "https://api.twilio.com";

const SANDBOX_TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "sandbox-token",
  TWILIO_FROM: "+12025550100",
};

/** Environment variables with their defaults, parsed once per process. */
export type Env = ReturnType<typeof readEnv>;

/** An environment variable is missing or wrong. The message names it and how to fix it. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** Must match `engines` of package.json. */
const MIN_NODE_VERSION = [20, 19];

function checkNodeVersion(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_NODE_VERSION;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  throw new SettingsError(
    `Node.js ${minMajor}.${minMinor} or newer is needed; this is ${process.versions.node}.`,
  );
}

function readEnv(source: Record<string, string | undefined>) {
  checkNodeVersion();
  const { settings, problemByName, problems } = parseVariables(source);
  const production = settings.APP_MODE === "production";
  problems.push(...loadSettingsFile().problems);
  const combinationProblems = [
    ...(production ? findProductionProblems(settings) : findDemoProblems(settings)),
    ...findCombinationProblems(settings),
  ];
  const s3 = collectProblem(combinationProblems, () => toBucketSettings(settings));
  const parasut = collectProblem(combinationProblems, () => toParasutSettings(settings));
  // Report a problem with a combination only if each variable in it is valid by itself.
  const namesOnlyValidVariables = (problem: string) =>
    !problem.match(/[A-Z][A-Z0-9_]+/g)?.some((name) => problemByName.has(name));
  problems.push(...combinationProblems.filter(namesOnlyValidVariables));
  if (problems.length > 0) {
    const relatedWarnings = loadSettingsFile().warnings.filter(
      ({ name }) => name && problems.some((line) => line.startsWith(`${name}:`)),
    );
    throw new SettingsError([...problems, ...relatedWarnings.map(({ text }) => text)].join("\n"));
  }
  const appUrl = settings.APP_URL ?? `http://localhost:${settings.PORT}`;
  /** Returns the URL of the real service, or in demo mode of its sandbox on this server. */
  const serviceUrl = (realUrl: string, name: string) =>
    production ? realUrl : `${appUrl}/dev/sandbox/${name}`;
  return {
    ...settings,
    APP_URL: appUrl,
    MEDIA_URL: settings.MEDIA_URL ?? appUrl,
    ...(!production && !settings.TWILIO_ACCOUNT_SID && SANDBOX_TWILIO),
    TWILIO_API_URL:
      settings.TWILIO_API_URL ??
      (settings.TWILIO_ACCOUNT_SID ? TWILIO_API_URL : serviceUrl(TWILIO_API_URL, "twilio")),
    TELEGRAM_API_URL: settings.TELEGRAM_API_URL ?? serviceUrl("https://api.telegram.org", "telegram"),
    META_GRAPH_URL: settings.META_GRAPH_URL ?? serviceUrl("https://graph.facebook.com", "meta"),
    INSTAGRAM_GRAPH_URL:
      settings.INSTAGRAM_GRAPH_URL ?? serviceUrl("https://graph.instagram.com", "instagram"),
    SECURITY_CONTACT: settings.SECURITY_CONTACT ?? (production ? undefined : "mailto:security@example.com"),
    META_APP_ID: settings.META_APP_ID ?? (production ? undefined : "100000000000001"),
    META_APP_SECRET: settings.META_APP_SECRET ?? (production ? undefined : "sandbox-app-secret"),
    parasut: parasut && { ...parasut, url: parasut.url ?? `${appUrl}/dev/sandbox/parasut` },
    DATA_DIR: resolve(settings.DATA_DIR),
    s3,
    DRAIN_SECONDS: settings.DRAIN_SECONDS ?? (production ? 5 : 0),
    HOST: settings.HOST ?? (production ? "0.0.0.0" : "127.0.0.1"),
    MAIL_FROM: settings.MAIL_FROM ?? `${settings.APP_NAME} <no-reply@${new URL(appUrl).hostname}>`,
    SUPPORT_EMAIL: settings.SUPPORT_EMAIL ?? `support@${new URL(appUrl).hostname}`,
    SEED: settings.SEED ?? (production ? "none" : "demo"),
    /** Multiplies limits that docs/contract.md 8 does not list by 100. */
    hasRelaxedLimits: (settings.RATE_LIMITS ?? (production ? "strict" : "relaxed")) === "relaxed",
    /** Rejects common passwords; otherwise the panel only warns. */
    refusesCommonPasswords: (settings.COMMON_PASSWORDS ?? (production ? "refuse" : "allow")) === "refuse",
    /** Makes undeclared keys in output an error; otherwise they are dropped. */
    STRICT_OUTPUT: settings.STRICT_OUTPUT ?? (!production && source.NODE_ENV !== "production"),
    production,
    isModeSet: Boolean(source.APP_MODE?.trim()),
    /** Text messages can be sent: by Twilio, or in demo mode to the mailbox page. */
    canSendSms: Boolean(settings.TWILIO_ACCOUNT_SID) || !production,
    development: source.NODE_ENV === "development",
    usesHttps: appUrl.startsWith("https://"),
  };
}

/** Parses each variable by itself. Wrong ones are omitted from the result, as if not set. */
function parseVariables(source: Record<string, string | undefined>) {
  const values: Record<string, string> = {};
  const problemByName = new Map<string, string>();
  for (const name of Object.keys(Settings.shape)) {
    const value = trimValue(name, source[name] ?? "");
    const problem = findPasteProblem(name, value);
    if (problem) problemByName.set(name, problem);
    else if (value) values[name] = value;
  }
  const parsed = Settings.safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!problemByName.has(name)) problemByName.set(name, message);
    delete values[name];
  }
  const problems = [...problemByName].map(([name, problem]) => `${name}: ${problem}`);
  return { settings: parsed.data ?? Settings.parse(values), problemByName, problems };
}

function collectProblem<T>(problems: string[], create: () => T): T | undefined {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

function findCombinationProblems(settings: z.infer<typeof Settings>): string[] {
  const problems: string[] = [];
  const twilio = [settings.TWILIO_ACCOUNT_SID, settings.TWILIO_AUTH_TOKEN, settings.TWILIO_FROM];
  if (twilio.some(Boolean) && !twilio.every(Boolean))
    problems.push("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM: set all three, or none");
  if (settings.DATABASE_DIRECT_URL && !settings.DATABASE_URL)
    problems.push("DATABASE_DIRECT_URL: needs DATABASE_URL, the same database through a pooler");
  const { METRICS_HOST, METRICS_PORT, PORT } = settings;
  const hosts = [METRICS_HOST, settings.HOST ?? METRICS_HOST];
  if (
    METRICS_PORT === PORT &&
    (hosts[0] === hosts[1] || hosts.some((host) => /^(0\.0\.0\.0|::)$/.test(host)))
  )
    problems.push(`METRICS_PORT: is PORT, ${PORT}; metrics need a port of their own`);
  return problems;
}

/** Returns the connection to the bucket. Throws unless all of its variables are set, or none. */
function toBucketSettings(settings: z.infer<typeof Settings>) {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  const requiredVariables = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const missingNames = Object.entries(requiredVariables).flatMap(([name, value]) => (value ? [] : [name]));
  if (missingNames.length === Object.keys(requiredVariables).length) return undefined;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    throw new SettingsError(
      `${missingNames.join(", ")}: missing; a bucket needs ${Object.keys(requiredVariables).join(", ")}, all of them or none`,
    );
  const address = new URL(S3_ENDPOINT);
  if (settings.S3_PATH_STYLE) address.pathname = S3_BUCKET;
  else address.host = `${S3_BUCKET}.${address.host}`;
  return {
    address: address.href,
    region: settings.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    timeout: settings.S3_TIMEOUT * 1000,
  };
}

/** Returns the Paraşüt account, in demo mode that of the sandbox. Undefined: no invoices are issued. */
function toParasutSettings(settings: z.infer<typeof Settings>) {
  const { ACCOUNTING, PARASUT_BASE_URL, PARASUT_PRODUCT_ID } = settings;
  const requiredVariables = [
    "COMPANY_ID",
    "CLIENT_ID",
    "CLIENT_SECRET",
    "USERNAME",
    "PASSWORD",
    "BANK_ACCOUNT_ID",
  ] as const;
  const missingNames = requiredVariables.filter((name) => !settings[`PARASUT_${name}`]);
  const isConfigured = missingNames.length < requiredVariables.length;
  if (ACCOUNTING === "none") return undefined;
  const usesSandbox = settings.APP_MODE === "demo" && !isConfigured;
  if (missingNames.length > 0 && (isConfigured || (ACCOUNTING && !usesSandbox)))
    throw new SettingsError(
      `${missingNames.map((name) => `PARASUT_${name}`).join(", ")}: missing; set all, or ACCOUNTING=none`,
    );
  if (!isConfigured && !usesSandbox) return undefined;
  const getValue = (name: (typeof requiredVariables)[number], sandboxValue: string) =>
    settings[`PARASUT_${name}`] ?? sandboxValue;
  return {
    url: PARASUT_BASE_URL ?? (usesSandbox ? undefined : "https://api.parasut.com"),
    company: getValue("COMPANY_ID", "100"),
    clientId: getValue("CLIENT_ID", "sandbox-client"),
    clientSecret: getValue("CLIENT_SECRET", "sandbox-client-secret"),
    username: getValue("USERNAME", "accounting@example.com"),
    password: getValue("PASSWORD", "sandbox-password"),
    bankAccount: getValue("BANK_ACCOUNT_ID", "500"),
    product: PARASUT_PRODUCT_ID,
  };
}

function findProductionProblems({
  APP_SECRET,
  APP_SECRET_OLD,
  APP_URL,
  SEED,
  OUTBOUND_TRUSTED,
}: z.infer<typeof Settings>): string[] {
  const problems = findSecretProblems(APP_SECRET, APP_SECRET_OLD);
  if (OUTBOUND_TRUSTED.length > 0)
    problems.push("OUTBOUND_TRUSTED: opens private networks to customers' addresses; production has none");
  if (!APP_URL)
    problems.push("APP_URL: missing; the public address of the panel, such as https://panel.example.com");
  if (SEED === "demo")
    problems.push("SEED: demo accounts have a published password; production refuses SEED=demo");
  return problems;
}

function isLoopback(host: string): boolean {
  return /^(127\.0\.0\.1|\[?::1\]?|localhost)$/.test(host);
}

function findDemoProblems({ HOST }: z.infer<typeof Settings>): string[] {
  if (!HOST || isLoopback(HOST)) return [];
  return [
    `HOST: demo mode has published passwords and listens on loopback only, not on ${HOST}; use APP_MODE=production`,
  ];
}

/** Returns a warning if links of demo mode point to a local port that the server does not listen on. */
export function findPortWarning({ production, APP_URL, PORT }: Env): string | undefined {
  const { protocol, hostname, port } = new URL(APP_URL);
  const linkedPort = Number(port) || (protocol === "https:" ? 443 : 80);
  if (production || !isLoopback(hostname) || linkedPort === PORT) return undefined;
  return `Links lead to port ${linkedPort} and the server listens on ${PORT}: leave APP_URL empty, unless a proxy listens there.`;
}

const parsedSettings = lazyValue(() => readEnv(process.env));
let settingsFile: SettingsFile | undefined;

/** Loads the .env file once. Variables of the environment take precedence. */
function loadSettingsFile(): SettingsFile {
  if (settingsFile) return settingsFile;
  settingsFile = readSettingsFile(".env", Object.keys(Settings.shape));
  for (const [name, value] of Object.entries(settingsFile.values)) process.env[name] ??= value;
  return settingsFile;
}

export function listSettingsWarnings(): string[] {
  const { APP_URL, production } = env();
  const warnings = loadSettingsFile().warnings.map(({ text }) => text);
  for (const name of Object.keys(process.env)) {
    if (
      name.length < 8 ||
      name in Settings.shape ||
      name in loadSettingsFile().values ||
      !/^[A-Z]/.test(name)
    )
      continue;
    const nearestName = findNearestName(name, Object.keys(Settings.shape));
    if (nearestName && !process.env[nearestName])
      warnings.push(`${name} in the environment is not a setting; did you mean ${nearestName}?`);
  }
  if (production && APP_URL.startsWith("http://") && !isLoopback(new URL(APP_URL).hostname))
    warnings.push(
      "APP_URL begins with http://: passkeys do not work, and passwords and cookies are sent unencrypted.",
    );
  return warnings;
}

export function getSettingsPath(): string | undefined {
  return loadSettingsFile().path;
}

/** Reads APP_MODE alone: code that runs on import must not fail because of other variables. */
export function isProduction(): boolean {
  loadSettingsFile();
  return process.env.APP_MODE === "production";
}

export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

/** Returns the settings of this process. Parsed on first use, so that a build needs none. */
export function env(): Env {
  loadSettingsFile();
  return parsedSettings();
}

/** Returns the commit of the build, which replaces this variable; empty in development. */
export function getBuildCommit(): string {
  return process.env.COMMIT ?? "";
}

/** Reads LOG_LEVEL alone: a build imports modules that log, and has no settings. */
export function getLogLevel(): string {
  return process.env.LOG_LEVEL || "info";
}

/** Sets variables that libraries read and removes a TMPDIR that does not exist. */
export function exportEnvForLibraries(settings: Env): void {
  if (process.env.TMPDIR && !existsSync(process.env.TMPDIR)) delete process.env.TMPDIR;
  process.env.NEXTAUTH_URL = `${settings.APP_URL}/session`;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
}

interface Variable {
  name: string;
  /** Null for a secret, or without a value. */
  value: string | null;
  /** False: `value` is the default. */
  set: boolean;
  secret: boolean;
}

const SECRET_VARIABLES =
  /(SECRET(_OLD)?|PASSWORD|TOKEN|KEY|KEY_ID)$|^(DATABASE|DATABASE_DIRECT|REDIS|SMTP)_URL$|_HEADERS$/;

/** URLs may contain a password, or a key in the query. */
function mayContainSecret(value: string): boolean {
  const url = URL.parse(value);
  return Boolean(url && (url.username || url.password || url.search));
}

/** Returns all variables in the order of the schema, with secret values omitted. */
export function describeEnvironment(): Variable[] {
  const settings = env() as Record<string, unknown>;
  return Object.keys(Settings.shape).map((name) => {
    const effective = settings[name];
    const value = effective === undefined ? null : [effective].flat().join(", ");
    const secret = SECRET_VARIABLES.test(name) || mayContainSecret(value ?? "");
    return { name, value: secret ? null : value || null, set: Boolean(process.env[name]), secret };
  });
}
