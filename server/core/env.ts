import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type * as z from "zod";
import { pasteProblem, secretProblems, trimmed } from "./env-checks";
import { readSettingsFile, type SettingsFile } from "./env-file";
import { Settings } from "./env-schema";
import { kept } from "./kept";
import { nearestName } from "./nearest";

const TWILIO_API_URL = "https://api.twilio.com";

/** Who sends text messages in demo mode: an account of the party's sandbox. */
const SANDBOX_SMS = {
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "sandbox-token",
  TWILIO_FROM: "+12025550100",
};

/** Every setting of the application, checked once. `.env.example` describes them. */
export type Env = ReturnType<typeof readEnv>;

/** A setting is missing or wrong; the message names it and says how to fix it. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** The floor of `engines` in package.json. */
const OLDEST_NODE = [20, 19];

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldest = 0, least = 0] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= least)) return;
  throw new SettingsError(`Node.js ${oldest}.${least} or newer is needed; this is ${process.versions.node}.`);
}

/** Reads and checks the settings. Throws {@link SettingsError} with one line per wrong setting. */
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
  // A rule about several settings is judged once each of them is right by itself.
  const isOpen = (line: string) => !line.match(/[A-Z][A-Z0-9_]+/g)?.some((name) => wrong.has(name));
  problems.push(...related.filter(isOpen));
  if (problems.length > 0) {
    const notes = file().warnings.filter(
      ({ name }) => name && problems.some((line) => line.startsWith(`${name}:`)),
    );
    throw new SettingsError([...problems, ...notes.map(({ text }) => text)].join("\n"));
  }
  const appUrl = settings.APP_URL ?? `http://localhost:${settings.PORT}`;
  /** The real party, or in demo mode its sandbox at our own front door. */
  const party = (real: string, name: string) => (production ? real : `${appUrl}/dev/sandbox/${name}`);
  return {
    ...settings,
    APP_URL: appUrl,
    MEDIA_URL: settings.MEDIA_URL ?? appUrl,
    ...(!production && !settings.TWILIO_ACCOUNT_SID && SANDBOX_SMS),
    TWILIO_API_URL:
      settings.TWILIO_API_URL ??
      (settings.TWILIO_ACCOUNT_SID ? TWILIO_API_URL : party(TWILIO_API_URL, "twilio")),
    TELEGRAM_API_URL: settings.TELEGRAM_API_URL ?? party("https://api.telegram.org", "telegram"),
    META_GRAPH_URL: settings.META_GRAPH_URL ?? party("https://graph.facebook.com", "meta"),
    INSTAGRAM_GRAPH_URL: settings.INSTAGRAM_GRAPH_URL ?? party("https://graph.instagram.com", "instagram"),
    META_APP_ID: settings.META_APP_ID ?? (production ? undefined : "100000000000001"),
    META_APP_SECRET: settings.META_APP_SECRET ?? (production ? undefined : "sandbox-app-secret"),
    parasut: parasut && { ...parasut, url: parasut.url ?? `${appUrl}/dev/sandbox/parasut` },
    DATA_DIR: resolve(settings.DATA_DIR),
    /** The bucket that files are kept in; without one they are in the data directory. */
    s3,
    /** Seconds between the signal to stop and the last accepted connection, in which proxies notice. */
    DRAIN_SECONDS: settings.DRAIN_SECONDS ?? (production ? 5 : 0),
    HOST: settings.HOST ?? (production ? "0.0.0.0" : "127.0.0.1"),
    MAIL_FROM: settings.MAIL_FROM ?? `${settings.APP_NAME} <no-reply@${new URL(appUrl).hostname}>`,
    SUPPORT_EMAIL: settings.SUPPORT_EMAIL ?? `support@${new URL(appUrl).hostname}`,
    SEED: settings.SEED ?? (production ? "none" : "demo"),
    /** Whether limits that docs/contract.md 8 does not name are a hundred times wider. */
    relaxedLimits: (settings.RATE_LIMITS ?? (production ? "strict" : "relaxed")) === "relaxed",
    /** Whether common passwords are refused; otherwise the panel only warns about them. */
    refusesCommonPasswords: (settings.COMMON_PASSWORDS ?? (production ? "refuse" : "allow")) === "refuse",
    /** Whether output with unknown keys is an error; otherwise the extra keys are dropped. */
    STRICT_OUTPUT: settings.STRICT_OUTPUT ?? (!production && source.NODE_ENV !== "production"),
    production,
    /** Whether APP_MODE is set. */
    modeIsSet: Boolean(source.APP_MODE?.trim()),
    /** Text messages can be sent: by Twilio, or in demo mode into the mailbox page. */
    sms: Boolean(settings.TWILIO_ACCOUNT_SID) || !production,
    /** Next's development server instead of the production build; `npm run dev` sets it. */
    development: source.NODE_ENV === "development",
    https: appUrl.startsWith("https://"),
  };
}

/** Reads each setting by itself. A wrong one is left out of the result, as if it were not set. */
function readEach(source: Record<string, string | undefined>) {
  const given: Record<string, string> = {};
  const wrong = new Map<string, string>();
  for (const name of Object.keys(Settings.shape)) {
    const value = trimmed(name, source[name] ?? "");
    const problem = pasteProblem(name, value);
    if (problem) wrong.set(name, problem);
    else if (value) given[name] = value;
  }
  const parsed = Settings.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!wrong.has(name)) wrong.set(name, message);
    delete given[name];
  }
  const problems = [...wrong].map(([name, problem]) => `${name}: ${problem}`);
  return { settings: parsed.data ?? Settings.parse(given), wrong, problems };
}

/** Returns the value. When a setting is wrong, adds the sentence to the problems instead. */
function collect<T>(problems: string[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

/** Settings that do not fit each other. */
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

/** The bucket and the way to it; throws unless all of its settings are given, or none. */
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

/** The account at Paraşüt: in demo mode that of its sandbox. Undefined: no invoices are made. */
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
  const given = missing.length < needed.length;
  if (ACCOUNTING === "none") return undefined;
  const demo = settings.APP_MODE === "demo" && !given;
  if (missing.length > 0 && (given || (ACCOUNTING && !demo)))
    throw new SettingsError(
      `${missing.map((name) => `PARASUT_${name}`).join(", ")}: missing; set all, or ACCOUNTING=none`,
    );
  if (!given && !demo) return undefined;
  const of = (name: (typeof needed)[number], sandbox: string) => settings[`PARASUT_${name}`] ?? sandbox;
  return {
    /** Undefined: the sandbox. */
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

/** Whether a host name of an address, or an address to listen on, is this machine alone. */
function isLoopback(host: string): boolean {
  return /^(127\.0\.0\.1|\[?::1\]?|localhost)$/.test(host);
}

function demoProblems({ HOST }: z.infer<typeof Settings>): string[] {
  if (!HOST || isLoopback(HOST)) return [];
  return [
    `HOST: demo mode has published passwords and listens on loopback only, not on ${HOST}; use APP_MODE=production`,
  ];
}

/** Warns in demo mode when links lead to a port of this machine that the server does not listen on. */
export function wrongPort({ production, APP_URL, PORT }: Env): string | undefined {
  const { protocol, hostname, port } = new URL(APP_URL);
  const linked = Number(port) || (protocol === "https:" ? 443 : 80);
  if (production || !isLoopback(hostname) || linked === PORT) return undefined;
  return `Links lead to port ${linked} and the server listens on ${PORT}: leave APP_URL empty, unless a proxy listens there.`;
}

const settings = kept(() => readEnv(process.env));
let loaded: SettingsFile | undefined;

/** Loads the settings file once. Variables that the environment already sets win. */
function file(): SettingsFile {
  if (loaded) return loaded;
  loaded = readSettingsFile(".env", Object.keys(Settings.shape));
  for (const [name, value] of Object.entries(loaded.values)) process.env[name] ??= value;
  return loaded;
}

/** Returns doubts about the settings that do not keep a server from starting. */
export function settingsWarnings(): string[] {
  const { APP_URL, production } = env();
  const warnings = file().warnings.map(({ text }) => text);
  for (const name of Object.keys(process.env)) {
    if (name.length < 8 || name in Settings.shape || name in file().values || !/^[A-Z]/.test(name)) continue;
    const nearest = nearestName(name, Object.keys(Settings.shape));
    if (nearest && !process.env[nearest])
      warnings.push(`${name} in the environment is no setting; did you mean ${nearest}?`);
  }
  if (production && APP_URL.startsWith("http://") && !isLoopback(new URL(APP_URL).hostname))
    warnings.push(
      "APP_URL begins with http://: passkeys do not work, and passwords and cookies are sent unencrypted.",
    );
  return warnings;
}

/** Returns the path of the settings file; undefined when the working directory has no .env. */
export function settingsPath(): string | undefined {
  return file().path;
}

/** The mode alone: code that runs at import must not fail because of other settings. */
export function isProduction(): boolean {
  file();
  return process.env.APP_MODE === "production";
}

/** Whether `npm run dev` started this process. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

/** The settings of this process. Read on first use, so that a build needs none. */
export function env(): Env {
  file();
  return settings();
}

/** The commit that the build was made of, which puts it in the place of this variable. Empty in development. */
export function builtCommit(): string {
  return process.env.COMMIT ?? "";
}

/** The log level alone: modules that log are imported by a build, which has no settings. */
export function logLevel(): string {
  return process.env.LOG_LEVEL || "info";
}

/**
 * Prepares what libraries read from the environment themselves: next-auth's base path, telemetry off. A TMPDIR that does
 * not exist is ignored.
 */
export function exportEnvForLibraries(settings: Env): void {
  if (process.env.TMPDIR && !existsSync(process.env.TMPDIR)) delete process.env.TMPDIR;
  process.env.NEXTAUTH_URL = `${settings.APP_URL}/session`;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
}

/** A setting of the server, to be looked at. */
interface Variable {
  name: string;
  /** Null for a secret, and where there is none. */
  value: string | null;
  /** Whether somebody set it; otherwise `value` is what holds by itself. */
  set: boolean;
  secret: boolean;
}

const SECRET_NAMES =
  /(SECRET(_OLD)?|PASSWORD|TOKEN|KEY|KEY_ID)$|^(DATABASE|DATABASE_DIRECT|REDIS|SMTP)_URL$|_HEADERS$/;

/** An address may carry a password, or a key in its query. */
function tellsSecret(value: string): boolean {
  const url = URL.parse(value);
  return Boolean(url && (url.username || url.password || url.search));
}

/** Every setting by its name, in the order of their description, without what is secret. */
export function environment(): Variable[] {
  const settings = env() as Record<string, unknown>;
  return Object.keys(Settings.shape).map((name) => {
    const holds = settings[name];
    const value = holds === undefined ? null : [holds].flat().join(", ");
    const secret = SECRET_NAMES.test(name) || tellsSecret(value ?? "");
    return { name, value: secret ? null : value || null, set: Boolean(process.env[name]), secret };
  });
}
