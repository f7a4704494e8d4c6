import type { Context, UserActor } from "@/server/core/context";
import type { AuditAction } from "@/server/core/domain";
import { truncateGraphemes } from "@/server/core/graphemes";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type AuditAuthor, insertEntry } from "../statements";

export { type AuditAuthor, insertAuditEntriesSql } from "../statements";

type FieldValue = string | number | boolean | null;
interface Changes {
  before: Record<string, FieldValue>;
  after: Record<string, FieldValue>;
}

const MAX_VALUE_LENGTH = 200;

export function diffFields<R extends object>(before: R, after: R): Changes | undefined {
  const names = (Object.keys(after) as (keyof R & string)[]).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (names.length === 0) return undefined;
  const pickChanged = (record: R) =>
    Object.fromEntries(names.map((name) => [name, toFieldValue(record[name])]));
  return { before: pickChanged(before), after: pickChanged(after) };
}

function toFieldValue(value: unknown): FieldValue {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MAX_VALUE_LENGTH ? `${truncateGraphemes(text, MAX_VALUE_LENGTH)}…` : text;
}

export function addSecretChange(changes: Changes | undefined, name: string): Changes {
  return {
    before: { ...changes?.before, [name]: "changed" },
    after: { ...changes?.after, [name]: "changed" },
  };
}

interface Entry {
  action: AuditAction;
  object?: { type: Prisma.ModelName; id: number };
  /** Never secrets. */
  details?: Record<string, string | number | boolean | null>;
  changes?: Changes;
  /** Acting account when the caller is not signed in yet. */
  actorId?: number;
  /** Impersonated account, when the entry records the impersonation itself. */
  onBehalfOf?: number;
}

/** Writes an entry in the transaction of the change. Entries are never updated. */
export async function audit(
  ctx: Omit<Context, "db">,
  { action, object, details, changes, actorId, onBehalfOf }: Entry,
): Promise<void> {
  const caller = ctx.actor.kind === "user" ? ctx.actor : undefined;
  const impersonation = caller?.impersonation;
  const authorId = impersonation?.actorId ?? caller?.id ?? actorId ?? null;
  await insertEntry.sendWithoutWaiting(ctx, {
    actorKind: ctx.actor.kind,
    actorId: authorId,
    onBehalfOf: onBehalfOf ?? (impersonation ? caller!.id : null),
    action,
    objectType: object?.type ?? null,
    objectId: object ? String(object.id) : null,
    details: details ? JSON.stringify(details) : null,
    before: changes ? JSON.stringify(changes.before) : null,
    after: changes ? JSON.stringify(changes.after) : null,
    ...getOrigin(ctx),
  });
}

export function getAuditAuthor(ctx: Context<UserActor>): AuditAuthor {
  return { actorId: ctx.actor.id, ...getOrigin(ctx) };
}

function getOrigin({ ip, userAgent, requestId }: Pick<Context, "ip" | "userAgent" | "requestId">) {
  return { ip: ip || null, userAgent: userAgent?.slice(0, 500) ?? null, requestId: requestId || null };
}
