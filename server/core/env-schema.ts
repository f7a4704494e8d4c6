import * as z from "zod";
import {
  address,
  as,
  choice,
  decimal,
  flag,
  list,
  listenHost,
  origin,
  resolvers,
  sender,
  serviceAddress,
  text,
  whole,
} from "./env-values";
import { email, personName } from "./schema";

const port = whole(1, 65_535);
const cap = whole(1);
const url = address("https://api.example.com");
const emailAddress = "must be an e-mail address, such as support@example.com";
const database = serviceAddress({
  schemes: ["postgresql", "postgres"],
  example: "postgresql://tellal:password@127.0.0.1:5432/tellal",
  database: true,
});

/** Each setting by itself; what they mean together is in `env.ts`. */
export const Settings = z.object({
  APP_MODE: choice("demo", "production").default("demo"),
  APP_NAME: text(1, 60).default("Tellal"),
  APP_URL: origin("https://panel.example.com").optional(),
  /** Contact for security reports: an e-mail address or an https URL. */
  SECURITY_CONTACT: as(
    z.union([z.email().transform((mailbox) => `mailto:${mailbox}`), z.url({ protocol: /^https$/ })]),
    "must be an e-mail address or begin with https://, such as security@example.com",
  ).optional(),
  APP_SECRET: z.string().optional(),
  /** Former secrets, the newest first. */
  APP_SECRET_OLD: list(),
  HOST: listenHost().optional(),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  METRICS_HOST: listenHost().default("127.0.0.1"),
  /** Whether this server performs jobs, too; `npm run worker` always does. */
  WORKER: choice("on", "off").default("on"),
  DRAIN_SECONDS: whole(0, 60).optional(),
  /** Closes everything but /api/health. */
  MAINTENANCE: flag().default(false),
  DATA_DIR: z
    .string()
    .regex(/^(?!~)/, "~ is not replaced here; write the whole path, such as /var/lib/tellal")
    .default(".data"),
  /** Another host name for stored files, so that they share nothing with the panel. */
  MEDIA_URL: origin("https://files.example.com").optional(),
  /** What the files of one library may hold together, in MB of 1,048,576 bytes. */
  MEDIA_QUOTA_MB: cap.default(2048),
  /** A bucket for files instead of the data directory. */
  S3_ENDPOINT: origin(
    "https://s3.eu-central-1.amazonaws.com",
    "without a path; the bucket is S3_BUCKET",
  ).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket: 3 to 63 of a-z, 0-9, - and .")
    .optional(),
  S3_REGION: text(1).default("us-east-1"),
  S3_ACCESS_KEY_ID: text(1).optional(),
  S3_SECRET_ACCESS_KEY: text(1).optional(),
  /** Whether the bucket is the first part of the path, and not of the host name. */
  S3_PATH_STYLE: flag().default(true),
  /** Seconds that the bucket may be silent within one call. */
  S3_TIMEOUT: decimal(1, 300).default(30),
  DATABASE_URL: database.optional(),
  /** The same database without a pooler in between, for what a pooler of transactions cannot carry. */
  DATABASE_DIRECT_URL: database.optional(),
  /** Whether connections keep prepared statements, which a pooler of transactions loses. */
  DATABASE_STATEMENTS: choice("named", "unnamed").default("named"),
  DATABASE_POOL_SIZE: whole(2, 200).default(10),
  /** Seconds that a statement of a request may take, or the wait for a connection. */
  DATABASE_TIMEOUT: decimal(1, 60).default(5),
  REDIS_URL: serviceAddress({
    schemes: ["redis", "rediss"],
    example: "redis://:password@127.0.0.1:6379",
  }).optional(),
  /** The collector that traces are sent to, by OTLP over HTTP, without the path. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  /** Headers for it, such as its key: `name=value`, comma-separated. */
  OTEL_EXPORTER_OTLP_HEADERS: list()
    .refine((list) => list.every((each) => /^[\w-]+=/.test(each)), "must be name=value, comma-separated")
    .transform((list) =>
      Object.fromEntries(list.map((each) => [each.split("=", 1)[0]!, each.slice(each.indexOf("=") + 1)])),
    ),
  /** Which part of all traces is sent, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: decimal(0, 1).default(1),
  SMTP_URL: serviceAddress({
    schemes: ["smtp", "smtps"],
    example: "smtps://user:password@mail.example.com:465",
  }).optional(),
  MAIL_FROM: sender().optional(),
  /** Allows customers' mail accounts and mailboxes in private networks; only for installations without strangers. */
  MAIL_PRIVATE_HOSTS: flag().default(false),
  /** Allows webhooks to addresses in private networks; only for installations without strangers. */
  WEBHOOK_PRIVATE_HOSTS: flag().default(false),
  /** Seconds between the attempts of a delivery: 24 hours in all, each up to a fifth earlier. */
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .default("5,30,120,600,1800,3600,7200,14400,28800,28800")
    .transform((list) => list.split(",").map(Number))
    .refine((list) => list.every((each) => each >= 0 && each <= 86_400), "must be seconds, such as 5,30,120"),
  SUPPORT_EMAIL: as(z.email(), emailAddress).optional(),
  /** Address of the script that shows the chat widget on a customer's page; without it, pages name no script. */
  WIDGET_SCRIPT_URL: address("https://cdn.example.com/widget.js").optional(),
  /** In production: becomes the first administrator when there is none. */
  ADMIN_EMAIL: as(email, emailAddress).optional(),
  ADMIN_NAME: as(personName, "must be a name of one line and at most 255 characters").optional(),
  DNS_SERVERS: resolvers().optional(),
  RATE_LIMITS: choice("strict", "relaxed").optional(),
  COMMON_PASSWORDS: choice("refuse", "allow").optional(),
  BREACHED_PASSWORDS_URL: url.optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "must be AC and 32 hexadecimal digits")
    .optional(),
  TWILIO_AUTH_TOKEN: text(16).optional(),
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
  META_APP_SECRET: text(8).optional(),
  META_VERIFY_TOKEN: text(8).optional(),
  META_GRAPH_URL: url.optional(),
  META_GRAPH_VERSION: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, "must be such as v26.0")
    .default("v26.0"),
  INSTAGRAM_GRAPH_URL: url.optional(),
  /** `elsewhere`: an operator makes backups by other means, and the health page expects none of ours. */
  BACKUPS: choice("own", "elsewhere").default("own"),
  /** Where invoices are made: none, or a Paraşüt account, which needs all settings below but the last two. */
  ACCOUNTING: choice("parasut", "none").optional(),
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
  OUTBOUND_TRUSTED: list(),
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
  APPLE_PRIVATE_KEY: z
    .string()
    .refine(
      (key) => key.includes("-----BEGIN") && key.includes("-----END"),
      "must be the whole text of the key, from -----BEGIN to its END; in .env put it in quotation marks",
    )
    .optional(),
  APPLE_ISSUER: url.default("https://appleid.apple.com"),
  APPLE_JWKS_URL: url.default("https://appleid.apple.com/auth/keys"),
  APPLE_AUTHORIZE_URL: url.default("https://appleid.apple.com/auth/authorize"),
  APPLE_TOKEN_URL: url.default("https://appleid.apple.com/auth/token"),
  TRUSTED_PROXY_HOPS: whole(0, 10).default(0),
  LOG_LEVEL: choice("silent", "error", "warn", "info", "debug").default("info"),
  SEED: choice("demo", "none").optional(),
  STRICT_OUTPUT: flag().optional(),
});
