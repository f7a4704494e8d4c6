import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getMenuLabels, putMenuLabels } from "../contract";
import { cleanLabel, isMenuKey, MAX_LABELS } from "../policy";

type Labels = Record<string, string>;

const LABEL_SOURCE_COLUMNS = { id: true, role: true, menuLabels: true } as const satisfies Prisma.UserSelect;

export async function readMenuLabels(ctx: Context<UserActor>): Promise<Output<typeof getMenuLabels>> {
  const { ownLabels, inheritedLabels } = await loadLabels(ctx, ctx.actor.id);
  return buildOutput(ownLabels, inheritedLabels);
}

/** Merges changes into the caller's labels under the account's lock. Throws `validation`. */
export async function updateMenuLabels(
  ctx: Context<UserActor>,
  { body }: Input<typeof putMenuLabels>,
): Promise<Output<typeof putMenuLabels>> {
  const changes = validateChanges(Object.entries(body.menu_labels));
  return withOwnAccount(ctx, async (tx) => {
    const { id } = ctx.actor;
    const { ownLabels, inheritedLabels } = await loadLabels(tx, id);
    const before = new Map(Object.entries(ownLabels));
    const after = new Map(before);
    for (const [key, label] of changes) {
      if (label) after.set(key, label);
      else after.delete(key);
    }
    if (body.expected) {
      // A label missing in `expected` did not exist.
      const expected = { ...Object.fromEntries(changes.map(([key]) => [key, null])), ...body.expected };
      requireExpected(expected, { current: ownLabels, requested: Object.fromEntries(after) });
    }
    if (after.size > MAX_LABELS) throw invalidField("menu_labels", "menu_labels_max", { max: MAX_LABELS });
    const changeCount = changes.filter(([key]) => before.get(key) !== after.get(key)).length;
    if (changeCount > 0) {
      await updateUser(tx, { id }, { menuLabels: Object.fromEntries(after) });
      await audit(tx, {
        action: "profile.menu_labels_changed",
        object: { type: "User", id },
        details: { changed: changeCount },
      });
    }
    return buildOutput(Object.fromEntries(after), inheritedLabels);
  });
}

function validateChanges(entries: Array<[string, unknown]>): Array<[string, string]> {
  if (entries.length > MAX_LABELS) throw invalidField("menu_labels", "menu_labels_max", { max: MAX_LABELS });
  return entries.map(([key, value]) => {
    const displayKey = cleanLabel(key);
    if (!isMenuKey(key)) throw invalidField("menu_labels", "menu_key", { key: displayKey });
    if (value !== null && typeof value !== "string")
      throw invalidField("menu_labels", "menu_value", { key: displayKey });
    return [key, cleanLabel(value ?? "")];
  });
}

/** Inherits one level, from the parent or the owner of an agent's site, never from a reseller. */
async function loadLabels(
  { db }: Pick<DbAccess, "db">,
  id: number,
): Promise<{ ownLabels: Labels; inheritedLabels: Labels }> {
  const { menuLabels, parent, assignedSite } = await db.user.findUniqueOrThrow({
    where: { id },
    select: {
      menuLabels: true,
      parent: { select: LABEL_SOURCE_COLUMNS },
      assignedSite: { select: { owner: { select: LABEL_SOURCE_COLUMNS } } },
    },
  });
  const source = [parent, assignedSite?.owner].find(
    (each) => each && each.id !== id && each.role !== "reseller",
  );
  return { ownLabels: toLabels(menuLabels), inheritedLabels: toLabels(source?.menuLabels ?? {}) };
}

function buildOutput(ownLabels: Labels, inheritedLabels: Labels): Output<typeof getMenuLabels> {
  return {
    success: true,
    menu_labels: ownLabels,
    menu_labels_inherited: inheritedLabels,
    menu_labels_effective: { ...inheritedLabels, ...ownLabels },
  };
}

function toLabels(column: Prisma.JsonValue): Labels {
  return column as Labels;
}
