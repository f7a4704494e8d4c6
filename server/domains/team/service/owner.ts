import type { Role } from "@/server/core/context";
import { invalid, refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { grantedModules, mayHaveTeam, type TeamOwner } from "../policy";

/** Whose team it is, as invitations and changes of members need to know it. */
export interface Owner extends TeamOwner {
  id: number;
  name: string;
  role: Role;
  is_active: boolean;
  allowed_modules: string[] | null;
}

/** The caller's account, locked: changes of one team come one after the other. Throws `forbidden` for an agent. */
export async function lockOwner({ sql }: Pick<Work, "sql">, userId: number): Promise<Owner> {
  const [owner] = await sql<Owner>`
    select id, name, role, is_active, is_agent_only, parent_user_id, allowed_modules
      from users where id = ${userId} for no key update`;
  if (!owner || !mayHaveTeam(owner)) throw refuse("forbidden");
  return owner;
}

/** Whether a site belongs to this account or to one of its sub-users: where its agents may work. */
export async function ownsSite(
  { sql }: Pick<Work, "sql">,
  ownerId: number,
  siteId: number,
): Promise<boolean> {
  const rows = await sql`
    select 1 from sites s join users u on u.id = s.user_id
     where s.id = ${siteId} and (u.id = ${ownerId} or u.parent_user_id = ${ownerId})`;
  return rows.length > 0;
}

/** Throws `validation` for a site that is not the owner's; a foreign one and none at all are one answer. */
export async function requireSite(
  { sql }: Pick<Work, "sql">,
  ownerId: number,
  siteId: number,
): Promise<void> {
  if (!(await ownsSite({ sql }, ownerId, siteId))) throw invalid("site_id", "site_unknown");
}

/** The modules to store; throws `validation` for more than the owner has. */
export function requireModules(
  asked: string[] | null,
  { allowed_modules: own }: Pick<Owner, "allowed_modules">,
): string[] | null {
  if (asked && own && !asked.every((name) => own.includes(name)))
    throw invalid("allowed_modules", "modules_beyond");
  return grantedModules(asked && [...new Set(asked)], own);
}
