import pino from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { pool } from "@/server/infrastructure/database/client";
import { EVOLUTION_KEY } from "@/server/sandbox/evolution";
import { makeSignedInUser } from "@/server/testing/factories";
import { openFakeImapServer, trustTestCertificate } from "@/server/testing/imap";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";

const services = await startFakeServices();
const mailbox = await openFakeImapServer();
trustTestCertificate();
const server = await startTestServer({
  env: { ...services.env, MAIL_PRIVATE_HOSTS: "true", RATE_LIMITS: "relaxed" },
});

const loggedLines: string[] = [];
beforeAll(() => {
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[pino.symbols.streamSym]!;
  vi.spyOn(stream, "write").mockImplementation((line) => void loggedLines.push(line));
  log.level = "debug";
});
afterAll(() => {
  log.level = "silent";
  vi.restoreAllMocks();
});

const TWILIO_ACCOUNT = `AC${"4".repeat(32)}`;
const makeSecret = (name: string) => `secret-of-${name}-${"s".repeat(16)}`;
const CREDENTIALS = {
  telegram: { bot_token: `600000001:${"n".repeat(20)}-the-bot-token` },
  whatsapp: { waba_id: "9101", phone_number_id: "91010", access_token: makeSecret("whatsapp") },
  messenger: { page_id: "9102", access_token: makeSecret("messenger") },
  instagram: { ig_user_id: "9103", access_token: `ig9103-${makeSecret("instagram")}` },
  whatsapp_qr: { base_url: `${services.url}/evolution`, api_key: EVOLUTION_KEY, instance: "gizli" },
  sms: { account_sid: TWILIO_ACCOUNT, auth_token: makeSecret("sms"), phone_number_sid: "PN9104" },
  voice: { account_sid: TWILIO_ACCOUNT, auth_token: makeSecret("voice"), phone_number_sid: "PN9105" },
  email: { host: "127.0.0.1", port: mailbox.port, user: "ayse@example.com", password: makeSecret("email") },
};
mailbox.users.set(CREDENTIALS.email.user, CREDENTIALS.email.password);
const WRONG_MAILBOX = { ...CREDENTIALS.email, user: "another@example.com", password: makeSecret("nobody") };
const REFUSED_TOKEN = `600000002:${"r".repeat(20)}-bot-REVOKED`;
const NEW_SECRETS = {
  telegram: `600000001:${"m".repeat(20)}-the-new-token`,
  messenger: makeSecret("renewed"),
};

async function dumpDatabase(): Promise<string> {
  const { rows } = await pool().query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = [];
  for (const { name } of rows) {
    const { rows: tableRows } = await pool().query(`select to_jsonb(t)::text as row from ${name} t`);
    texts.push(...tableRows.map(({ row }) => row as string));
  }
  return texts.join("\n");
}

const getEncodings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
];

it("no secret appears in logs, responses, receipts or the database", async () => {
  const { token } = await makeSignedInUser();
  const responses: string[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await server.call(method, path, { token, ...(body && { body }) });
    responses.push(text);
    return { status, json };
  };
  const connectionIds: Record<string, number> = {};
  for (const [channel, fields] of Object.entries(CREDENTIALS)) {
    const { status, json } = await call("POST", "/api/connections", { channel, ...fields });
    expect({ channel, status }).toEqual({ channel, status: 201 });
    connectionIds[channel] = json.connection.id;
  }
  const refusal = await call("POST", "/api/connections", { channel: "telegram", bot_token: REFUSED_TOKEN });
  expect(refusal.status).toBe(422);
  mailbox.refusal = `[AUTHENTICATIONFAILED] ${WRONG_MAILBOX.password} is wrong`;
  expect((await call("POST", "/api/connections", { channel: "email", ...WRONG_MAILBOX })).status).toBe(422);
  mailbox.refusal = undefined;
  expect(
    (await call("POST", "/api/connections", { channel: "telegram", ...CREDENTIALS.telegram })).status,
  ).toBe(422);
  for (const [channel, secret] of Object.entries(NEW_SECRETS))
    expect((await call("PUT", `/api/connections/${connectionIds[channel]}`, { secret })).status).toBe(200);
  const items = Object.entries(connectionIds).map(([channel, connectionId]) => ({
    channel,
    id: connectionId,
  }));
  for (const { id: connectionId } of items)
    for (const response of ["reset", "html", { status: 500, body: {} }] as const) {
      services.faults.push({ match: /./, response });
      await call("POST", `/api/connections/${connectionId}/check`);
      services.faults.length = 0;
      await call("POST", `/api/connections/${connectionId}/check`);
    }
  await call("POST", "/api/idle-connections/cleanup", { items, dry_run: true });
  const message = ["The key hash-of-gizli may not do this"];
  const faultWithSecret = { status: 500, body: { status: 500, error: "Error", response: { message } } };
  services.faults.push({ match: /evolution/, response: faultWithSecret });
  services.faults.push({ match: /deleteWebhook|9101|PN9104/, times: 3, response: "commit_then_reset" });
  const { json } = await call("POST", "/api/idle-connections/cleanup", { items });
  expect(json.cleaned_count).toBeLessThan(items.length);
  services.faults.length = 0;
  await call("GET", `/api/connection-cleanups/${json.receipt_id}`);
  await call("GET", `/api/connection-cleanups/${json.receipt_id}/csv`);
  for (const path of ["/api/connections", "/api/idle-connections", "/api/connection-cleanups"])
    await call("GET", path);
  await call("POST", "/api/auth/account/confirm-delete", { confirmation: "SİL" });
  await server.runJobs();

  const databaseText = await dumpDatabase();
  expect(loggedLines.length).toBeGreaterThan(20);
  const secretsByChannel = Object.values(CREDENTIALS).map((fields) =>
    Object.entries(fields).flatMap(([name, value]) =>
      /token|key|password/.test(name) ? [String(value)] : [],
    ),
  );
  expect(
    secretsByChannel.every(({ length }) => length > 0),
    "each channel has a secret",
  ).toBe(true);
  const secrets = [
    ...secretsByChannel.flat(),
    ...[REFUSED_TOKEN, WRONG_MAILBOX.password, ...Object.values(NEW_SECRETS)],
    ...["hash-of-gizli", "sandbox-app-secret"],
  ];
  for (const [place, text] of Object.entries({
    log: loggedLines.join("\n"),
    responses: responses.join("\n"),
    stored: databaseText,
  }))
    for (const secret of secrets)
      for (const encodedSecret of getEncodings(secret))
        expect(text.includes(encodedSecret), `${place}: ${secret}`).toBe(false);
});
