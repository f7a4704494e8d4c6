import { env } from "./env";

/**
 * Returns a portal's address from its stored domain: https on the default port, unless this installation runs without
 * TLS.
 */
export function portalUrl(domain: string): string {
  const { protocol, port } = new URL(env().APP_URL);
  return `${protocol}//${domain}${protocol === "http:" && port ? `:${port}` : ""}`;
}

/** Returns the host of this installation's own address. */
export function mainHost(): string {
  return new URL(env().APP_URL).hostname;
}

/** Where this installation says, at every host, which proofs that host's portals have. */
export const PORTAL_PROOF_PATH = "/.well-known/tellal-portal";
