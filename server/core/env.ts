import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type * as z from "zod";
import { Settings } from "./env-schema";
import { kept } from "./kept";

const TWILIO_API_URL = "https://api.twilio.com";

/** Secrets published in examples; production refuses to start with one of them. */
const SAMPLE_SECRETS = [
  "change-me",
  "changeme",
  "secret",
  "please-change-this-secret-to-a-long-random-value",
];

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
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"),
    );
  }
  const settings = parsed.data;
  const production = settings.APP_MODE === "production";
  const twilio = [settings.TWILIO_ACCOUNT_SID, settings.TWILIO_AUTH_TOKEN, settings.TWILIO_FROM];
  if (twilio.some(Boolean) && !twilio.every(Boolean))
    throw new SettingsError("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM: set all three, or none");
  if (settings.DATABASE_DIRECT_URL && !settings.DATABASE_URL)
    throw new SettingsError("DATABASE_DIRECT_URL: needs DATABASE_URL, the same database through a pooler");
  const s3 = s3Of(settings);
  const problems = production ? productionProblems(settings) : demoProblems(settings);
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
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
    parasut: parasutOf(settings, appUrl),
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
    /** Text messages can be sent: by Twilio, or in demo mode into the mailbox page. */
    sms: Boolean(settings.TWILIO_ACCOUNT_SID) || !production,
    /** Next's development server instead of the production build; `npm run dev` sets it. */
    development: source.NODE_ENV === "development",
    https: appUrl.startsWith("https://"),
  };
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
  if (address.pathname !== "/" || address.search || address.username)
    throw new SettingsError(
      "S3_ENDPOINT: must be an address alone, such as https://s3.eu-central-1.amazonaws.com; the bucket is S3_BUCKET",
    );
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
function parasutOf(settings: z.infer<typeof Settings>, appUrl: string) {
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
    url: PARASUT_BASE_URL ?? (demo ? `${appUrl}/dev/sandbox/parasut` : "https://api.parasut.com"),
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
  APP_URL,
  SEED,
  OUTBOUND_TRUSTED,
}: z.infer<typeof Settings>): string[] {
  const problems: string[] = [];
  if (OUTBOUND_TRUSTED.length > 0)
    problems.push("OUTBOUND_TRUSTED: opens private networks to customers' addresses; production has none");
  if (!APP_SECRET)
    problems.push(
      "APP_SECRET: missing; production needs one of at least 32 characters (openssl rand -base64 48)",
    );
  else if (APP_SECRET.length < 32)
    problems.push("APP_SECRET: too short; at least 32 characters (openssl rand -base64 48)");
  else if (SAMPLE_SECRETS.includes(APP_SECRET.toLowerCase()) || /^(.)\1+$/.test(APP_SECRET))
    problems.push("APP_SECRET: this is a sample value; make your own (openssl rand -base64 48)");
  if (!APP_URL)
    problems.push("APP_URL: missing; the public address of the panel, such as https://panel.example.com");
  if (SEED === "demo")
    problems.push("SEED: demo accounts have a published password; production refuses SEED=demo");
  return problems;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

function demoProblems({ HOST }: z.infer<typeof Settings>): string[] {
  if (!HOST || LOOPBACK.has(HOST)) return [];
  return [
    `HOST: demo mode has published passwords and listens on loopback only, not on ${HOST}; use APP_MODE=production`,
  ];
}

/** Warns in demo mode when links lead to a port of this machine that the server does not listen on. */
export function wrongPort({ production, APP_URL, PORT }: Env): string | undefined {
  const { protocol, hostname, port } = new URL(APP_URL);
  const linked = Number(port) || (protocol === "https:" ? 443 : 80);
  if (production || !LOOPBACK.has(hostname.replace(/^\[|\]$/g, "")) || linked === PORT) return undefined;
  return `Links lead to port ${linked} and the server listens on ${PORT}: leave APP_URL empty, unless a proxy listens there.`;
}

const settings = kept(() => readEnv(process.env));
let fileLoaded = false;

/** Loads the settings file. Variables that the environment already sets win. */
function loadFile(): void {
  if (fileLoaded) return;
  fileLoaded = true;
  if (!existsSync(".env")) return;
  // Some editors write a byte order mark, which would be read as part of the first name.
  const settings = parseEnv(readFileSync(".env", "utf8").replace(/^\uFEFF/, ""));
  for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
}

/** The mode alone: code that runs at import must not fail because of other settings. */
export function isProduction(): boolean {
  loadFile();
  return process.env.APP_MODE === "production";
}

/** Whether `npm run dev` started this process. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

/** The settings of this process. Read on first use, so that a build needs none. */
export function env(): Env {
  loadFile();
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
