import type { Role } from "@/server/core/context";

/** Days an invitation is valid after its latest mail. */
export const INVITATION_DAYS = 7;

export interface TeamOwner {
  role: Role;
  isAgentOnly: boolean;
  parentUserId: number | null;
}

export function mayHaveTeam({ isAgentOnly }: Pick<TeamOwner, "isAgentOnly">): boolean {
  return !isAgentOnly;
}

/** Teams are one level deep: an account with a parent can only invite agents. */
export function mayInvite(owner: TeamOwner, { siteId }: { siteId: number | null }): boolean {
  return mayHaveTeam(owner) && (siteId !== null || owner.parentUserId === null);
}

/** Returns the requested modules that the inviter has; null means all on both sides. */
export function grantedModules(asked: string[] | null, own: string[] | null): string[] | null {
  if (asked === null || own === null) return asked ?? own;
  return own.filter((name) => asked.includes(name));
}

interface Decision {
  deactivatedBy: "user" | "reseller" | "admin" | null;
  resellerId: number | null;
}

/**
 * True if an administrator or the member's reseller deactivated the member: the team's owner cannot undo
 * that. Agents of a deleted site have no `deactivatedBy`.
 */
export function isHeld(owner: { role: string }, { deactivatedBy, resellerId }: Decision): boolean {
  if (deactivatedBy === "admin") return owner.role !== "admin";
  return deactivatedBy === "reseller" && owner.role === "user" && resellerId !== null;
}
