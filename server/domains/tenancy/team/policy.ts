import type { Role } from "@/server/core/context";

export const INVITATION_DAYS = 7;

export interface TeamOwner {
  role: Role;
  isAgentOnly: boolean;
  parentUserId: number | null;
}

export function canHaveTeam({ isAgentOnly }: Pick<TeamOwner, "isAgentOnly">): boolean {
  return !isAgentOnly;
}

/** Teams are one level deep: an account with a parent can only invite agents. */
export function canInvite(owner: TeamOwner, { siteId }: { siteId: number | null }): boolean {
  return canHaveTeam(owner) && (siteId !== null || owner.parentUserId === null);
}

/** Returns the requested modules that the owner also has. Null means all modules. */
export function intersectModules(requested: string[] | null, ownerModules: string[] | null): string[] | null {
  if (requested === null || ownerModules === null) return requested ?? ownerModules;
  return ownerModules.filter((name) => requested.includes(name));
}

interface Deactivation {
  deactivatedBy: "user" | "reseller" | "admin" | null;
  resellerId: number | null;
}

/** True if an administrator or reseller deactivated the member: the team's owner cannot undo it. */
export function isMemberHeld(owner: { role: string }, { deactivatedBy, resellerId }: Deactivation): boolean {
  if (deactivatedBy === "admin") return owner.role !== "admin";
  return deactivatedBy === "reseller" && owner.role === "user" && resellerId !== null;
}
