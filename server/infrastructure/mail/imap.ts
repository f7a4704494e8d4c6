import { isIP } from "node:net";
import type { ImapFlow } from "imapflow";
import { SECOND } from "@/server/core/time";
import { PrivateHostError, resolveMailHost } from "./resolve-host";

export interface ImapMailbox {
  host: string;
  port: number;
  /** Implicit TLS; otherwise STARTTLS is required. */
  secure: boolean;
  user: string;
  password: string;
}

/**
 * Result of a sign-in. `refused`: invalid login. `doubtful`: rejected without a reason. `forbidden`: rejected
 * for a reason other than the login. `insecure`: no TLS, or no valid certificate for the host. `private`: the
 * host has a private address. `unknown`: the host does not exist. `unavailable`: a temporary problem.
 */
export type ImapSignInResult =
  | "ok"
  | "refused"
  | "doubtful"
  | "forbidden"
  | "insecure"
  | "private"
  | "unknown"
  | "unavailable";

/** Response codes of a rejected login (RFC 5530). */
const RESULT_BY_CODE: Record<string, ImapSignInResult> = {
  AUTHENTICATIONFAILED: "refused",
  EXPIRED: "refused",
  AUTHORIZATIONFAILED: "forbidden",
  CONTACTADMIN: "forbidden",
  NOPERM: "forbidden",
  PRIVACYREQUIRED: "forbidden",
  INUSE: "unavailable",
  LIMIT: "unavailable",
  SERVERBUG: "unavailable",
  UNAVAILABLE: "unavailable",
};

const SIGN_IN_TIMEOUT_MS = 10 * SECOND;
/** Maximum bytes of a response, and of all responses of a session. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_SESSION_BYTES = 1024 * 1024;
const SIZE_CHECK_INTERVAL_MS = SECOND / 10;

/** Codes of a lost connection, which is not evidence of missing encryption. */
const CONNECTION_LOST = /^(ECONN|EPIPE|ETIMEDOUT|NoConnection|EConnectionClosed|UPGRADE_TIMEOUT)/;

/** Tests a login without reading the mailbox; without TLS no login is sent. Never throws or logs. */
export async function testImapLogin(
  mailbox: ImapMailbox,
  timeoutMs = SIGN_IN_TIMEOUT_MS,
): Promise<ImapSignInResult> {
  let timeoutTimer: NodeJS.Timeout | undefined;
  const timeoutPromise = new Promise<never>((_, reject) => {
    timeoutTimer = setTimeout(() => reject(new Error("late")), timeoutMs);
  });
  let client: ImapFlow | undefined;
  const sizeCheckTimer = setInterval(
    () => client && client.stats().received > MAX_SESSION_BYTES && client.close(),
    SIZE_CHECK_INTERVAL_MS,
  );
  try {
    const address = await Promise.race([resolveMailHost(mailbox.host), timeoutPromise]);
    client = await createImapClient(mailbox, address, timeoutMs);
    await Promise.race([client.connect(), timeoutPromise]);
    if (!hasAuthenticated(client)) return "unavailable";
    await Promise.race([client.noop(), timeoutPromise]);
    if (!client.usable) return "unavailable";
    await Promise.race([client.logout(), timeoutPromise]).catch(() => {});
    return "ok";
  } catch (error) {
    return toSignInResult(error);
  } finally {
    clearTimeout(timeoutTimer);
    clearInterval(sizeCheckTimer);
    client?.close();
  }
}

async function createImapClient(
  { host, port, secure, user, password }: ImapMailbox,
  address: string,
  timeoutMs: number,
): Promise<ImapFlow> {
  const imapflow = await import("imapflow");
  const client = new imapflow.ImapFlow({
    host: address,
    ...(!isIP(host) && { servername: host }),
    port,
    secure,
    ...(!secure && { doSTARTTLS: true }),
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxLineLength: MAX_RESPONSE_BYTES,
    maxLiteralSize: MAX_RESPONSE_BYTES,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  // Errors outside of a command make the command fail, too.
  client.on("error", () => {});
  return client;
}

/** Tests whether the server checked the login; one with a PREAUTH greeting did not. */
function hasAuthenticated(client: ImapFlow): boolean {
  const { authCapabilities: methods } = client as unknown as { authCapabilities: Map<string, boolean> };
  return [...methods.values()].includes(true);
}

interface ImapError extends Error {
  code?: string;
  tlsFailed?: boolean;
  authenticationFailed?: boolean;
  /** Response to the login: NO or BAD. */
  responseStatus?: string;
  serverResponseCode?: string;
}

function toSignInResult(error: unknown): ImapSignInResult {
  if (error instanceof PrivateHostError) return "private";
  const imapError = error as ImapError;
  const { code = "", tlsFailed, authenticationFailed, responseStatus, serverResponseCode = "" } = imapError;
  if (code === "ENOTFOUND") return "unknown";
  if (CONNECTION_LOST.test(code)) return "unavailable";
  if (tlsFailed || /CERT|SIGNATURE|^ERR_(SSL|TLS)|^EPROTO/.test(code)) return "insecure";
  if (!authenticationFailed) return "unavailable";
  // No response to a login: the server accepts no passwords.
  if (!responseStatus) return "forbidden";
  if (responseStatus !== "NO") return "unavailable";
  return Object.hasOwn(RESULT_BY_CODE, serverResponseCode) ? RESULT_BY_CODE[serverResponseCode]! : "doubtful";
}
