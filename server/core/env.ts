import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type * as z from "zod";
import { pasteProblem, secretProblems, trimValue } from "./env-checks";
import { readSettingsFile, type SettingsFile } from "./env-file";
import { Settings } from "./env-schema";
import { lazyValue } from "./lazy-value";
import { nearestName } from "./nearest";

const TWILIO_API_URL = "https://api.twilio.com";

const SANDBOX_SMS = {
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

/** The minimum in `engines` of package.json. */
const OLDEST_NODE = [20, 19];

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = OLDEST_NODE;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  throw new SettingsError(
    `Node.js ${minMajor}.${minMinor} or newer is needed; this is ${process.versions.node}.`,
  );
}

/** Parses all variables. Throws {@link SettingsError} with one line per problem. */
function readEnv(source: Record<string, string | undefined>) {
  checkNode();
  const { settings, wrong, problems } = readEach(source);
  const production = settings.APP_MODE === "production";
  problems.push(...file().problems);
  const related = [
    ...(production ? productionProblems(settings) : demoProblems(settings)),
    ...pairs(settings),
  ];
  const s3 = collect(related, () => s3Of(settings));
  const parasut = collect(related, () => parasutOf(settings));
  // Report a problem with a combination only if each variable in it is valid by itself.
  const concernsValidOnly = (line: string) =>
    !line.match(/[A-Z][A-Z0-9_]+/g)?.some((name) => wrong.has(name));
  problems.push(...related.filter(concernsValidOnly));
  if (problems.length > 0) {
    const notes = file().warnings.filter(
      ({ name }) => name && problems.some((line) => line.startsWith(`${name}:`)),
    );
    throw new SettingsError([...problems, ...notes.map(({ text }) => text)].join("\n"));
  }
  const appUrl = settings.APP_URL ?? `http://localhost:${settings.PORT}`;
  /** The real service, or in demo mode its sandbox on this server. */
  const serviceUrl = (real: string, name: string) => (production ? real : `${appUrl}/dev/sandbox/${name}`);
  return {
    ...settings,
    APP_URL: appUrl,
    MEDIA_URL: settings.MEDIA_URL ?? appUrl,
    ...(!production && !settings.TWILIO_ACCOUNT_SID && SANDBOX_SMS),
    TWILIO_API_URL:
      settings.TWILIO_API_URL ??
      (settings.TWILIO_ACCOUNT_SID ? TWILIO_API_URL : serviceUrl(TWILIO_API_URL, "twilio")),
    TELEGRAM_API_URL: settings.TELEGRAM_API_URL ?? serviceUrl("https://api.telegram.org", "telegram"),
    META_GRAPH_URL: settings.META_GRAPH_URL ?? serviceUrl("https://graph.facebook.com", "meta"),
    INSTAGRAM_GRAPH_URL:
      settings.INSTAGRAM_GRAPH_URL ?? serviceUrl("https://graph.instagram.com", "instagram"),
    META_APP_ID: settings.META_APP_ID ?? (production ? undefined : "100000000000001"),
    META_APP_SECRET: settings.META_APP_SECRET ?? (production ? undefined : "sandbox-app-secret"),
    parasut: parasut && { ...parasut, url: parasut.url ?? `${appUrl}/dev/sandbox/parasut` },
    DATA_DIR: resolve(settings.DATA_DIR),
    /** Undefined: files are stored in the data directory. */
    s3,
    DRAIN_SECONDS: settings.DRAIN_SECONDS ?? (production ? 5 : 0),
    HOST: settings.HOST ?? (production ? "0.0.0.0" : "127.0.0.1"),
    MAIL_FROM: settings.MAIL_FROM ?? `${settings.APP_NAME} <no-reply@${new URL(appUrl).hostname}>`,
    SUPPORT_EMAIL: settings.SUPPORT_EMAIL ?? `support@${new URL(appUrl).hostname}`,
    SEED: settings.SEED ?? (production ? "none" : "demo"),
    /** Multiplies limits that docs/contract.md 8 does not list by 100. */
    relaxedLimits: (settings.RATE_LIMITS ?? (production ? "strict" : "relaxed")) === "relaxed",
    /** Rejects common passwords; otherwise the panel only warns. */
    refusesCommonPasswords: (settings.COMMON_PASSWORDS ?? (production ? "refuse" : "allow")) === "refuse",
    /** Makes undeclared keys in output an error; otherwise they are dropped. */
    STRICT_OUTPUT: settings.STRICT_OUTPUT ?? (!production && source.NODE_ENV !== "production"),
    production,
    modeIsSet: Boolean(source.APP_MODE?.trim()),
    /** Text messages can be sent: by Twilio, or in demo mode to the mailbox page. */
    sms: Boolean(settings.TWILIO_ACCOUNT_SID) || !production,
    /** Runs Next's development server instead of the production build (`npm run dev`). */
    development: source.NODE_ENV === "development",
    https: appUrl.startsWith("https://"),
  };
}

/** Parses each variable by itself. Wrong ones are omitted from the result, as if not set. */
function readEach(source: Record<string, string | undefined>) {
  const values: Record<string, string> = {};
  const wrong = new Map<string, string>();
  for (const name of Object.keys(Settings.shape)) {
    const value = trimValue(name, source[name] ?? "");
    const problem = pasteProblem(name, value);
    if (problem) wrong.set(name, problem);
    else if (value) values[name] = value;
  }
  const parsed = Settings.safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!wrong.has(name)) wrong.set(name, message);
    delete values[name];
  }
  const problems = [...wrong].map(([name, problem]) => `${name}: ${problem}`);
  return { settings: parsed.data ?? Settings.parse(values), wrong, problems };
}

/** Returns the value, or adds the message of a {@link SettingsError} to the problems. */
function collect<T>(problems: string[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

function pairs(settings: z.infer<typeof Settings>): string[] {
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
function s3Of(settings: z.infer<typeof Settings>) {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  const needed = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === Object.keys(needed).length) return undefined;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    throw new SettingsError(
      `${missing.join(", ")}: missing; a bucket needs ${Object.keys(needed).join(", ")}, all of them or none`,
    );
  const address = new URL(S3_ENDPOINT);
  if (settings.S3_PATH_STYLE) address.pathname = S3_BUCKET;
  else address.host = `${S3_BUCKET}.${address.host}`;
  return {
    address: address.href,
    region: settings.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    /** Milliseconds. */
    timeout: settings.S3_TIMEOUT * 1000,
  };
}

/** Returns the Paraşüt account, in demo mode that of the sandbox. Undefined: no invoices are issued. */
function parasutOf(settings: z.infer<typeof Settings>) {
  const { ACCOUNTING, PARASUT_BASE_URL, PARASUT_PRODUCT_ID } = settings;
  const needed = [
    "COMPANY_ID",
    "CLIENT_ID",
    "CLIENT_SECRET",
    "USERNAME",
    "PASSWORD",
    "BANK_ACCOUNT_ID",
  ] as const;
  const missing = needed.filter((name) => !settings[`PARASUT_${name}`]);
  const isConfigured = missing.length < needed.length;
  if (ACCOUNTING === "none") return undefined;
  const demo = settings.APP_MODE === "demo" && !isConfigured;
  if (missing.length > 0 && (isConfigured || (ACCOUNTING && !demo)))
    throw new SettingsError(
      `${missing.map((name) => `PARASUT_${name}`).join(", ")}: missing; set all, or ACCOUNTING=none`,
    );
  if (!isConfigured && !demo) return undefined;
  const of = (name: (typeof needed)[number], sandbox: string) => settings[`PARASUT_${name}`] ?? sandbox;
  return {
    url: PARASUT_BASE_URL ?? (demo ? undefined : "https://api.parasut.com"),
    company: of("COMPANY_ID", "100"),
    clientId: of("CLIENT_ID", "sandbox-client"),
    clientSecret: of("CLIENT_SECRET", "sandbox-client-secret"),
    username: of("USERNAME", "accounting@example.com"),
    password: of("PASSWORD", "sandbox-password"),
    bankAccount: of("BANK_ACCOUNT_ID", "500"),
    product: PARASUT_PRODUCT_ID,
  };
}

function productionProblems({
  APP_SECRET,
  APP_SECRET_OLD,
  APP_URL,
  SEED,
  OUTBOUND_TRUSTED,
}: z.infer<typeof Settings>): string[] {
  const problems = secretProblems(APP_SECRET, APP_SECRET_OLD);
  if (OUTBOUND_TRUSTED.length > 0)
    problems.push("OUTBOUND_TRUSTED: opens private networks to customers' addresses; production has none");
  if (!APP_URL)
    problems.push("APP_URL: missing; the public address of the panel, such as https://panel.example.com");
  if (SEED === "demo")
    problems.push("SEED: demo accounts have a published password; production refuses SEED=demo");
  return problems;
}

/** Tests whether a host, from a URL or to listen on, is this machine only. */
function isLoopback(host: string): boolean {
  return /^(127\.0\.0\.1|\[?::1\]?|localhost)$/.test(host);
}

function demoProblems({ HOST }: z.infer<typeof Settings>): string[] {
  if (!HOST || isLoopback(HOST)) return [];
  return [
    `HOST: demo mode has published passwords and listens on loopback only, not on ${HOST}; use APP_MODE=production`,
  ];
}

/** Returns a warning if links of demo mode point to a local port that the server does not listen on. */
export function portWarning({ production, APP_URL, PORT }: Env): string | undefined {
  const { protocol, hostname, port } = new URL(APP_URL);
  const linked = Number(port) || (protocol === "https:" ? 443 : 80);
  if (production || !isLoopback(hostname) || linked === PORT) return undefined;
  return `Links lead to port ${linked} and the server listens on ${PORT}: leave APP_URL empty, unless a proxy listens there.`;
}

const settings = lazyValue(() => readEnv(process.env));
let loaded: SettingsFile | undefined;

/** Loads the .env file once. Variables of the environment take precedence. */
function file(): SettingsFile {
  if (loaded) return loaded;
  loaded = readSettingsFile(".env", Object.keys(Settings.shape));
  for (const [name, value] of Object.entries(loaded.values)) process.env[name] ??= value;
  return loaded;
}

/** Returns warnings about the settings that do not prevent a start. */
export function settingsWarnings(): string[] {
  const { APP_URL, production } = env();
  const warnings = file().warnings.map(({ text }) => text);
  for (const name of Object.keys(process.env)) {
    if (name.length < 8 || name in Settings.shape || name in file().values || !/^[A-Z]/.test(name)) continue;
    const nearest = nearestName(name, Object.keys(Settings.shape));
    if (nearest && !process.env[nearest])
      warnings.push(`${name} in the environment is not a setting; did you mean ${nearest}?`);
  }
  if (production && APP_URL.startsWith("http://") && !isLoopback(new URL(APP_URL).hostname))
    warnings.push(
      "APP_URL begins with http://: passkeys do not work, and passwords and cookies are sent unencrypted.",
    );
  return warnings;
}

export function settingsPath(): string | undefined {
  return file().path;
}

/** Reads APP_MODE alone: code that runs on import must not fail because of other variables. */
export function isProduction(): boolean {
  file();
  return process.env.APP_MODE === "production";
}

export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

/** Returns the settings of this process. Parsed on first use, so that a build needs none. */
export function env(): Env {
  file();
  return settings();
}

/** Returns the commit of the build, which replaces this variable; empty in development. */
export function buildCommit(): string {
  return process.env.COMMIT ?? "";
}

/** Reads LOG_LEVEL alone: a build imports modules that log, and has no settings. */
export function logLevel(): string {
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

const SECRET_NAMES =
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
    const secret = SECRET_NAMES.test(name) || mayContainSecret(value ?? "");
    return { name, value: secret ? null : value || null, set: Boolean(process.env[name]), secret };
  });
}
