import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { intervalsSql } from "@/server/infrastructure/series/lines";
import { REFERRAL_RESULTS_MAX, SIGN_UP_PROBLEMS } from "./policy";

export const buildReferralResellersJson = statement(z.strictObject({ json: z.string() }))<{
  patterns: string[];
}>`
  with matching as (
    select r.display_name, r.city, r.referral_code, r.display_folded
      from resellers r join users u on u.id = r.user_id
     where r.public_listing_at is not null and r.referral_code is not null
       and r.display_folded || ' ' || r.city_folded || ' ' || lower(r.referral_code) like all(${(input) => input.patterns}::text[])
       and u.is_active and u.role = 'reseller' and u.anonymised_at is null
       and r.agreement_signed_at is not null
       and not exists (select from legal_texts t
                        where t.key = 'agreement' and t.required_from <= now() and t.published_at > r.agreement_signed_at)
     order by r.display_folded, r.referral_code limit ${() => REFERRAL_RESULTS_MAX})
  select json_build_object('data', coalesce(json_agg(json_build_object(
           'display_name', display_name, 'city', city, 'code', referral_code) order by display_folded, referral_code), '[]'))::text as json
    from matching`;

export const listRefusalRows = statement(
  z.strictObject({
    domain: z.string(),
    reason: z.enum(SIGN_UP_PROBLEMS),
    attempts: z.int(),
    networks: z.int(),
    lastAt: z.date(),
  }),
)`
  select domain, reason, count(*)::int as attempts, count(distinct ip_bucket)::int as networks, max(at) as "lastAt"
    from sign_up_refusals group by domain, reason order by max(at) desc, domain, reason limit 200`;

/** Counted per interval by an index; Prisma cannot group by an interval. The condition is that of `users_created_at_idx`. */
export const countSignUps = statement(z.strictObject({ bucket: z.int(), count: z.int() }))<{
  limits: Date[];
}>`
  select i.bucket, counted.count from ${intervalsSql} cross join lateral (
    select count(*)::int as count from users
     where anonymised_at is null and not is_agent_only and created_at >= i.at and created_at < i.until) counted`;

export const countRefusals = statement(z.strictObject({ bucket: z.int(), count: z.int() }))<{
  limits: Date[];
}>`
  select i.bucket, counted.count from ${intervalsSql} cross join lateral (
    select count(*)::int as count from sign_up_refusals r where r.at >= i.at and r.at < i.until) counted`;
