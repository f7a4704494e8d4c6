import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getMenuLabels, putMenuLabels } from "../contract";
import { cleanLabel, isMenuKey, MAX_LABELS } from "../policy";

type Labels = Record<string, string>;

const LABEL_SOURCE = { id: true, role: true, menuLabels: true } as const satisfies Prisma.UserSelect;

export async function get(ctx: Context<UserActor>): Promise<Output<typeof getMenuLabels>> {
  const { own, inherited } = await loadLabels(ctx, ctx.actor.id);
  return outputOf(own, inherited);
}

/** Merges changes into the caller's labels under the account's lock. Throws `validation`. */
export async function update(
  ctx: Context<UserActor>,
  { body }: Input<typeof putMenuLabels>,
): Promise<Output<typeof putMenuLabels>> {
  const changes = validateChanges(Object.entries(body.menu_labels));
  return withOwnAccount(ctx, async (tx) => {
    const { id } = ctx.actor;
    const { own, inherited } = await loadLabels(tx, id);
    const before = new Map(Object.entries(own));
    const after = new Map(before);
    for (const [key, label] of changes) {
      if (label) after.set(key, label);
      else after.delete(key);
    }
    if (body.expected) {
      // A label missing in `expected` did not exist.
      const expected = { ...Object.fromEntries(changes.map(([key]) => [key, null])), ...body.expected };
      requireExpected(expected, { current: own, wanted: Object.fromEntries(after) });
    }
    if (after.size > MAX_LABELS) throw invalid("menu_labels", "menu_labels_max", { max: MAX_LABELS });
    const changed = changes.filter(([key]) => before.get(key) !== after.get(key)).length;
    if (changed > 0) {
      await updateUser(tx, { id }, { menuLabels: Object.fromEntries(after) });
      await audit(tx, {
        action: "profile.menu_labels_changed",
        object: { type: "User", id },
        details: { changed },
      });
    }
    return outputOf(Object.fromEntries(after), inherited);
  });
}

function validateChanges(entries: Array<[string, unknown]>): Array<[string, string]> {
  if (entries.length > MAX_LABELS) throw invalid("menu_labels", "menu_labels_max", { max: MAX_LABELS });
  return entries.map(([key, value]) => {
    const displayKey = cleanLabel(key);
    if (!isMenuKey(key)) throw invalid("menu_labels", "menu_key", { key: displayKey });
    if (value !== null && typeof value !== "string")
      throw invalid("menu_labels", "menu_value", { key: displayKey });
    return [key, cleanLabel(value ?? "")];
  });
}

/** Inherits one level, from the parent or the owner of an agent's site, never from a reseller. */
async function loadLabels(
  { db }: Pick<DbAccess, "db">,
  id: number,
): Promise<{ own: Labels; inherited: Labels }> {
  const { menuLabels, parent, assignedSite } = await db.user.findUniqueOrThrow({
    where: { id },
    select: {
      menuLabels: true,
      parent: { select: LABEL_SOURCE },
      assignedSite: { select: { owner: { select: LABEL_SOURCE } } },
    },
  });
  const source = [parent, assignedSite?.owner].find(
    (each) => each && each.id !== id && each.role !== "reseller",
  );
  return { own: labelsIn(menuLabels), inherited: labelsIn(source?.menuLabels ?? {}) };
}

function outputOf(own: Labels, inherited: Labels): Output<typeof getMenuLabels> {
  return {
    success: true,
    menu_labels: own,
    menu_labels_inherited: inherited,
    menu_labels_effective: { ...inherited, ...own },
  };
}

/** `users.menu_labels` is only written by {@link update}. */
function labelsIn(column: Prisma.JsonValue): Labels {
  return column as Labels;
}
