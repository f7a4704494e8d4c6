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

/** Whether this installation uses a host itself: for the panel, its files, their bucket or the script of the widget. */
export function isOwnHost(host: string): boolean {
  const { APP_URL, MEDIA_URL, WIDGET_SCRIPT_URL, s3 } = env();
  return [APP_URL, MEDIA_URL, WIDGET_SCRIPT_URL, s3?.address].some(
    (address) => address && new URL(address).hostname === host,
  );
}

/** Where this installation says, at every host, which proofs that host's portals have. */
export const PORTAL_PROOF_PATH = "/.well-known/tellal-portal";
