export { FAILURES } from "@/server/sandbox/failures";

export const SERVICE_NAMES = [
  "telegram",
  "meta",
  "instagram",
  "evolution",
  "twilio",
  "parasut",
  "webhook",
] as const;
