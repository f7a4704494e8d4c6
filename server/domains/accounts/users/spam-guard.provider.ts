import { Resolver } from "node:dns/promises";
import { isDisposableEmailDomain } from "disposable-email-domains-js";
import { parse } from "tldts";
import { env } from "@/server/core/env";

const DNS_TIMEOUT_MS = 2000;

/** Reserved for examples and tests (RFC 2606, 6761): allowed outside production. */
const RESERVED_DOMAINS = /(^|\.)(test|example|localhost|example\.(com|net|org))$/;

/** Why a domain is unlikely to belong to a real customer; `no_mail`: it accepts no mail. */
export type MailDomainProblem = "unknown_suffix" | "public_suffix" | "disposable" | "no_mail";

/** Undefined for an acceptable domain. A DNS failure is not a problem. */
export async function findMailDomainProblem(domain: string): Promise<MailDomainProblem | undefined> {
  const { domain: registrableDomain, isIcann, publicSuffix } = parse(domain, { allowPrivateDomains: false });
  if (!env().production && RESERVED_DOMAINS.test(domain)) return undefined;
  if (publicSuffix === "invalid" || !isIcann) return "unknown_suffix";
  if (!registrableDomain) return "public_suffix";
  if (isDisposableEmailDomain(domain) || isDisposableEmailDomain(registrableDomain)) return "disposable";
  return (await lookUpMailSupport(domain)) === "no" ? "no_mail" : undefined;
}

/** Returns "no" only when DNS is certain. */
async function lookUpMailSupport(domain: string): Promise<"yes" | "no" | "unknown"> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const servers = env()
    .DNS_SERVERS?.split(",")
    .map((server) => server.trim());
  if (servers) resolver.setServers(servers);
  const cancelTimer = setTimeout(() => resolver.cancel(), DNS_TIMEOUT_MS);
  try {
    const mxRecords = await resolver.resolveMx(domain);
    // A null MX (RFC 7505) means that the domain accepts no mail.
    return mxRecords.some(({ exchange }) => exchange !== "" && exchange !== ".") ? "yes" : "no";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENODATA") return "unknown";
    // The resolver of a closed network denies every name: trust it only if it resolves one that must exist.
    return code === "ENOTFOUND" && (await resolvesPublicNames(resolver)) ? "no" : "unknown";
  } finally {
    clearTimeout(cancelTimer);
  }
}

function resolvesPublicNames(resolver: Resolver): Promise<boolean> {
  return resolver.resolveNs("com").then(
    (nameServers) => nameServers.length > 0,
    () => false,
  );
}
