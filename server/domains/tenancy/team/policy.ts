import type { Role } from "@/server/core/context";

/** An account as far as teams ask. */
export interface TeamOwner {
  role: Role;
  isAgentOnly: boolean;
  parentUserId: number | null;
}

/** Agents have no team of their own. */
export function mayHaveTeam({ isAgentOnly }: Pick<TeamOwner, "isAgentOnly">): boolean {
  return !isAgentOnly;
}

/** A team is one level deep, as the cascade is: whoever has a parent invites agents only. */
export function mayInvite(owner: TeamOwner, { siteId }: { siteId: number | null }): boolean {
  return mayHaveTeam(owner) && (siteId !== null || owner.parentUserId === null);
}

/** The modules that a member gets: those asked for that the inviter has; null means all on both sides. */
export function grantedModules(asked: string[] | null, own: string[] | null): string[] | null {
  if (asked === null || own === null) return asked ?? own;
  return own.filter((name) => asked.includes(name));
}
