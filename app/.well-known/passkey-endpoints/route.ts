import { env } from "@/server/core/env";

/** Where password managers lead people who want to add a passkey, or to change theirs. */
export function GET() {
  const passkeys = new URL("/settings/security#passkeys", env().APP_URL).href;
  return Response.json({ enroll: passkeys, manage: passkeys });
}
