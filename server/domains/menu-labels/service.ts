import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { invalid } from "@/server/core/errors";
import { audit } from "@/server/domains/audit/service";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import type { getMenuLabels, putMenuLabels } from "./contract";
import { cleanLabel, isMenuKey, MAX_LABELS } from "./policy";

type Labels = Record<string, string>;

/** The caller's labels: its own, those from above, and what counts. */
export async function read({ actor, sql }: Context<UserActor>): Promise<Answer<typeof getMenuLabels>> {
  return labelsOf({ sql }, actor.id);
}

/**
 * Merges changes into the caller's labels, under a lock of its row, so that two calls at once lose nothing.
 * Throws `validation` for a key or value that is none, and for more than 100 labels.
 */
export async function write(
  ctx: Context<UserActor>,
  { body }: Input<typeof putMenuLabels>,
): Promise<Answer<typeof putMenuLabels>> {
  const changes = checked(Object.entries(body.menu_labels));
  return withTransaction(ctx, async (tx) => {
    const { id } = ctx.actor;
    const [row] = await tx.sql<{ labels: Labels }>`
      select menu_labels as labels from users where id = ${id} for update`;
    const before = new Map(Object.entries(row!.labels));
    const after = new Map(before);
    for (const [key, label] of changes) {
      if (label) after.set(key, label);
      else after.delete(key);
    }
    if (after.size > MAX_LABELS) throw invalid("menu_labels", "menu_labels_max", { max: MAX_LABELS });
    const changed = changes.filter(([key]) => before.get(key) !== after.get(key)).length;
    if (changed > 0) {
      await tx.sql`
        update users set menu_labels = ${JSON.stringify(Object.fromEntries(after))}::jsonb, updated_at = now() where id = ${id}`;
      await audit(tx, {
        action: "profile.menu_labels_changed",
        object: { type: "User", id },
        details: { changed },
      });
    }
    return labelsOf(tx, id);
  });
}

/** Keys and values by the contract's rules; an empty label deletes. */
function checked(given: Array<[string, unknown]>): Array<[string, string]> {
  if (given.length > MAX_LABELS) throw invalid("menu_labels", "menu_labels_max", { max: MAX_LABELS });
  return given.map(([key, value]) => {
    const shown = cleanLabel(key);
    if (!isMenuKey(key)) throw invalid("menu_labels", "menu_key", { key: shown });
    if (value !== null && typeof value !== "string")
      throw invalid("menu_labels", "menu_value", { key: shown });
    return [key, cleanLabel(value ?? "")];
  });
}

/** One step up only: the parent's own labels, else those of the owner of the agent's site. */
async function labelsOf({ sql }: Pick<Work, "sql">, id: number): Promise<Answer<typeof getMenuLabels>> {
  const [row] = await sql<{ own: Labels; inherited: Labels }>`
    select u.menu_labels as own, coalesce(parent.menu_labels, owner.menu_labels, '{}'::jsonb) as inherited
      from users u
      left join users parent on parent.id = u.parent_user_id
      left join sites s on s.id = u.assigned_site_id
      left join users owner on owner.id = s.user_id and owner.id <> u.id
     where u.id = ${id}`;
  const { own, inherited } = row!;
  return {
    success: true,
    menu_labels: own,
    menu_labels_inherited: inherited,
    menu_labels_effective: Object.fromEntries([...Object.entries(inherited), ...Object.entries(own)]),
  };
}
