import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import type { AdditionSource } from "@/server/core/domain";
import { createError } from "@/server/core/errors";
import { parsePage } from "@/server/core/list";
import { formatText } from "@/server/core/texts";
import { fromNow, MINUTE, toIsoMicros } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { loadRecentUseLookup, readKeyUse } from "@/server/domains/accounts/key-use/service/read";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { requireManageableSite, withLockedSite } from "@/server/domains/sites/sites/service/manageable";
import { whereSites } from "@/server/domains/sites/sites/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type {
  endPreviousKeys,
  getSiteKeys,
  getSiteKeysUse,
  listSiteKeys,
  regenerateExternalKey,
} from "./contract";
import { endValidKeys, findKeyWithOwner, updateKeyLastUse } from "./statements";

export type ExternalKeyWithOwner = z.output<typeof findKeyWithOwner.row>;

export async function findValidExternalKey(key: string): Promise<ExternalKeyWithOwner | undefined> {
  const [row] = await findKeyWithOwner(withoutTransaction(), { keyHash: hashSecret(key) });
  return row;
}

/** Records the use of a key, at most once a minute: `is_fresh` means used within the last minute. */
export function recordExternalKeyUse(key: ExternalKeyWithOwner, ip: string): Promise<unknown> | undefined {
  return key.is_fresh ? undefined : updateKeyLastUse(withoutTransaction(), { id: key.id, ip });
}

/** Replaces the key of a site. Locks the site, so that concurrent calls leave one current key. */
export async function renewExternalKey(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof regenerateExternalKey>,
): Promise<Output<typeof regenerateExternalKey>> {
  const graceMinutes = body.grace_minutes ?? 0;
  const key = createToken("dse");
  return withLockedSite(ctx, params.id, async (tx, site) => {
    const isOtherOwner = site.userId !== ctx.actor.id;
    if (isOtherOwner) await requireProof(tx);
    const endsAt = fromNow(graceMinutes * MINUTE);
    const replacedKeys = await endValidKeys(tx, { siteId: params.id, endsAt });
    const createdKey = await tx.db.externalKey.create({
      data: { siteId: params.id, keyHash: hashSecret(key), lastFour: key.slice(-4), madeById: ctx.actor.id },
      select: { createdAt: true },
    });
    await audit(tx, {
      action: "site.external_key_renewed",
      object: { type: "Site", id: params.id },
      details: { grace_minutes: graceMinutes },
    });
    if (!isOtherOwner) await recordAddition(tx, site.userId, { kind: "external_key", name: site.name });
    if (isOtherOwner) {
      await notifyOwner(tx, site.userId, "site_key_renewed", {
        path: `/sites/${site.id}`,
        params: { site: site.name },
      });
    }
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.external_key_made"),
      external_api_key: key,
      last_four: key.slice(-4),
      created_at: toIsoMicros(createdKey.createdAt),
      previous_valid_until: replacedKeys.length > 0 && graceMinutes > 0 ? toIsoMicros(endsAt) : null,
    };
  });
}

const whereValidNow = () => ({ OR: [{ validUntil: null }, { validUntil: { gt: new Date() } }] });

const KEY_SELECT = {
  id: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  lastUsedIp: true,
  validUntil: true,
} as const satisfies Prisma.ExternalKeySelect;

function toKeyOutput(row: Prisma.ExternalKeyGetPayload<{ select: typeof KEY_SELECT }>) {
  return {
    last_four: row.lastFour,
    created_at: toIsoMicros(row.createdAt),
    last_used_at: toIsoMicros(row.lastUsedAt),
    last_used_ip: row.lastUsedIp,
    valid_until: toIsoMicros(row.validUntil),
  };
}

function findValidKeys({ db }: Pick<DbAccess, "db">, siteId: number) {
  return db.externalKey.findMany({
    where: { siteId, ...whereValidNow() },
    select: KEY_SELECT,
    orderBy: { id: "desc" },
  });
}

export async function listValidKeys(access: Pick<DbAccess, "db">, siteId: number) {
  const rows = await findValidKeys(access, siteId);
  const getRecentUse = await loadRecentUseLookup(
    access,
    "externalKeyId",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...toKeyOutput(row), ...getRecentUse(row.id) }));
}

export async function getUseOfSiteKeys(
  ctx: Context<UserActor>,
  { params }: Input<typeof getSiteKeysUse>,
): Promise<Output<typeof getSiteKeysUse>> {
  await requireManageableSite(ctx, ctx.actor, params.id);
  const rows = await findValidKeys(ctx, params.id);
  const keys = await Promise.all(
    rows.map(async (row) => ({ ...toKeyOutput(row), ...(await readKeyUse(ctx, { externalKeyId: row.id })) })),
  );
  return { success: true, keys, data: keys, count: keys.length };
}

export async function endReplacedKeys(
  ctx: Context<UserActor>,
  { params }: Input<typeof endPreviousKeys>,
): Promise<Output<typeof endPreviousKeys>> {
  const now = new Date();
  await withLockedSite(ctx, params.id, async (tx) => {
    const { count } = await tx.db.externalKey.updateMany({
      where: { siteId: params.id, validUntil: { gt: now } },
      data: { validUntil: now },
    });
    if (count > 0) {
      await audit(tx, { action: "site.previous_keys_ended", object: { type: "Site", id: params.id } });
    }
  });
  return { success: true, message: formatText(ctx.locale, "responses.previous_keys_ended") };
}

/** Ends the valid keys in `where`, whose creators lost access to the site, and mails the owners. */
export async function endKeysOfFormerManagers(
  tx: Context,
  where: Prisma.ExternalKeyWhereInput,
): Promise<void> {
  const siteSelect = { select: { id: true, name: true, userId: true, deletedAt: true } };
  const endedKeys = await tx.db.externalKey.findMany({
    where: { ...where, ...whereValidNow() },
    select: { id: true, site: siteSelect },
  });
  await tx.db.externalKey.updateMany({
    where: { id: { in: endedKeys.map(({ id }) => id) } },
    data: { validUntil: new Date() },
  });
  const sites = new Map(endedKeys.map(({ site }) => [site.id, site]));
  for (const { id, name, userId, deletedAt } of sites.values()) {
    await audit(tx, { action: "site.external_keys_ended", object: { type: "Site", id } });
    if (!deletedAt)
      await notifyOwner(tx, userId, "site_keys_ended", { path: `/sites/${id}`, params: { site: name } });
  }
}

/** Lists and revokes new keys of own sites. Keys of other owners' sites required a proof of identity. */
export const externalKeyAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const rows = await db.externalKey.findMany({
      where: { ...whereOwnSiteKey(userId), createdAt: { gte: since }, ...whereValidNow() },
      orderBy: { id: "desc" },
      select: { id: true, createdAt: true, site: { select: { name: true } } },
    });
    return rows.map(({ id, createdAt, site }) => ({ id, name: site.name, at: createdAt }));
  },
  async revoke(tx, userId, keyIds) {
    const endedKeys = await tx.db.externalKey.updateManyAndReturn({
      where: { ...whereOwnSiteKey(userId), id: { in: [...keyIds] } },
      data: { validUntil: new Date() },
      select: { siteId: true },
    });
    for (const id of new Set(endedKeys.map(({ siteId }) => siteId)))
      await audit(tx, { action: "site.external_keys_ended", object: { type: "Site", id }, actorId: userId });
  },
};

const whereOwnSiteKey = (userId: number) => ({
  site: { userId, deletedAt: null },
  AND: { OR: [{ madeById: userId }, { madeById: null }] },
});

export async function listManagedKeys(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listSiteKeys>,
): Promise<Output<typeof listSiteKeys>> {
  if (actor.scope.onlySiteId !== null) throw createError("forbidden");
  const where = { site: whereSites(actor.scope, {}), ...whereValidNow() };
  const { range, ...page } = parsePage(query);
  const [total, keyRows] = await Promise.all([
    db.externalKey.count({ where }),
    db.externalKey.findMany({
      where,
      ...range,
      orderBy: { id: "desc" },
      select: { ...KEY_SELECT, site: { select: { id: true, name: true, domain: true } } },
    }),
  ]);
  const getRecentUse = await loadRecentUseLookup(
    { db },
    "externalKeyId",
    keyRows.map(({ id }) => id),
  );
  const keys = keyRows.map(({ site, ...row }) => ({
    id: row.id,
    site_id: site.id,
    site_name: site.name,
    domain: site.domain,
    ...toKeyOutput(row),
    ...getRecentUse(row.id),
  }));
  return { success: true, keys, data: keys, count: keys.length, meta: { ...page, total } };
}

/** Returns the keys of a site. Only the owner gets the widget key unmasked. */
export async function getKeysOfSite(
  ctx: Context<UserActor>,
  { params }: Input<typeof getSiteKeys>,
): Promise<Output<typeof getSiteKeys>> {
  const site = await requireManageableSite(ctx, ctx.actor, params.id);
  const siteKeys = await listValidKeys(ctx, params.id);
  return {
    success: true,
    widget_key:
      site.userId === ctx.actor.id
        ? unseal(site.apiKeySealed, "widget_key")
        : `dsk_****${site.apiKeyLastFour}`,
    external_key: siteKeys.find(({ valid_until }) => valid_until === null) ?? null,
    previous_keys: siteKeys.filter(({ valid_until }) => valid_until !== null),
  };
}
