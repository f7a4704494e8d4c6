import { Resolver } from "node:dns/promises";
import { isDisposableEmailDomain } from "disposable-email-domains-js";
import { parse } from "tldts";
import { env } from "@/server/core/env";
import type { SignUpProblem } from "./policy";

const DNS_TIMEOUT = 2000;

/** Names reserved for examples and tests (RFC 2606, 6761): allowed outside production. */
const RESERVED = /(^|\.)(test|example|localhost|example\.(com|net|org))$/;

/** What is held against a sign-up: by a bot, or with an address that cannot be reached. DNS trouble never stops a customer. */
export async function signUpProblem(
  domain: string,
  honeypot: string | null | undefined,
): Promise<SignUpProblem | undefined> {
  return honeypot ? "honeypot" : domainProblem(domain);
}

async function domainProblem(domain: string): Promise<SignUpProblem | undefined> {
  const { domain: registrable, isIcann, publicSuffix } = parse(domain, { allowPrivateDomains: false });
  if (!env().production && RESERVED.test(domain)) return undefined;
  if (publicSuffix === "invalid" || !isIcann) return "unknown_suffix";
  if (!registrable) return "public_suffix";
  if (isDisposableEmailDomain(domain) || isDisposableEmailDomain(registrable)) return "disposable";
  return (await receivesMail(domain)) === "no" ? "no_mail" : undefined;
}

/** Asks DNS whether a domain accepts mail; returns "no" only when that is certain. */
async function receivesMail(domain: string): Promise<"yes" | "no" | "unknown"> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: 1 });
  const servers = env()
    .DNS_SERVERS?.split(",")
    .map((server) => server.trim());
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), DNS_TIMEOUT);
  try {
    const exchanges = await resolver.resolveMx(domain);
    // A null MX (RFC 7505) declares that a domain accepts no mail.
    return exchanges.some(({ exchange }) => exchange !== "" && exchange !== ".") ? "yes" : "no";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENODATA") return "unknown";
    // A resolver of a closed network denies every name: trust it only if it knows one that must exist.
    return code === "ENOTFOUND" && (await knowsTheWorld(resolver)) ? "no" : "unknown";
  } finally {
    clearTimeout(deadline);
  }
}

function knowsTheWorld(resolver: Resolver): Promise<boolean> {
  return resolver.resolveNs("com").then(
    (found) => found.length > 0,
    () => false,
  );
}
