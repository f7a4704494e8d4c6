import type { Context, UserActor } from "@/server/core/context";
import type { AuditAction } from "@/server/core/domain";
import { truncated } from "@/server/core/graphemes";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type Author, insertEntry } from "../statements";

export { type Author, auditRows } from "../statements";

type Field = string | number | boolean | null;
interface Changes {
  before: Record<string, Field>;
  after: Record<string, Field>;
}

/** The longest text of a field that is recorded, in characters. */
const FIELD_MAX = 200;

/** What differs between a record as it was and as it became, under the same names; undefined when nothing does. */
export function changesOf<R extends object>(was: R, is: R): Changes | undefined {
  const names = (Object.keys(is) as (keyof R & string)[]).filter(
    (name) => JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null),
  );
  if (names.length === 0) return undefined;
  const pick = (from: R) => Object.fromEntries(names.map((name) => [name, fieldOf(from[name])]));
  return { before: pick(was), after: pick(is) };
}

function fieldOf(value: unknown): Field {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > FIELD_MAX ? `${truncated(text, FIELD_MAX)}…` : text;
}

/** Of a secret, only that it changed. */
export function secretChanged(changes: Changes | undefined, name: string): Changes {
  return {
    before: { ...changes?.before, [name]: "changed" },
    after: { ...changes?.after, [name]: "changed" },
  };
}

interface Entry {
  action: AuditAction;
  object?: { type: Prisma.ModelName; id: number };
  /** Facts that help to understand the entry; never secrets. */
  details?: Record<string, string | number | boolean | null>;
  /** The fields that changed, see {@link changesOf}. */
  changes?: Changes;
  /** The person the entry belongs to when nobody is signed in yet. */
  actorId?: number;
  /** The account that somebody else looks at, when the view itself is what is recorded. */
  onBehalfOf?: number;
}

/** Writes one entry, in the transaction of the change it records. Entries are never changed. */
export async function audit(
  ctx: Omit<Context, "db">,
  { action, object, details, changes, actorId, onBehalfOf }: Entry,
): Promise<void> {
  const signedIn = ctx.actor.kind === "user" ? ctx.actor : undefined;
  const behalf = signedIn?.behalf;
  const who = behalf?.actorId ?? signedIn?.id ?? actorId ?? null;
  await insertEntry.later(ctx, {
    actorKind: ctx.actor.kind,
    actorId: who,
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

/** Returns the author of an entry by {@link auditRows}. */
export function authorOf(ctx: Context<UserActor>): Author {
  return { actorId: ctx.actor.id, ...originOf(ctx) };
}

/** Where an entry comes from. */
function originOf({ ip, userAgent, requestId }: Pick<Context, "ip" | "userAgent" | "requestId">) {
  return { ip: ip || null, userAgent: userAgent?.slice(0, 500) ?? null, requestId: requestId || null };
}
