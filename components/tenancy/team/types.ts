import type { Output } from "@/server/core/contract";
import type { getInvitation, getTeam } from "@/server/domains/tenancy/team/contract";

export type Team = Output<typeof getTeam>;
export type Member = Team["members"][number];
export type Invitation = Team["invitations"][number];
export type OpenedInvitation = Output<typeof getInvitation>["invitation"];

/** What the viewer can assign to a member: sites of the own account and of sub-users. */
export interface Assignable {
  sites: readonly { id: number; name: string; domain: string }[];
  /** Accounts with a parent invite agents only. */
  subUsers: boolean;
}
