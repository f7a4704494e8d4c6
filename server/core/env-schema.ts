import * as z from "zod";
import {
  choice,
  commaList,
  decimal,
  dnsServers,
  flag,
  fromSchema,
  httpUrl,
  intVariable,
  listenHost,
  mailSender,
  origin,
  serviceUrl,
  text,
} from "./env-values";
import { email, personName } from "./schema";

const port = intVariable(1, 65_535);
const positiveInteger = intVariable(1);
const apiUrl = httpUrl("https://api.example.com");
const EMAIL_PROBLEM = "must be an email address, such as support@example.com";
const databaseUrl = serviceUrl({
  schemes: ["postgresql", "postgres"],
  example: "postgresql://tellal:password@127.0.0.1:5432/tellal",
  requiresDatabaseName: true,
});

/** Environment variables. docs/settings.md and .env.example are snapshots of the descriptions. */
export const Settings = z.object({
  APP_MODE: choice("demo", "production")
    .default("demo")
    .describe(
      "`demo` (default) listens on this machine only, with demo data, sandboxes and a mailbox page. " +
        "`production` calls the real services and requires APP_SECRET and APP_URL.",
    ),
  APP_NAME: text(1, 60)
    .default("Tellal")
    .describe("Product name on pages and in mails, 1 to 60 characters. Default: Tellal."),
  APP_URL: origin("https://panel.example.com")
    .optional()
    .describe(
      "Public URL of the panel without a path; links in mails start with it. Required in production. " +
        "Default in demo mode: http://localhost with PORT.",
    ),
  SECURITY_CONTACT: fromSchema(
    z.union([z.email().transform((mailbox) => `mailto:${mailbox}`), z.url({ protocol: /^https$/ })]),
    "must be an email address or begin with https://, such as security@example.com",
  )
    .optional()
    .describe(
      "Contact for security reports, an email address or an https URL, published at " +
        "/.well-known/security.txt. Default in demo mode: security@example.com. Empty in production: the file " +
        "is not served.",
    ),
  APP_SECRET: z
    .string()
    .optional()
    .describe(
      "Secret for encryption and signatures, at least 32 random characters (openssl rand -base64 48). " +
        "Required in production; demo mode creates one in DATA_DIR.",
    ),
  APP_SECRET_OLD: commaList().describe(
    "Former values of APP_SECRET, comma-separated, newest first. Data written under them stays " +
      "readable (docs/secrets.md). Default: none.",
  ),
  HOST: listenHost()
    .optional()
    .describe(
      "Address or host name to listen on. Default: 0.0.0.0 in production, 127.0.0.1 in demo mode, which " +
        "accepts only loopback addresses.",
    ),
  PORT: port.default(3000).describe("Port to listen on, 1 to 65535. Default: 3000."),
  METRICS_PORT: port
    .optional()
    .describe(
      "Port for Prometheus metrics (/metrics) and the health report (/health); must differ from PORT. " +
        "Empty: neither is served.",
    ),
  METRICS_HOST: listenHost()
    .default("127.0.0.1")
    .describe(
      "Address to listen on for METRICS_PORT. Everyone who can reach it can read the metrics. Default: " +
        "127.0.0.1.",
    ),
  WORKER: choice("on", "off")
    .default("on")
    .describe(
      "`on` (default): the server also runs background jobs. `off`: only `npm run worker` runs them, on " +
        "the same DATABASE_URL.",
    ),
  DRAIN_SECONDS: intVariable(0, 60)
    .optional()
    .describe(
      "Seconds, 0 to 60, for which a stopping server still accepts requests while /api/health/ready " +
        "returns 503, so that a proxy can react. Default: 5 in production, 0 in demo mode.",
    ),
  MAINTENANCE: flag()
    .default(false)
    .describe(
      "`true` returns 503 for everything but /api/health. A file named `maintenance` in DATA_DIR does " +
        "the same without a restart. Default: false.",
    ),
  BACKUPS: choice("own", "elsewhere")
    .default("own")
    .describe(
      "`own` (default): the health page expects a daily `npm run backup`. `elsewhere`: backups are made " +
        "by other means and not checked.",
    ),
  DATA_DIR: z
    .string()
    .regex(/^(?!~)/, "~ is not expanded; write the full path, such as /var/lib/tellal")
    .default(".data")
    .describe(
      "Directory of the embedded database, secrets and files; ~ is not expanded. Servers and workers of " +
        "one DATABASE_URL share it. Default: .data.",
    ),
  MEDIA_URL: origin("https://files.example.com")
    .optional()
    .describe(
      "Public URL of uploaded files: another host name of the same servers, which isolates files from " +
        "the panel. Default: APP_URL.",
    ),
  MEDIA_QUOTA_MB: positiveInteger
    .default(2048)
    .describe("Storage per account for its media library, in MB of 1,048,576 bytes. Default: 2048."),
  S3_ENDPOINT: origin("https://s3.eu-central-1.amazonaws.com", "without a path; the bucket is S3_BUCKET")
    .optional()
    .describe(
      "URL of the S3-compatible service that stores files, without the bucket. Requires S3_BUCKET, " +
        "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. Empty: files are stored in DATA_DIR.",
    ),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket: 3 to 63 of a-z, 0-9, - and .")
    .optional()
    .describe("Name of the bucket, 3 to 63 characters. Required with S3_ENDPOINT."),
  S3_REGION: text(1).default("us-east-1").describe("Region of the bucket. Default: us-east-1."),
  S3_ACCESS_KEY_ID: text(1).optional().describe("Access key for the bucket. Required with S3_ENDPOINT."),
  S3_SECRET_ACCESS_KEY: text(1).optional().describe("Secret of S3_ACCESS_KEY_ID. Required with S3_ENDPOINT."),
  S3_PATH_STYLE: flag()
    .default(true)
    .describe("`true` (default) puts the bucket's name into the path; `false` puts it into the host name."),
  S3_TIMEOUT: decimal(1, 300)
    .default(30)
    .describe("Seconds, 1 to 300. A call fails if the bucket sends nothing for that long. Default: 30."),
  DATABASE_URL: databaseUrl
    .optional()
    .describe("URL of a PostgreSQL 15 or newer. Empty: the embedded database in DATA_DIR."),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      "URL of the same database without the pooler of DATABASE_URL, for migrations, the job queue and " +
        "LISTEN. Required when the pooler works in transaction mode. Default: DATABASE_URL.",
    ),
  DATABASE_STATEMENTS: choice("named", "unnamed")
    .default("named")
    .describe(
      "`named` (default) uses prepared statements. `unnamed` uses none, which is slower. It is required " +
        "behind a pooler in transaction mode that does not keep prepared statements.",
    ),
  DATABASE_POOL_SIZE: intVariable(2, 200)
    .default(10)
    .describe("Database connections per process, 2 to 200; short reads use four more. Default: 10."),
  DATABASE_TIMEOUT: decimal(1, 60)
    .default(5)
    .describe(
      "Seconds, 1 to 60, that a request waits for a statement or a connection. Jobs wait up to 35 " +
        "seconds. Default: 5.",
    ),
  REDIS_URL: serviceUrl({
    schemes: ["redis", "rediss"],
    example: "redis://:password@127.0.0.1:6379",
  })
    .optional()
    .describe(
      "URL of a Redis 6.2 or newer that counts rate limits for all servers. Limits on guessing are " +
        "always counted in PostgreSQL. Empty: limits are counted in PostgreSQL or per process.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: apiUrl
    .optional()
    .describe(
      "URL of an OpenTelemetry collector (OTLP over HTTP) without the path, such as " +
        "http://127.0.0.1:4318. Empty: no traces are sent.",
    ),
  OTEL_EXPORTER_OTLP_HEADERS: commaList()
    .refine((list) => list.every((each) => /^[\w-]+=/.test(each)), "must be name=value, comma-separated")
    .transform((list) =>
      Object.fromEntries(list.map((each) => [each.split("=", 1)[0]!, each.slice(each.indexOf("=") + 1)])),
    )
    .describe("Headers for the collector, such as an API key: `name=value`, comma-separated. Default: none."),
  OTEL_TRACES_SAMPLER_ARG: decimal(0, 1)
    .default(1)
    .describe("Share of traces to send, 0 to 1. Default: 1, all of them."),
  SMTP_URL: serviceUrl({
    schemes: ["smtp", "smtps"],
    example: "smtps://user:password@mail.example.com:465",
  })
    .optional()
    .describe("URL of the mail server. Empty: mails are not sent; demo mode shows them on its mailbox page."),
  MAIL_FROM: mailSender()
    .optional()
    .describe(
      "Sender of mails, an email address with or without a name. Default: APP_NAME <no-reply@host of " +
        "APP_URL>.",
    ),
  MAIL_PRIVATE_HOSTS: flag()
    .default(false)
    .describe(
      "`true` allows customers' mail servers in private networks, on any port and without TLS. Only " +
        "safe if all customers are trusted. Default: false.",
    ),
  WEBHOOK_PRIVATE_HOSTS: flag()
    .default(false)
    .describe(
      "`true` allows webhooks to private networks. Only safe if all customers are trusted. Default: " +
        "false.",
    ),
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .default("5,30,120,600,1800,3600,7200,14400,28800,28800")
    .transform((list) => list.split(",").map(Number))
    .refine((list) => list.every((each) => each >= 0 && each <= 86_400), "must be seconds, such as 5,30,120")
    .describe(
      "Seconds between the delivery attempts of a webhook, comma-separated. Each pause is shortened at " +
        "random by up to 20 %. Default: 5,30,120,600,1800,3600,7200,14400,28800,28800 (24 hours in all).",
    ),
  SUPPORT_EMAIL: fromSchema(z.email(), EMAIL_PROBLEM)
    .optional()
    .describe(
      "Support address until administrators set a support contact. Default: support@ and the host of " +
        "APP_URL.",
    ),
  WIDGET_SCRIPT_URL: httpUrl("https://cdn.example.com/widget.js")
    .optional()
    .describe(
      "URL of the chat widget's script for customers' pages; the panel then shows the tag to embed. " +
        "Empty: the panel shows only the site's public key, or in demo mode the script of the sandbox.",
    ),
  ADMIN_EMAIL: fromSchema(email, EMAIL_PROBLEM)
    .optional()
    .describe(
      "Email address of the first administrator. A production server that starts without an " +
        "administrator creates this account and mails the link to set a password. If SMTP_URL is empty, " +
        "it prints the link.",
    ),
  ADMIN_NAME: fromSchema(personName, "must be a name of one line and at most 255 characters")
    .optional()
    .describe("Name of the first administrator. Default: the part of ADMIN_EMAIL before the @."),
  RATE_LIMITS: choice("strict", "relaxed")
    .optional()
    .describe(
      "`strict` applies all limits. `relaxed` multiplies undocumented limits by 100; do not use it in " +
        "production, because it weakens protection against guessing. Default: strict in production, " +
        "relaxed in demo mode.",
    ),
  COMMON_PASSWORDS: choice("refuse", "allow")
    .optional()
    .describe(
      "`refuse` rejects new passwords that are common or equal to the account's address; `allow` only " +
        "warns. Default: refuse in production, allow in demo mode.",
    ),
  BREACHED_PASSWORDS_URL: apiUrl
    .optional()
    .describe(
      "URL of a range API that rejects new passwords known from breaches, such as " +
        "https://api.pwnedpasswords.com/range. Empty: no check.",
    ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "must be AC and 32 hexadecimal digits")
    .optional()
    .describe(
      "Twilio account that sends text messages. Requires TWILIO_AUTH_TOKEN and TWILIO_FROM. Empty: demo " +
        "mode uses a sandbox, production sends no text messages.",
    ),
  TWILIO_AUTH_TOKEN: text(16).optional().describe("Auth token of TWILIO_ACCOUNT_SID. Required with it."),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$/,
      "must be a number, a sender name or MG…",
    )
    .optional()
    .describe(
      "Sender of text messages: a phone number in E.164 format, a name of up to 11 characters, or a " +
        "messaging service (MG…).",
    ),
  TWILIO_API_URL: apiUrl
    .optional()
    .describe(
      "Base URL of the Twilio API. Default: https://api.twilio.com; in demo mode without " +
        "TWILIO_ACCOUNT_SID a sandbox.",
    ),
  SMS_PER_NUMBER: positiveInteger
    .default(10)
    .describe(
      "Maximum text messages per day to a phone number. RATE_LIMITS=relaxed multiplies it by 100. Default: 10.",
    ),
  SMS_PER_COUNTRY: positiveInteger
    .default(500)
    .describe(
      "Maximum text messages per day to a country. RATE_LIMITS=relaxed multiplies it by 100. Default: 500.",
    ),
  SMS_PER_DAY: positiveInteger
    .default(2000)
    .describe(
      "Maximum text messages per day in total. RATE_LIMITS=relaxed multiplies it by 100. Default: 2000.",
    ),
  TELEGRAM_API_URL: apiUrl
    .optional()
    .describe("Base URL of the Telegram Bot API. Default: https://api.telegram.org; in demo mode a sandbox."),
  META_APP_ID: z
    .string()
    .regex(/^\d{5,20}$/, "must be the app's number")
    .optional()
    .describe(
      "ID of the Meta app that receives webhooks of WhatsApp, Messenger and Instagram. Required in " +
        "production to connect these channels.",
    ),
  META_APP_SECRET: text(8)
    .optional()
    .describe("Secret of the Meta app, which signs its webhooks. Required with META_APP_ID."),
  META_VERIFY_TOKEN: text(8)
    .optional()
    .describe(
      "Verify token entered in the Meta app next to the callback URLs (APP_URL)/hooks/messenger/app and " +
        "(APP_URL)/hooks/instagram/app.",
    ),
  META_GRAPH_URL: apiUrl
    .optional()
    .describe("Base URL of the Meta Graph API. Default: https://graph.facebook.com; in demo mode a sandbox."),
  META_GRAPH_VERSION: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, "must be a version, such as v26.0")
    .default("v26.0")
    .describe("Version of the Meta Graph API. Default: v26.0."),
  INSTAGRAM_GRAPH_URL: apiUrl
    .optional()
    .describe(
      "Base URL of the Instagram Graph API. Default: https://graph.instagram.com; in demo mode a " +
        "sandbox.",
    ),
  ACCOUNTING: choice("parasut", "none")
    .optional()
    .describe(
      "`parasut` issues invoices at Paraşüt; `none` turns invoices off. Empty: Paraşüt if its settings " +
        "exist. Otherwise demo mode uses a sandbox, and in production invoices wait.",
    ),
  PARASUT_BASE_URL: apiUrl
    .optional()
    .describe("Base URL of the Paraşüt API. Default: https://api.parasut.com; in demo mode a sandbox."),
  PARASUT_COMPANY_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the company's number")
    .optional()
    .describe(
      "ID of the company at Paraşüt. Set all or none of PARASUT_COMPANY_ID, PARASUT_CLIENT_ID, " +
        "PARASUT_CLIENT_SECRET, PARASUT_USERNAME, PARASUT_PASSWORD and PARASUT_BANK_ACCOUNT_ID.",
    ),
  PARASUT_CLIENT_ID: z.string().optional().describe("OAuth client ID for Paraşüt."),
  PARASUT_CLIENT_SECRET: z.string().optional().describe("OAuth client secret for Paraşüt."),
  PARASUT_USERNAME: z.string().optional().describe("User name of the Paraşüt account."),
  PARASUT_PASSWORD: z.string().optional().describe("Password of the Paraşüt account."),
  PARASUT_BANK_ACCOUNT_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the account's number")
    .optional()
    .describe("ID of the bank account at Paraşüt that payments are booked to; its currency must be TRY."),
  PARASUT_PRODUCT_ID: z
    .string()
    .regex(/^\d{1,12}$/, "must be the product's number")
    .optional()
    .describe("ID of the product on invoice lines. Empty: lines have a description only."),
  PARASUT_CONSUMER_NUMBER: z
    .string()
    .regex(/^\d{11}$/, "must be 11 digits")
    .optional()
    .describe(
      "Tax number, 11 digits, for invoices to consumers who have none. Administrators can replace it. " +
        "Default: 11111111111.",
    ),
  GOOGLE_CLIENT_ID: z
    .string()
    .optional()
    .describe(
      "Client IDs for sign-in with Google (web, Android, iOS), comma-separated; the panel uses the " +
        "first. Empty: no sign-in with Google in production, a built-in provider in demo mode.",
    ),
  GOOGLE_CLIENT_SECRET: z
    .string()
    .optional()
    .describe(
      "Client secret of the first ID in GOOGLE_CLIENT_ID. The panel's button needs it; the REST API does " +
        "not. Redirect URL to register: (APP_URL)/session/callback/google.",
    ),
  GOOGLE_ISSUER: apiUrl
    .default("https://accounts.google.com")
    .describe("Issuer of Google's ID tokens. Default: https://accounts.google.com."),
  GOOGLE_JWKS_URL: apiUrl
    .default("https://www.googleapis.com/oauth2/v3/certs")
    .describe("URL of Google's public keys. Default: https://www.googleapis.com/oauth2/v3/certs."),
  GOOGLE_AUTHORIZE_URL: apiUrl
    .default("https://accounts.google.com/o/oauth2/v2/auth")
    .describe(
      "URL of Google's authorization endpoint. Default: https://accounts.google.com/o/oauth2/v2/auth.",
    ),
  GOOGLE_TOKEN_URL: apiUrl
    .default("https://oauth2.googleapis.com/token")
    .describe("URL of Google's token endpoint. Default: https://oauth2.googleapis.com/token."),
  APPLE_CLIENT_ID: z
    .string()
    .optional()
    .describe(
      "Client IDs for sign-in with Apple, comma-separated: the Services ID of the panel first, then " +
        "bundle IDs. Empty: no sign-in with Apple in production, a built-in provider in demo mode.",
    ),
  APPLE_TEAM_ID: z
    .string()
    .optional()
    .describe(
      "Apple team ID. The panel's button needs it together with APPLE_KEY_ID and APPLE_PRIVATE_KEY. " +
        "Redirect URL to register: (APP_URL)/session/callback/apple.",
    ),
  APPLE_KEY_ID: z.string().optional().describe("ID of APPLE_PRIVATE_KEY."),
  APPLE_PRIVATE_KEY: z
    .string()
    .refine(
      (key) => key.includes("-----BEGIN") && key.includes("-----END"),
      "must be the whole text of the key, from -----BEGIN to its END; in .env put it in quotation marks",
    )
    .optional()
    .describe(
      "Private key for sign-in with Apple as PEM text, from -----BEGIN to its END; line breaks may be " +
        "written as \\n.",
    ),
  APPLE_ISSUER: apiUrl
    .default("https://appleid.apple.com")
    .describe("Issuer of Apple's ID tokens. Default: https://appleid.apple.com."),
  APPLE_JWKS_URL: apiUrl
    .default("https://appleid.apple.com/auth/keys")
    .describe("URL of Apple's public keys. Default: https://appleid.apple.com/auth/keys."),
  APPLE_AUTHORIZE_URL: apiUrl
    .default("https://appleid.apple.com/auth/authorize")
    .describe("URL of Apple's authorization endpoint. Default: https://appleid.apple.com/auth/authorize."),
  APPLE_TOKEN_URL: apiUrl
    .default("https://appleid.apple.com/auth/token")
    .describe("URL of Apple's token endpoint. Default: https://appleid.apple.com/auth/token."),
  TRUSTED_PROXY_HOPS: intVariable(0, 10)
    .default(0)
    .describe(
      "Number of proxies, 0 to 10, that append to X-Forwarded-For. Default: 0, which uses the address " +
        "of the connection.",
    ),
  DNS_SERVERS: dnsServers()
    .optional()
    .describe(
      "IP addresses of DNS resolvers, comma-separated, for checks of mail and portal domains. Default: " +
        "the resolvers of the machine.",
    ),
  LOG_LEVEL: choice("silent", "error", "warn", "info", "debug")
    .default("info")
    .describe("Lowest level to log: `silent`, `error`, `warn`, `info` (default) or `debug`."),
  SEED: choice("demo", "none")
    .optional()
    .describe(
      "`demo` creates demo data, `none` does not. Production refuses `demo`. Default: none in " +
        "production, demo in demo mode.",
    ),
  STRICT_OUTPUT: flag()
    .optional()
    .describe(
      "`true`: an undeclared field in an API response is an error. `false`: it is dropped. Default: true " +
        "in development and tests, false otherwise.",
    ),
  OUTBOUND_TRUSTED: commaList().describe(
    "For tests: comma-separated private or unencrypted origins that outbound calls may reach. Production " +
      "refuses this setting. Default: none.",
  ),
});
