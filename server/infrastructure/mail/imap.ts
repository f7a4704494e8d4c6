import { isIP } from "node:net";
import type { ImapFlow } from "imapflow";
import { SECOND } from "@/server/core/time";
import { PrivateHostError, resolveHost } from "./address";

export interface Mailbox {
  host: string;
  port: number;
  /** Implicit TLS; otherwise STARTTLS is required. */
  secure: boolean;
  user: string;
  password: string;
}

/**
 * Result of a sign-in. `refused`: invalid login. `doubtful`: rejected without a reason. `forbidden`: rejected
 * for a reason other than the login. `insecure`: no TLS, or no valid certificate for the host. `private`,
 * `unknown`: the host. `unavailable`: a temporary problem.
 */
export type SignIn =
  | "ok"
  | "refused"
  | "doubtful"
  | "forbidden"
  | "insecure"
  | "private"
  | "unknown"
  | "unavailable";

/** Response codes of a rejected login (RFC 5530). */
const CODES: Record<string, SignIn> = {
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

const TIMEOUT = 10 * SECOND;
/** Maximum bytes of a response, and of all responses of a session. */
const MAX_RESPONSE = 64 * 1024;
const MAX_BYTES = 1024 * 1024;
const WATCH = SECOND / 10;

/** Codes of a lost connection, which is not evidence of missing encryption. */
const CUT = /^(ECONN|EPIPE|ETIMEDOUT|NoConnection|EConnectionClosed|UPGRADE_TIMEOUT)/;

/**
 * Tests a login: signs in, sends NOOP and signs out, without reading the mailbox. The host is resolved once,
 * must be public and needs a valid certificate; without TLS no login is sent. Takes at most `timeout`
 * milliseconds, by default 10 s. Never throws or logs.
 */
export async function signIn(mailbox: Mailbox, timeout = TIMEOUT): Promise<SignIn> {
  let alarm: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error("late")), timeout);
  });
  let client: ImapFlow | undefined;
  const watch = setInterval(() => client && client.stats().received > MAX_BYTES && client.close(), WATCH);
  try {
    const address = await Promise.race([resolveHost(mailbox.host), timedOut]);
    client = await clientOf(mailbox, address, timeout);
    await Promise.race([client.connect(), timedOut]);
    if (!hasAuthenticated(client)) return "unavailable";
    await Promise.race([client.noop(), timedOut]);
    if (!client.usable) return "unavailable";
    await Promise.race([client.logout(), timedOut]).catch(() => {});
    return "ok";
  } catch (error) {
    return stateOf(error);
  } finally {
    clearTimeout(alarm);
    clearInterval(watch);
    client?.close();
  }
}

async function clientOf(
  { host, port, secure, user, password }: Mailbox,
  address: string,
  timeout: number,
): Promise<ImapFlow> {
  const library = await import("imapflow");
  const client = new library.ImapFlow({
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
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    maxLineLength: MAX_RESPONSE,
    maxLiteralSize: MAX_RESPONSE,
    maxResponseSize: MAX_RESPONSE,
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

function stateOf(error: unknown): SignIn {
  if (error instanceof PrivateHostError) return "private";
  const failure = error as ImapError;
  const { code = "", tlsFailed, authenticationFailed, responseStatus, serverResponseCode = "" } = failure;
  if (code === "ENOTFOUND") return "unknown";
  if (CUT.test(code)) return "unavailable";
  if (tlsFailed || /CERT|SIGNATURE|^ERR_(SSL|TLS)|^EPROTO/.test(code)) return "insecure";
  if (!authenticationFailed) return "unavailable";
  // No response to a login: the server accepts no passwords.
  if (!responseStatus) return "forbidden";
  if (responseStatus !== "NO") return "unavailable";
  return Object.hasOwn(CODES, serverResponseCode) ? CODES[serverResponseCode]! : "doubtful";
}
