import * as z from "zod";
import { employerActiveSql } from "@/server/domains/accounts/users/service/employer";
import { Fragment, statement } from "@/server/infrastructure/database/statement";

/** SQL condition for account `u`. `id` and `role` are SQL expressions of the viewing account. */
const buildReachableSql = (id: string, role: string) => `
  case ${role} when 'admin' then u.role <> 'admin'
               when 'reseller' then coalesce(u.reseller_id = ${id}, false)
                 or exists (select from users p where p.id = u.parent_user_id and p.reseller_id = ${id})
               else false end`;

export const ViewJson = z.strictObject({
  id: z.int(),
  expires_at: z.string(),
  actor_name: z.string(),
  user_id: z.int(),
  name: z.string(),
  role: z.enum(["user", "reseller", "admin"]),
  email_verified: z.boolean(),
  from_provider: z.boolean(),
  is_agent_only: z.boolean(),
  assigned_site_id: z.int().nullable(),
  visible_contacts: z.array(z.string()),
  is_open: z.boolean(),
});

/** Subquery of the statement that authenticates every panel request; `caller` is its session row. */
export const VIEW_OF_SESSION = new Fragment(`
  (select row_to_json(seen)::text from (
     select v.id, v.expires_at, a.name as actor_name, u.id as user_id, u.name, u.role,
            u.email_verified_at is not null as email_verified, u.provider is not null as from_provider,
            u.is_agent_only, u.assigned_site_id,
            array_remove(array[u.email, u.pending_email, u.phone, a.email, a.phone], null) as visible_contacts,
            v.ended_at is null and v.expires_at > now() and u.is_active and ${employerActiveSql("u")} and u.anonymised_at is null
              and exists (select from support_access s where s.user_id = u.id and s.until > now())
              and ${buildReachableSql("a.id", "a.role")} as is_open
       from view_as v join users u on u.id = v.target_id join users a on a.id = v.actor_id
      where v.token_id = caller.id) as seen)`);

/** Locks the permission, so that no view starts after the owner withdraws it. */
export const lockSupportAccess = statement(z.strictObject({ until: z.date() }))<{ userId: number }>`
  select until from support_access where user_id = ${({ userId }) => userId} for update`;

export const findViewTarget = statement(
  z.strictObject({ id: z.int(), name: z.string(), isReachable: z.boolean(), isActive: z.boolean() }),
)<{ userId: number; actorId: number; role: string }>`
  select u.id, u.name, ${new Fragment(buildReachableSql("actor.id", "actor.role"))} as "isReachable", u.is_active and ${new Fragment(employerActiveSql("u"))} as "isActive"
    from users u, (select ${({ actorId }) => actorId}::int as id, ${({ role }) => role}::text as role) as actor
   where u.id = ${({ userId }) => userId} and u.anonymised_at is null`;

/** Inserts or increments in one statement, because several calls of one page can arrive together. */
export const countStep = statement(z.never())<{ viewId: number; operation: string }>`
  insert into view_as_steps (view_as_id, operation)
  select id, ${({ operation }) => operation} from view_as where id = ${({ viewId }) => viewId}
  on conflict (view_as_id, operation) do update set calls = view_as_steps.calls + 1, last_at = now()`;
