import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Reads a key with the current state of the site's owner. Runs on every request with an external key. */
export const findKeyWithOwner = statement(
  z.strictObject({
    id: z.int(),
    created_at: z.date(),
    is_fresh: z.boolean().nullable(),
    only_site: z.int(),
    user_id: z.int(),
    role: z.enum(["user", "reseller", "admin"]),
    is_active: z.boolean(),
    locale: z.string().nullable(),
    email_verified: z.boolean(),
    from_provider: z.boolean(),
    is_agent_only: z.boolean(),
    assigned_site_id: z.int().nullable(),
  }),
  { short: true },
)<{ keyHash: Buffer }>`
  select k.id, k.created_at, k.last_used_at > now() - interval '1 minute' as is_fresh, k.site_id as only_site,
         u.id as user_id, u.role, u.is_active, u.locale, u.email_verified_at is not null as email_verified,
         u.provider is not null as from_provider, false as is_agent_only, null::int as assigned_site_id
    from external_keys k join sites s on s.id = k.site_id and s.deleted_at is null join users u on u.id = s.user_id
   where k.key_hash = ${(input) => input.keyHash} and (k.valid_until is null or k.valid_until > now())`;

export const updateKeyLastUse = statement(z.never())<{ id: number; ip: string }>`
  update external_keys set last_used_at = now(), last_used_ip = ${(input) => input.ip} where id = ${(input) => input.id}`;

/** Ends a site's valid keys. `least` keeps an earlier end of a key that was replaced before. */
export const endValidKeys = statement(z.strictObject({ id: z.int() }))<{ siteId: number; endsAt: Date }>`
  update external_keys set valid_until = least(coalesce(valid_until, 'infinity'), ${(input) => input.endsAt})
   where site_id = ${(input) => input.siteId} and (valid_until is null or valid_until > now()) returning id`;
