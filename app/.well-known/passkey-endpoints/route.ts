import { env } from "@/server/core/env";

/** W3C well-known URL for password managers to add or manage passkeys. */
export function GET() {
  const passkeys = new URL("/settings/security#passkeys", env().APP_URL).href;
  return Response.json({ enroll: passkeys, manage: passkeys });
}
