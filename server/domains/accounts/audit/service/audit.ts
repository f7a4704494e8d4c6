import type { Context, UserActor } from "@/server/core/context";
import type { AuditAction } from "@/server/core/domain";
import { truncateGraphemes } from "@/server/core/graphemes";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type Author, insertEntry } from "../statements";

export { type Author, auditRows } from "../statements";

type Field = string | number | boolean | null;
interface Changes {
  before: Record<string, Field>;
  after: Record<string, Field>;
}

const FIELD_MAX = 200;

/** Returns the fields that differ between two versions of a record; undefined if none. */
export function changesOf<R extends object>(before: R, after: R): Changes | undefined {
  const names = (Object.keys(after) as (keyof R & string)[]).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (names.length === 0) return undefined;
  const pick = (from: R) => Object.fromEntries(names.map((name) => [name, fieldOf(from[name])]));
  return { before: pick(before), after: pick(after) };
}

function fieldOf(value: unknown): Field {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > FIELD_MAX ? `${truncateGraphemes(text, FIELD_MAX)}…` : text;
}

export function secretChanged(changes: Changes | undefined, name: string): Changes {
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
  /** Account that acts before it is signed in. */
  actorId?: number;
  /** Impersonated account, when the entry records the impersonation itself. */
  onBehalfOf?: number;
}

/** Writes an entry in the transaction of the change. Entries are never updated. */
export async function audit(
  ctx: Omit<Context, "db">,
  { action, object, details, changes, actorId, onBehalfOf }: Entry,
): Promise<void> {
  const signedIn = ctx.actor.kind === "user" ? ctx.actor : undefined;
  const behalf = signedIn?.impersonation;
  const authorId = behalf?.actorId ?? signedIn?.id ?? actorId ?? null;
  await insertEntry.later(ctx, {
    actorKind: ctx.actor.kind,
    actorId: authorId,
    onBehalfOf: onBehalfOf ?? (behalf ? signedIn!.id : null),
    action,
    objectType: object?.type ?? null,
    objectId: object ? String(object.id) : null,
    details: details ? JSON.stringify(details) : null,
    before: changes ? JSON.stringify(changes.before) : null,
    after: changes ? JSON.stringify(changes.after) : null,
    ...originOf(ctx),
  });
}

export function authorOf(ctx: Context<UserActor>): Author {
  return { actorId: ctx.actor.id, ...originOf(ctx) };
}

function originOf({ ip, userAgent, requestId }: Pick<Context, "ip" | "userAgent" | "requestId">) {
  return { ip: ip || null, userAgent: userAgent?.slice(0, 500) ?? null, requestId: requestId || null };
}
