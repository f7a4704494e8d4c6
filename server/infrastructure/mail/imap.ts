import { isIP } from "node:net";
import type { ImapFlow } from "imapflow";
import { SECOND } from "@/server/core/time";
import { PrivateHost, resolveHost } from "./address";

/** A mailbox and the way into it. */
export interface Mailbox {
  host: string;
  port: number;
  /** TLS from the first byte; else STARTTLS, before anything else is sent. */
  secure: boolean;
  user: string;
  password: string;
}

/**
 * What a sign-in came to. `refused`: the server says that the login is not valid. `doubtful`: it refused without a reason.
 * `forbidden`: something else than the login is in the way. `insecure`: no TLS, or a certificate that does not prove the
 * host. `private` and `unknown`: the host. `unavailable`: anything that may pass.
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

/** Response codes by which a server says what it thinks of a login (RFC 5530). */
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
/** The most that one answer, and all of them together, may have, in bytes. */
const MAX_ANSWER = 64 * 1024;
const MAX_BYTES = 1024 * 1024;
/** How often the sum is looked at. */
const WATCH = SECOND / 10;

/** Codes of a connection that ended, which says nothing of its encryption. */
const CUT = /^(ECONN|EPIPE|ETIMEDOUT|NoConnection|EConnectionClosed|UPGRADE_TIMEOUT)/;

/**
 * Signs in to a mailbox, asks whether the session works, and leaves; nothing in it is read or changed. The host is
 * resolved once, must be public, is connected to by that very address, and proves its name by its certificate: without
 * TLS no login is sent. Takes at most `timeout` milliseconds, 10 s unless told. Never throws, and logs nothing.
 */
export async function signIn(mailbox: Mailbox, timeout = TIMEOUT): Promise<SignIn> {
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error("late")), timeout);
  });
  let client: ImapFlow | undefined;
  const watch = setInterval(() => client && client.stats().received > MAX_BYTES && client.close(), WATCH);
  try {
    const address = await Promise.race([resolveHost(mailbox.host), late]);
    client = await clientOf(mailbox, address, timeout);
    await Promise.race([client.connect(), late]);
    if (!wasAsked(client)) return "unavailable";
    await Promise.race([client.noop(), late]);
    if (!client.usable) return "unavailable";
    await Promise.race([client.logout(), late]).catch(() => {});
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
  // Loaded with the first mailbox: most processes never see one.
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
    maxLineLength: MAX_ANSWER,
    maxLiteralSize: MAX_ANSWER,
    maxResponseSize: MAX_ANSWER,
  });
  // What goes wrong outside of a command ends the command as well.
  client.on("error", () => {});
  return client;
}

/** Whether the server has looked at the login: one that greets us as signed in already has not. */
function wasAsked(client: ImapFlow): boolean {
  const { authCapabilities: ways } = client as unknown as { authCapabilities: Map<string, boolean> };
  return [...ways.values()].includes(true);
}

interface ImapError extends Error {
  code?: string;
  tlsFailed?: boolean;
  authenticationFailed?: boolean;
  /** NO or BAD: the server's own answer to the login. */
  responseStatus?: string;
  serverResponseCode?: string;
}

function stateOf(error: unknown): SignIn {
  if (error instanceof PrivateHost) return "private";
  const failure = error as ImapError;
  const { code = "", tlsFailed, authenticationFailed, responseStatus, serverResponseCode = "" } = failure;
  if (code === "ENOTFOUND") return "unknown";
  if (CUT.test(code)) return "unavailable";
  if (tlsFailed || /CERT|SIGNATURE|^ERR_(SSL|TLS)|^EPROTO/.test(code)) return "insecure";
  if (!authenticationFailed) return "unavailable";
  // Without an answer of the server's, it takes no passwords.
  if (!responseStatus) return "forbidden";
  if (responseStatus !== "NO") return "unavailable";
  return Object.hasOwn(CODES, serverResponseCode) ? CODES[serverResponseCode]! : "doubtful";
}
