import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getMenuLabels, putMenuLabels } from "../contract";
import { cleanMenuLabel, isMenuKey, MAX_MENU_LABELS } from "../policy";

type Labels = Record<string, string>;

const LABEL_SOURCE_COLUMNS = { id: true, role: true, menuLabels: true } as const satisfies Prisma.UserSelect;

export async function getOwnMenuLabels(ctx: Context<UserActor>): Promise<Output<typeof getMenuLabels>> {
  const { ownLabels, inheritedLabels } = await loadLabels(ctx, ctx.actor.id);
  return buildOutput(ownLabels, inheritedLabels);
}

/** Merges changes into the caller's labels under the account's lock. Throws `validation`. */
export async function putOwnMenuLabels(
  ctx: Context<UserActor>,
  { body }: Input<typeof putMenuLabels>,
): Promise<Output<typeof putMenuLabels>> {
  const labelChanges = parseLabelChanges(Object.entries(body.menu_labels));
  return withLockedOwnAccount(ctx, async (tx) => {
    const { id } = ctx.actor;
    const { ownLabels, inheritedLabels } = await loadLabels(tx, id);
    const labelsBefore = new Map(Object.entries(ownLabels));
    const labelsAfter = new Map(labelsBefore);
    for (const [key, label] of labelChanges) {
      if (label) labelsAfter.set(key, label);
      else labelsAfter.delete(key);
    }
    if (body.expected) {
      // A label missing in `expected` did not exist.
      const expected = { ...Object.fromEntries(labelChanges.map(([key]) => [key, null])), ...body.expected };
      rejectStaleChange(expected, { current: ownLabels, requested: Object.fromEntries(labelsAfter) });
    }
    if (labelsAfter.size > MAX_MENU_LABELS)
      throw invalidField("menu_labels", "menu_labels_max", { max: MAX_MENU_LABELS });
    const changeCount = labelChanges.filter(([key]) => labelsBefore.get(key) !== labelsAfter.get(key)).length;
    if (changeCount > 0) {
      await updateUser(tx, { id }, { menuLabels: Object.fromEntries(labelsAfter) });
      await audit(tx, {
        action: "profile.menu_labels_changed",
        object: { type: "User", id },
        details: { changed: changeCount },
      });
    }
    return buildOutput(Object.fromEntries(labelsAfter), inheritedLabels);
  });
}

function parseLabelChanges(entries: Array<[string, unknown]>): Array<[string, string]> {
  if (entries.length > MAX_MENU_LABELS)
    throw invalidField("menu_labels", "menu_labels_max", { max: MAX_MENU_LABELS });
  return entries.map(([key, value]) => {
    const displayKey = cleanMenuLabel(key);
    if (!isMenuKey(key)) throw invalidField("menu_labels", "menu_key", { key: displayKey });
    if (value !== null && typeof value !== "string")
      throw invalidField("menu_labels", "menu_value", { key: displayKey });
    return [key, cleanMenuLabel(value ?? "")];
  });
}

/** Loads own and inherited labels. Inherits one level: from the parent, else the owner of an agent's site. */
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
  const labelSource = [parent, assignedSite?.owner].find(
    (candidate) => candidate && candidate.id !== id && candidate.role !== "reseller",
  );
  return { ownLabels: toLabels(menuLabels), inheritedLabels: toLabels(labelSource?.menuLabels ?? {}) };
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
