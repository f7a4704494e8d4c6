import { env } from "@/server/core/env";

/** Whether a request comes from a page of ours, by headers that the browser sets and pages cannot forge. */
export function fromOwnPage({ header }: { header(name: string): string | null }): boolean {
  return header("sec-fetch-site") === "same-origin" || header("origin") === new URL(env().APP_URL).origin;
}
