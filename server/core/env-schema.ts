import * as z from "zod";
import { email, personName } from "./schema";

const port = z.coerce.number().int().min(1).max(65535);
const cap = z.coerce.number().int().min(1);
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/(?<!\/)\/+$/, ""));

/** Each setting by itself; what they mean together is in `env.ts`. */
export const Settings = z.object({
  APP_MODE: z.enum(["demo", "production"]).default("demo"),
  APP_NAME: z.string().min(1).max(60).default("Tellal"),
  APP_URL: url.optional(),
  /** Contact for security reports: an e-mail address or an https URL. */
  SECURITY_CONTACT: z
    .union([z.email().transform((address) => `mailto:${address}`), z.url({ protocol: /^https$/ })])
    .optional(),
  APP_SECRET: z.string().optional(),
  /** Former secrets, the newest first. */
  APP_SECRET_OLD: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((each) => each.trim()))
    .transform((list) => list.filter(Boolean)),
  HOST: z.string().optional(),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  /** Whether this server performs jobs, too; `npm run worker` always does. */
  WORKER: z.enum(["on", "off"]).default("on"),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).optional(),
  /** Closes everything but /api/health. */
  MAINTENANCE: z.stringbool().default(false),
  DATA_DIR: z.string().min(1).default(".data"),
  /** Another host name for stored files, so that they share nothing with the panel. */
  MEDIA_URL: url.optional(),
  /** What the files of one library may hold together, in MB of 1,048,576 bytes. */
  MEDIA_QUOTA_MB: cap.default(2048),
  /** A bucket for files instead of the data directory. */
  S3_ENDPOINT: url.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket: 3 to 63 of a-z, 0-9, - and .")
    .optional(),
  S3_REGION: z.string().min(1).default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Whether the bucket is the first part of the path, and not of the host name. */
  S3_PATH_STYLE: z.stringbool().default(true),
  /** Seconds that the bucket may be silent within one call. */
  S3_TIMEOUT: z.coerce.number().min(1).max(300).default(30),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgresql://")
    .optional(),
  /** The same database without a pooler in between, for what a pooler of transactions cannot carry. */
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgresql://")
    .optional(),
  /** Whether connections keep prepared statements, which a pooler of transactions loses. */
  DATABASE_STATEMENTS: z.enum(["named", "unnamed"]).default("named"),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  /** Seconds that a statement of a request may take, or the wait for a connection. */
  DATABASE_TIMEOUT: z.coerce.number().min(1).max(60).default(5),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis://")
    .optional(),
  /** The collector that traces are sent to, by OTLP over HTTP, without the path. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  /** Headers for it, such as its key: `name=value`, comma-separated. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default("")
    .transform((list) => list.split(",").flatMap((each) => each.trim() || []))
    .refine((list) => list.every((each) => /^[\w-]+=/.test(each)), "must be name=value, comma-separated")
    .transform((list) =>
      Object.fromEntries(list.map((each) => [each.split("=", 1)[0]!, each.slice(each.indexOf("=") + 1)])),
    ),
  /** Which part of all traces is sent, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must start with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z.string().optional(),
  /** Allows customers' mail accounts and mailboxes in private networks; only for installations without strangers. */
  MAIL_PRIVATE_HOSTS: z.stringbool().default(false),
  /** Allows webhooks to addresses in private networks; only for installations without strangers. */
  WEBHOOK_PRIVATE_HOSTS: z.stringbool().default(false),
  /** Seconds between the attempts of a delivery: 24 hours in all, each up to a fifth earlier. */
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .default("5,30,120,600,1800,3600,7200,14400,28800,28800")
    .transform((list) => list.split(",").map(Number))
    .refine((list) => list.every((each) => each >= 0 && each <= 86_400), "must be seconds, such as 5,30,120"),
  SUPPORT_EMAIL: z.email().optional(),
  /** Address of the script that shows the chat widget on a customer's page; without it, pages name no script. */
  WIDGET_SCRIPT_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** In production: becomes the first administrator when there is none. */
  ADMIN_EMAIL: email.optional(),
  ADMIN_NAME: personName.optional(),
  DNS_SERVERS: z.string().optional(),
  RATE_LIMITS: z.enum(["strict", "relaxed"]).optional(),
  COMMON_PASSWORDS: z.enum(["refuse", "allow"]).optional(),
  BREACHED_PASSWORDS_URL: url.optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "must be AC and 32 hexadecimal digits")
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(16).optional(),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$/,
      "must be a number, a sender name or MG…",
    )
    .optional(),
  TWILIO_API_URL: url.optional(),
  TELEGRAM_API_URL: url.optional(),
  META_APP_ID: z
    .string()
    .regex(/^\d{5,20}$/, "must be the app's number")
    .optional(),
  META_APP_SECRET: z.string().min(8).optional(),
  META_VERIFY_TOKEN: z.string().min(8).optional(),
  META_GRAPH_URL: url.optional(),
  META_GRAPH_VERSION: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, "must be such as v26.0")
    .default("v26.0"),
  INSTAGRAM_GRAPH_URL: url.optional(),
  /** `elsewhere`: an operator makes backups by other means, and the health page expects none of ours. */
  BACKUPS: z.enum(["own", "elsewhere"]).default("own"),
  /** Where invoices are made: none, or a Paraşüt account, which needs all settings below but the last two. */
  ACCOUNTING: z.enum(["parasut", "none"]).optional(),
  PARASUT_BASE_URL: url.optional(),
  PARASUT_COMPANY_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the company's number")
    .optional(),
  PARASUT_CLIENT_ID: z.string().optional(),
  PARASUT_CLIENT_SECRET: z.string().optional(),
  PARASUT_USERNAME: z.string().optional(),
  PARASUT_PASSWORD: z.string().optional(),
  PARASUT_BANK_ACCOUNT_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the account's number")
    .optional(),
  PARASUT_PRODUCT_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the product's number")
    .optional(),
  /** What stands for the number of a consumer who gives none, until an administrator sets another. */
  PARASUT_CONSUMER_NUMBER: z
    .string()
    .regex(/^\d{11}$/, "must be 11 digits")
    .optional(),
  /** Origins that calls to outside parties may reach although they are private or unencrypted: for tests. */
  OUTBOUND_TRUSTED: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((each) => each.trim()))
    .transform((list) => list.filter(Boolean)),
  SMS_PER_NUMBER: cap.default(10),
  SMS_PER_COUNTRY: cap.default(500),
  SMS_PER_DAY: cap.default(2000),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: url.default("https://accounts.google.com"),
  GOOGLE_JWKS_URL: url.default("https://www.googleapis.com/oauth2/v3/certs"),
  GOOGLE_AUTHORIZE_URL: url.default("https://accounts.google.com/o/oauth2/v2/auth"),
  GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  APPLE_PRIVATE_KEY: z.string().optional(),
  APPLE_ISSUER: url.default("https://appleid.apple.com"),
  APPLE_JWKS_URL: url.default("https://appleid.apple.com/auth/keys"),
  APPLE_AUTHORIZE_URL: url.default("https://appleid.apple.com/auth/authorize"),
  APPLE_TOKEN_URL: url.default("https://appleid.apple.com/auth/token"),
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
  SEED: z.enum(["demo", "none"]).optional(),
  STRICT_OUTPUT: z.stringbool().optional(),
});
