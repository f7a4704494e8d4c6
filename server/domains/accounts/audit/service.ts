import type { Context } from "@/server/core/context";
import type { AuditAction } from "@/server/core/domain";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { insertEntry } from "./statements";

/** For statements that write an entry together with what it is about. */
export { INTO_ENTRIES } from "./statements";

interface Entry {
  action: AuditAction;
  object?: { type: Prisma.ModelName; id: number };
  /** Facts that help to understand the entry; never secrets. */
  details?: Record<string, string | number | boolean | null>;
  /** The person the entry belongs to when nobody is signed in yet. */
  actorId?: number;
  /** The account that somebody else looks at, when the view itself is what is recorded. */
  onBehalfOf?: number;
}

/** Writes one entry, in the transaction of the change it records. Entries are never changed. */
export async function audit(
  ctx: Omit<Context, "db">,
  { action, object, details, actorId, onBehalfOf }: Entry,
): Promise<void> {
  const signedIn = ctx.actor.kind === "user" ? ctx.actor : undefined;
  const behalf = signedIn?.behalf;
  const who = behalf?.actorId ?? signedIn?.id ?? actorId ?? null;
  await insertEntry(ctx, {
    actorKind: ctx.actor.kind,
    actorId: who,
    onBehalfOf: onBehalfOf ?? (behalf ? signedIn!.id : null),
    action,
    objectType: object?.type ?? null,
    objectId: object ? String(object.id) : null,
    details: details ? JSON.stringify(details) : null,
    ...originOf(ctx),
  });
}

/** Where an entry comes from. */
export function originOf({ ip, userAgent, requestId }: Pick<Context, "ip" | "userAgent" | "requestId">) {
  return { ip: ip || null, userAgent: userAgent?.slice(0, 500) ?? null, requestId: requestId || null };
}
