export { FAILURES } from "@/server/sandbox/failures";

/** The parties that have a sandbox. */
export const PARTY_NAMES = [
  "telegram",
  "meta",
  "instagram",
  "evolution",
  "twilio",
  "parasut",
  "webhook",
] as const;
