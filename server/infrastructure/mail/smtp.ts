import { isIP } from "node:net";
import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import type { MailFailure } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { PrivateHostError, resolveMailHost } from "./resolve-host";

const TRANSPORT_OPTIONS = {
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 30 * SECOND,
  maxResponseSize: 8192,
  disableFileAccess: true,
  disableUrlAccess: true,
};

export const MAIL_PASSWORD_SEAL_PURPOSE = "mail_account";

export interface SmtpAccount {
  host: string;
  port: number;
  secure: boolean;
  username: string | null;
  password_sealed: Uint8Array | null;
}

/** The platform's mail server; requires SMTP_URL. */
export const getSystemTransport = lazyValue(
  () => createTransport(env().SMTP_URL!, TRANSPORT_OPTIONS as object) as Transporter,
);

export async function createAccountTransport(account: SmtpAccount): Promise<Transporter> {
  return createTransport((await buildConnectionOptions(account)) as object);
}

/** Returns connection options with the checked address. Throws if the host is private or has no address. */
export async function buildConnectionOptions(account: SmtpAccount) {
  const { host, port, secure, username, password_sealed: sealed } = account;
  return {
    ...TRANSPORT_OPTIONS,
    host: await resolveMailHost(host),
    port,
    secure,
    // Servers in private networks may have no TLS (MAIL_PRIVATE_HOSTS).
    requireTLS: Boolean(username) && !secure && !env().MAIL_PRIVATE_HOSTS,
    tls: isIP(host) ? {} : { servername: host },
    auth: username
      ? { user: username, pass: sealed ? unseal(sealed, MAIL_PASSWORD_SEAL_PURPOSE) : "" }
      : undefined,
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
}

/** Classifies why connecting or sending failed. The server's own text is for the log only. */
export function classifyMailFailure(error: unknown): MailFailure {
  if (error instanceof PrivateHostError) return "private_host";
  const { code, command = "", message } = error as SmtpError;
  if (code === "EAUTH") return "auth";
  if (code === "EENVELOPE" && command.startsWith("MAIL")) return "sender";
  if (code === "EENVELOPE" && command.startsWith("RCPT")) return "recipient";
  if (code === "EENVELOPE" || code === "EMESSAGE" || code === "EPROTOCOL") return "refused";
  return /certificate|ssl|tls|altnames/i.test(`${code} ${message}`) ? "tls" : "unreachable";
}
