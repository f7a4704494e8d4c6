import type { MailFailure } from "@/server/core/errors";
import { PrivateHost } from "./address";

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
