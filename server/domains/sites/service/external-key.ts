import type { Context, Role, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { text } from "@/server/core/texts";
import { fromNow, isoMicros, MINUTE } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type { getSiteKeys, regenerateExternalKey } from "../contract";
import { requireManageable } from "./manageable";

export interface FoundKey {
  id: number;
  created_at: string;
  is_fresh: boolean | null;
  only_site: number;
  user_id: number;
  role: Role;
  is_active: boolean;
  locale: string | null;
  email_verified: boolean;
  from_provider: boolean;
  is_agent_only: boolean;
  assigned_site_id: number | null;
}

/** The site that a key opens, with its owner as he is now; a replaced key until its grace is over. */
export async function findExternalKey(key: string): Promise<FoundKey | undefined> {
  const [found] = await statementsOn(pool())<FoundKey>`
    select k.id, k.created_at, k.last_used_at > now() - interval '1 minute' as is_fresh, k.site_id as only_site,
           u.id as user_id, u.role, u.is_active, u.locale, u.email_verified_at is not null as email_verified,
           u.provider is not null as from_provider, false as is_agent_only, null::int as assigned_site_id
      from external_keys k join sites s on s.id = k.site_id join users u on u.id = s.user_id
     where k.key_hash = ${digest(key)} and (k.valid_until is null or k.valid_until > now())`;
  return found;
}

/** Notes the use of a key, at most once a minute. */
export function touchExternalKey(found: FoundKey, ip: string): Promise<unknown> | undefined {
  if (found.is_fresh) return undefined;
  return statementsOn(pool())`
    update external_keys set last_used_at = now(), last_used_ip = ${ip} where id = ${found.id}`;
}

/**
 * Makes a new external key; the ones before it end now, or after the grace that was asked for. The site's row
 * is locked meanwhile, so that of many calls at once exactly one key is the current one afterwards.
 */
export async function regenerate(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof regenerateExternalKey>,
): Promise<Answer<typeof regenerateExternalKey>> {
  const grace = body.grace_minutes ?? 0;
  const key = newToken("dse");
  return withTransaction(ctx, async (tx) => {
    await requireManageable(tx, ctx.actor, params.id);
    await tx.sql`select 1 from sites where id = ${params.id} for no key update`;
    const ends = fromNow(grace * MINUTE);
    const replaced = await tx.sql`
      update external_keys set valid_until = least(coalesce(valid_until, 'infinity'), ${ends})
       where site_id = ${params.id} and (valid_until is null or valid_until > now()) returning id`;
    const [row] = await tx.sql<{ created_at: Date }>`
      insert into external_keys (site_id, key_hash, last_four)
      values (${params.id}, ${digest(key)}, ${key.slice(-4)}) returning created_at`;
    await audit(tx, {
      action: "site.external_key_renewed",
      object: { type: "Site", id: params.id },
      details: { grace_minutes: grace },
    });
    return {
      success: true as const,
      message: text(ctx.locale, "answers.external_key_made"),
      external_api_key: key,
      last_four: key.slice(-4),
      created_at: isoMicros(row!.created_at),
      previous_valid_until: replaced.length > 0 && grace > 0 ? isoMicros(ends) : null,
    };
  });
}

interface KeyRow {
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
  last_used_ip: string | null;
  valid_until: Date | null;
}

/** The keys of a site: the widget's, whole for the owner; of the external ones what tells them apart. */
export async function keys(
  ctx: Context<UserActor>,
  { params }: Input<typeof getSiteKeys>,
): Promise<Answer<typeof getSiteKeys>> {
  const site = await requireManageable(ctx, ctx.actor, params.id);
  const rows = await ctx.sql<KeyRow>`
    select last_four, created_at, last_used_at, last_used_ip, valid_until from external_keys
     where site_id = ${params.id} and (valid_until is null or valid_until > now()) order by id desc`;
  const described = rows.map((row) => ({
    last_four: row.last_four,
    created_at: isoMicros(row.created_at),
    last_used_at: row.last_used_at && isoMicros(row.last_used_at),
    last_used_ip: row.last_used_ip,
    valid_until: row.valid_until && isoMicros(row.valid_until),
  }));
  return {
    success: true,
    widget_key:
      site.user_id === ctx.actor.id
        ? unseal(site.api_key_sealed, "widget_key")
        : `dsk_****${site.api_key_last_four}`,
    external_key: described.find(({ valid_until }) => valid_until === null) ?? null,
    previous_keys: described.filter(({ valid_until }) => valid_until !== null),
  };
}

/** Forgets keys that ended a month ago. */
export async function pruneExternalKeys({ sql }: Pick<Work, "sql">): Promise<void> {
  await sql`delete from external_keys where valid_until < now() - interval '30 days'`;
}
