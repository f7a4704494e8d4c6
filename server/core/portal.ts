import { env } from "./env";

/** A portal's address, from what is stored: https on its usual port, unless this installation does without. */
export function portalUrl(domain: string): string {
  const { protocol, port } = new URL(env().APP_URL);
  return `${protocol}//${domain}${protocol === "http:" && port ? `:${port}` : ""}`;
}

/** The host of this installation's own address. */
export function mainHost(): string {
  return new URL(env().APP_URL).hostname;
}
