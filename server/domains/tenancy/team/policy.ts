import type { Role } from "@/server/core/context";

/** Life of an invitation, counted from its newest mail. */
export const INVITATION_DAYS = 7;

/** The parts of an account that the team rules need. */
export interface TeamOwner {
  role: Role;
  isAgentOnly: boolean;
  parentUserId: number | null;
}

/** Agents have no team of their own. */
export function mayHaveTeam({ isAgentOnly }: Pick<TeamOwner, "isAgentOnly">): boolean {
  return !isAgentOnly;
}

/** A team is one level deep, like the cascade: an account with a parent invites agents only. */
export function mayInvite(owner: TeamOwner, { siteId }: { siteId: number | null }): boolean {
  return mayHaveTeam(owner) && (siteId !== null || owner.parentUserId === null);
}

/** Returns the modules a member can have: those assigned that the inviter has; null means all on both sides. */
export function grantedModules(asked: string[] | null, own: string[] | null): string[] | null {
  if (asked === null || own === null) return asked ?? own;
  return own.filter((name) => asked.includes(name));
}

/** Who decided that an account is passive, and under whom it stands. */
interface Decision {
  deactivatedBy: "user" | "reseller" | "admin" | null;
  resellerId: number | null;
}

/**
 * Whether a passive member is held by an administrator, or by the reseller whose customer the member is: neither is for
 * the team's owner to undo. Agents whose site ended were deactivated by nobody.
 */
export function isHeld(owner: { role: string }, { deactivatedBy, resellerId }: Decision): boolean {
  if (deactivatedBy === "admin") return owner.role !== "admin";
  return deactivatedBy === "reseller" && owner.role === "user" && resellerId !== null;
}
