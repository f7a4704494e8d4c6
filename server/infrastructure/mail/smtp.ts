import { isIP } from "node:net";
import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import type { MailFailure } from "@/server/core/errors";
import { kept } from "@/server/core/kept";
import { SECOND } from "@/server/core/time";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { PrivateHost, resolveHost } from "./address";

const LIMITS = {
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 30 * SECOND,
  // A reply to EHLO has a few hundred bytes, a refusal rarely more.
  maxResponseSize: 8192,
  disableFileAccess: true,
  disableUrlAccess: true,
};

/** Purpose of the seal on a mail account's password. */
export const MAIL_PASSWORD_PURPOSE = "mail_account";

/** A customer's mail server, as it is stored. */
export interface SmtpAccount {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  username: string | null;
  password_sealed: Uint8Array | null;
}

/** The platform's own mail server, where `SMTP_URL` names one. */
export const systemTransport = kept(() => createTransport(env().SMTP_URL!, LIMITS as object) as Transporter);

/**
 * A transport to a customer's mail server: connects to the address that was checked, and expects the host's
 * certificate. A password is sent over TLS only. Throws when the host is private or has no address.
 */
export async function accountTransport(account: SmtpAccount): Promise<Transporter> {
  return createTransport((await accountOptions(account)) as object);
}

/** How a customer's mail server is reached. Throws when the host is private or has no address. */
export async function accountOptions(account: SmtpAccount) {
  const { host, port, secure, username, password_sealed: sealed } = account;
  return {
    ...LIMITS,
    host: await resolveHost(host),
    port,
    secure,
    requireTLS: Boolean(username) && !secure && !env().MAIL_PRIVATE_HOSTS,
    tls: isIP(host) ? {} : { servername: host },
    auth: username
      ? { user: username, pass: sealed ? unseal(sealed, MAIL_PASSWORD_PURPOSE) : "" }
      : undefined,
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
}

/** Classifies why a customer's mail server did not accept a mail. Its own words go to the log only. */
export function failureOf(error: unknown): MailFailure {
  if (error instanceof PrivateHost) return "private_host";
  const { code, command = "", message } = error as SmtpError;
  if (code === "EAUTH") return "auth";
  if (code === "EENVELOPE" && command.startsWith("MAIL")) return "sender";
  if (code === "EENVELOPE" && command.startsWith("RCPT")) return "recipient";
  if (code === "EENVELOPE" || code === "EMESSAGE" || code === "EPROTOCOL") return "refused";
  return /certificate|ssl|tls|altnames/i.test(`${code} ${message}`) ? "tls" : "unreachable";
}
