import { env } from "./env";

/** Returns the URL of a portal: https on the default port, unless APP_URL is http. */
export function buildPortalUrl(domain: string): string {
  const { protocol, port } = new URL(env().APP_URL);
  return `${protocol}//${domain}${protocol === "http:" && port ? `:${port}` : ""}`;
}

export function getMainHost(): string {
  return new URL(env().APP_URL).hostname;
}

/** Tests whether this installation uses a host for the panel, files, the bucket or the widget's script. */
export function isOwnHost(host: string): boolean {
  const { APP_URL, MEDIA_URL, WIDGET_SCRIPT_URL, s3 } = env();
  return [APP_URL, MEDIA_URL, WIDGET_SCRIPT_URL, s3?.address].some(
    (address) => address && new URL(address).hostname === host,
  );
}

/** Path that serves the ownership proof of the requested host's portal. */
export const PORTAL_PROOF_PATH = "/.well-known/tellal-portal";
