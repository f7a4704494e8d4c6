import type { Locale } from "@/server/core/locale";
import { formatText, hasText } from "@/server/core/texts";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

export const ENTRY_COLUMNS = {
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

export function describeAction(action: string, locale: Locale): string {
  const key = `auditActions.${action}`;
  return hasText(locale, key) ? formatText(locale, key) : action;
}

/** Flattens details to scalars; nested values become JSON text. */
export function flattenDetails(
  details: Prisma.JsonValue,
): Record<string, string | number | boolean | null> | null {
  if (details === null || typeof details !== "object") return null;
  const toScalar = (value: unknown) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : (value as string | number | null);
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, toScalar(value)]));
}
