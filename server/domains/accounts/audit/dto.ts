import type { Locale } from "@/server/core/locale";
import { hasText, text } from "@/server/core/texts";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

/** What is read of an entry: its hashes are for the check alone. */
export const ENTRY = {
  id: true,
  at: true,
  actorKind: true,
  actorId: true,
  onBehalfOf: true,
  action: true,
  objectType: true,
  objectId: true,
  details: true,
  before: true,
  after: true,
  ip: true,
  userAgent: true,
  requestId: true,
} as const satisfies Prisma.AuditEventSelect;

/** An action in words; its name while it has none. */
export function summaryOf(action: string, locale: Locale): string {
  const key = `auditActions.${action}`;
  return hasText(locale, key) ? text(locale, key) : action;
}

/** Facts as words: what is more than a word stays as JSON. */
export function flat(details: Prisma.JsonValue): Record<string, string | number | boolean | null> | null {
  if (details === null || typeof details !== "object") return null;
  const word = (value: unknown) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : (value as string | number | null);
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, word(value)]));
}
