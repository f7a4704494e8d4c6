import { createCipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { verify } from "@node-rs/argon2";
import pg from "pg";
import * as statements from "./hand-written-sql";

/* Baseline: four operations with node:http and pg, without validation, limits or log. servers.ts runs it. */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, idleTimeoutMillis: 600_000 });
const sealKey = randomBytes(32);
const TOUCH_AFTER_MS = 60_000;

const digest = (secret: string) => createHash("sha256").update(secret).digest();
const newSecret = (prefix: string) => `${prefix}_${randomBytes(32).toString("base64url")}`;
const formatMicroseconds = (date: Date) => `${date.toISOString().slice(0, -1)}000Z`;

interface RequestInfo {
  ip: string;
  userAgent: string | null;
  requestId: string;
}

createServer((req, res) => {
  respond(req, res).catch((error: Error) => send(res, 500, JSON.stringify({ message: error.message })));
}).listen(Number(process.env.PORT), "127.0.0.1");

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const origin: RequestInfo = {
    ip: String(req.headers["x-forwarded-for"] ?? req.socket.remoteAddress),
    userAgent: req.headers["user-agent"] ?? null,
    requestId: randomUUID(),
  };
  const { method, url } = req;
  if (method === "POST" && url === "/api/auth/login") return send(res, ...(await signIn(req, origin)));
  const token = await authenticate(req, origin.ip);
  if (!token) return send(res, 401, '{"message":"Unauthenticated."}');
  if (method === "POST" && url === "/api/sites")
    return send(res, ...(await createSite(req, token.user_id, origin)));
  const statement =
    url === "/api/auth/user"
      ? statements.READ_PROFILE
      : url === "/api/sites"
        ? statements.LIST_SITES
        : undefined;
  if (method !== "GET" || !statement) return send(res, 404, '{"message":"Not found"}');
  const { rows } = await pool.query({ ...statement, values: [token.user_id] });
  send(res, 200, rows[0].body);
}

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

async function authenticate(req: IncomingMessage, ip: string) {
  const header = req.headers.authorization;
  if (!header?.startsWith("Bearer ")) return undefined;
  const { rows } = await pool.query({ ...statements.FIND_TOKEN, values: [digest(header.slice(7))] });
  const [token] = rows;
  if (!token?.is_active) return undefined;
  if (!token.last_used_at || Date.now() - token.last_used_at.getTime() > TOUCH_AFTER_MS)
    pool.query({ ...statements.TOUCH_TOKEN, values: [token.id, ip] }).catch(() => {});
  return token;
}

async function readJson(req: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

type StatusAndBody = [status: number, body: string];

async function createSite(req: IncomingMessage, userId: number, origin: RequestInfo): Promise<StatusAndBody> {
  const { name, domain } = await readJson(req);
  return inTransaction(async (client): Promise<StatusAndBody> => {
    await client.query({ ...statements.LOCK_SLOTS, values: [userId] });
    const { rows: slots } = await client.query({ ...statements.FIND_SLOTS, values: [userId] });
    const slot = slots.find((row) => row.used < row.slots);
    if (!slot) return [403, '{"message":"No slot"}'];
    const key = newSecret("dsk");
    const values = [userId, slot.id, name, domain, digest(key), seal(key), key.slice(-4)];
    const [site] = (await client.query({ ...statements.INSERT_SITE, values })).rows;
    if (!site) return [422, '{"message":"The domain is taken"}'];
    await insertAuditEntry(client, origin, userId, "site.created", ["Site", site.id], {
      mode: "subscription_slot",
    });
    const remainingSlots = slots.reduce((sum, row) => sum + Math.max(0, row.slots - row.used), 0) - 1;
    const billing = { mode: "subscription_slot", remaining_slots: remainingSlots };
    const publicSite = { ...site, api_key: key, created_at: formatMicroseconds(site.created_at) };
    return [201, JSON.stringify({ success: true, site: publicSite, billing })];
  });
}

async function signIn(req: IncomingMessage, origin: RequestInfo): Promise<StatusAndBody> {
  const { email, password } = await readJson(req);
  const [user] = (await pool.query({ ...statements.FIND_ACCOUNT, values: [email.toLowerCase()] })).rows;
  if (!user || !(await verify(user.password_hash, password))) return [401, '{"message":"Wrong"}'];
  if (!user.email_verified || !user.is_active || user.has_second_factor)
    return [403, '{"message":"Stopped"}'];
  const token = newSecret("dsu");
  await inTransaction(async (client) => {
    const values = [user.id, digest(token), token.slice(-4), origin.ip, origin.userAgent];
    await client.query({ ...statements.INSERT_TOKEN, values });
    await insertAuditEntry(client, origin, user.id, "sign_in.succeeded", ["User", user.id], {
      way: "password",
    });
  });
  const { password_hash: _, email_verified: __, has_second_factor: ___, ...publicUser } = user;
  const modules = ["appointment", "saas"].filter((name) => user.allowed_modules?.includes(name) ?? true);
  return [200, JSON.stringify({ success: true, user: publicUser, token, modules })];
}

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function insertAuditEntry(
  client: pg.PoolClient,
  { ip, userAgent, requestId }: RequestInfo,
  userId: number,
  action: string,
  [objectType, objectId]: [string, number],
  details: object,
): Promise<void> {
  const values = [
    "user",
    userId,
    action,
    objectType,
    String(objectId),
    JSON.stringify(details),
    ip,
    userAgent,
    requestId,
  ];
  await client.query({ ...statements.INSERT_AUDIT_ENTRY, values });
}

function seal(text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}
