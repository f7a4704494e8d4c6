import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import type { Additions } from "@/server/core/domain";
import { refuse } from "@/server/core/errors";
import { pageOf } from "@/server/core/list";
import { text } from "@/server/core/texts";
import { fromNow, isoMicros, MINUTE } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { readUse, recentUseOf } from "@/server/domains/accounts/key-use/service";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { requireManageable, withSite } from "@/server/domains/sites/sites/service/manageable";
import { sitesWhere } from "@/server/domains/sites/sites/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type {
  endPreviousKeys,
  getSiteKeys,
  getSiteKeysUse,
  listSiteKeys,
  regenerateExternalKey,
} from "./contract";
import { endKeys, findKey, touchKey } from "./statements";

export type ExternalKeyRow = z.output<typeof findKey.row>;

export async function findExternalKey(key: string): Promise<ExternalKeyRow | undefined> {
  const [row] = await findKey(withoutTransaction(), { keyHash: digest(key) });
  return row;
}

export function touchExternalKey(key: ExternalKeyRow, ip: string): Promise<unknown> | undefined {
  return key.is_fresh ? undefined : touchKey(withoutTransaction(), { id: key.id, ip });
}

/**
 * Ends the previous keys now or after the grace period. Locks the site, so that concurrent calls leave one
 * current key. For another owner's site: requires a recent proof of identity and mails the owner.
 */
export async function regenerate(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof regenerateExternalKey>,
): Promise<Output<typeof regenerateExternalKey>> {
  const grace = body.grace_minutes ?? 0;
  const key = newToken("dse");
  return withSite(ctx, params.id, async (tx, site) => {
    const isForeign = site.userId !== ctx.actor.id;
    if (isForeign) await requireProof(tx);
    const ends = fromNow(grace * MINUTE);
    const replaced = await endKeys(tx, { siteId: params.id, ends });
    const created = await tx.db.externalKey.create({
      data: { siteId: params.id, keyHash: digest(key), lastFour: key.slice(-4), madeById: ctx.actor.id },
      select: { createdAt: true },
    });
    await audit(tx, {
      action: "site.external_key_renewed",
      object: { type: "Site", id: params.id },
      details: { grace_minutes: grace },
    });
    if (!isForeign) await recordAddition(tx, site.userId, { kind: "external_key", name: site.name });
    if (isForeign) {
      await notifyOwner(tx, site.userId, "site_key_renewed", {
        path: `/sites/${site.id}`,
        params: { site: site.name },
      });
    }
    return {
      success: true as const,
      message: text(ctx.locale, "responses.external_key_made"),
      external_api_key: key,
      last_four: key.slice(-4),
      created_at: isoMicros(created.createdAt),
      previous_valid_until: replaced.length > 0 && grace > 0 ? isoMicros(ends) : null,
    };
  });
}

/** Valid keys: the current one, and replaced ones in their grace period. */
const validNow = () => ({ OR: [{ validUntil: null }, { validUntil: { gt: new Date() } }] });

const KEY = {
  id: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  lastUsedIp: true,
  validUntil: true,
} as const satisfies Prisma.ExternalKeySelect;

function describeKey(row: Prisma.ExternalKeyGetPayload<{ select: typeof KEY }>) {
  return {
    last_four: row.lastFour,
    created_at: isoMicros(row.createdAt),
    last_used_at: isoMicros(row.lastUsedAt),
    last_used_ip: row.lastUsedIp,
    valid_until: isoMicros(row.validUntil),
  };
}

function findValid({ db }: Pick<DbAccess, "db">, siteId: number) {
  return db.externalKey.findMany({ where: { siteId, ...validNow() }, select: KEY, orderBy: { id: "desc" } });
}

export async function validKeys(work: Pick<DbAccess, "db">, siteId: number) {
  const rows = await findValid(work, siteId);
  const recent = await recentUseOf(
    work,
    "externalKeyId",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...describeKey(row), ...recent(row.id) }));
}

export async function use(
  ctx: Context<UserActor>,
  { params }: Input<typeof getSiteKeysUse>,
): Promise<Output<typeof getSiteKeysUse>> {
  await requireManageable(ctx, ctx.actor, params.id);
  const rows = await findValid(ctx, params.id);
  const keys = await Promise.all(
    rows.map(async (row) => ({ ...describeKey(row), ...(await readUse(ctx, { externalKeyId: row.id })) })),
  );
  return { success: true, keys, data: keys, count: keys.length };
}

export async function endPrevious(
  ctx: Context<UserActor>,
  { params }: Input<typeof endPreviousKeys>,
): Promise<Output<typeof endPreviousKeys>> {
  const now = new Date();
  await withSite(ctx, params.id, async (tx) => {
    const { count } = await tx.db.externalKey.updateMany({
      where: { siteId: params.id, validUntil: { gt: now } },
      data: { validUntil: now },
    });
    if (count > 0) {
      await audit(tx, { action: "site.previous_keys_ended", object: { type: "Site", id: params.id } });
    }
  });
  return { success: true, message: text(ctx.locale, "responses.previous_keys_ended") };
}

/** Ends keys whose creator no longer manages the site, and mails the owners. */
export async function endKeysOfFormerManagers(
  tx: Context,
  where: Prisma.ExternalKeyWhereInput,
): Promise<void> {
  const site = { select: { id: true, name: true, userId: true, deletedAt: true } };
  const endedKeys = await tx.db.externalKey.findMany({
    where: { ...where, ...validNow() },
    select: { id: true, site },
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

/** New keys of the account's own sites only: keys of other owners' sites required a proof of identity. */
export const keyAdditions: Additions = {
  async find({ db }, userId, since) {
    const rows = await db.externalKey.findMany({
      where: { ...ownSiteKeys(userId), createdAt: { gte: since }, ...validNow() },
      orderBy: { id: "desc" },
      select: { id: true, createdAt: true, site: { select: { name: true } } },
    });
    return rows.map(({ id, createdAt, site }) => ({ id, name: site.name, at: createdAt }));
  },
  async end(tx, userId, ids) {
    const endedKeys = await tx.db.externalKey.updateManyAndReturn({
      where: { ...ownSiteKeys(userId), id: { in: [...ids] } },
      data: { validUntil: new Date() },
      select: { siteId: true },
    });
    for (const id of new Set(endedKeys.map(({ siteId }) => siteId)))
      await audit(tx, { action: "site.external_keys_ended", object: { type: "Site", id }, actorId: userId });
  },
};

const ownSiteKeys = (userId: number) => ({
  site: { userId, deletedAt: null },
  AND: { OR: [{ madeById: userId }, { madeById: null }] },
});

export async function list(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listSiteKeys>,
): Promise<Output<typeof listSiteKeys>> {
  if (actor.scope.onlySite !== null) throw refuse("forbidden");
  const where = { site: sitesWhere(actor.scope, {}), ...validNow() };
  const { rows, ...page } = pageOf(query);
  const [total, keyRows] = await Promise.all([
    db.externalKey.count({ where }),
    db.externalKey.findMany({
      where,
      ...rows,
      orderBy: { id: "desc" },
      select: { ...KEY, site: { select: { id: true, name: true, domain: true } } },
    }),
  ]);
  const recent = await recentUseOf(
    { db },
    "externalKeyId",
    keyRows.map(({ id }) => id),
  );
  const keys = keyRows.map(({ site, ...row }) => ({
    id: row.id,
    site_id: site.id,
    site_name: site.name,
    domain: site.domain,
    ...describeKey(row),
    ...recent(row.id),
  }));
  return { success: true, keys, data: keys, count: keys.length, meta: { ...page, total } };
}

/** Only the owner gets the widget key unmasked. */
export async function keys(
  ctx: Context<UserActor>,
  { params }: Input<typeof getSiteKeys>,
): Promise<Output<typeof getSiteKeys>> {
  const site = await requireManageable(ctx, ctx.actor, params.id);
  const siteKeys = await validKeys(ctx, params.id);
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
