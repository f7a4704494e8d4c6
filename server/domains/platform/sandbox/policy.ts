export { FAILURES } from "@/server/sandbox/failures";

export const PARTY_NAMES = [
  "telegram",
  "meta",
  "instagram",
  "evolution",
  "twilio",
  "parasut",
  "webhook",
] as const;
