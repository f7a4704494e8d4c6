import * as z from "zod";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { TEAM_LIST_MAX } from "./contract";

const Modules = z.array(z.string()).nullable();

const Owner = z.strictObject({
  id: z.int(),
  name: z.string(),
  role: z.enum(["user", "reseller", "admin"]),
  isActive: z.boolean(),
  isAgentOnly: z.boolean(),
  parentUserId: z.int().nullable(),
  allowedModules: Modules,
});
export type Owner = z.output<typeof Owner>;
const OWNER_COLUMNS = new Fragment(`
  u.id, u.name, u.role, u.is_active as "isActive", u.is_agent_only as "isAgentOnly",
  u.parent_user_id as "parentUserId", u.allowed_modules as "allowedModules"`);

export const lockOwnerAccount = statement(Owner)<{ userId: number }>`
  select ${OWNER_COLUMNS} from users u where u.id = ${({ userId }) => userId} for no key update`;

/** Row lock: the inviter must not change while an account is opened in their name. */
export const lockInviter = statement(Owner)<{ tokenHash: Buffer }>`
  select ${OWNER_COLUMNS} from invitations i join users u on u.id = i.inviter_id
   where i.token_hash = ${({ tokenHash }) => tokenHash} for share of u`;

const DeactivatedBy = z.enum(["user", "reseller", "admin"]).nullable();
const LockedMember = z.strictObject({
  id: z.int(),
  isActive: z.boolean(),
  isAgentOnly: z.boolean(),
  assignedSiteId: z.int().nullable(),
  allowedModules: Modules,
  deactivatedBy: DeactivatedBy,
  resellerId: z.int().nullable(),
});
export type LockedMember = z.output<typeof LockedMember>;

/** Row lock, because an update writes all these values, also the unchanged ones. */
export const lockMember = statement(LockedMember)<{ id: number; ownerId: number }>`
  select id, is_active as "isActive", is_agent_only as "isAgentOnly", assigned_site_id as "assignedSiteId",
         allowed_modules as "allowedModules", deactivated_by as "deactivatedBy", reseller_id as "resellerId"
    from users
   where id = ${({ id }) => id} and parent_user_id = ${({ ownerId }) => ownerId} and anonymised_at is null
     for no key update`;

const MemberRow = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  isAgentOnly: z.boolean(),
  allowedModules: Modules,
  createdAt: z.date(),
  deactivatedBy: DeactivatedBy,
  resellerId: z.int().nullable(),
  siteId: z.int().nullable(),
  siteName: z.string().nullable(),
  siteDomain: z.string().nullable(),
  twoFactor: z.boolean(),
  lastSeenAt: z.date().nullable(),
});
export type MemberRow = z.output<typeof MemberRow>;

/** With `id`, returns only that member. In SQL, because Prisma's relations take three times as long. */
export const listMembers = statement(MemberRow)<{ ownerId: number; id: number | null }>`
  select u.id, u.name, u.email, u.is_active as "isActive", u.is_agent_only as "isAgentOnly",
         u.allowed_modules as "allowedModules", u.created_at as "createdAt",
         u.deactivated_by as "deactivatedBy", u.reseller_id as "resellerId",
         s.id as "siteId", s.name as "siteName", s.domain as "siteDomain",
         exists (select from factors where user_id = u.id and confirmed_at is not null) as "twoFactor",
         greatest((select max(last_used_at) from access_tokens where user_id = u.id),
                  (select max(at) from audit_events
                    where actor_id = u.id and action = 'sign_in.succeeded')) as "lastSeenAt"
    from users u left join sites s on s.id = u.assigned_site_id
   where u.parent_user_id = ${({ ownerId }) => ownerId} and u.anonymised_at is null
     and u.id = coalesce(${({ id }) => id}::int, u.id)
   order by u.id desc limit ${() => TEAM_LIST_MAX}`;
