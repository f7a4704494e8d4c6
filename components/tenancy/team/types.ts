import type { Output } from "@/server/core/contract";
import type { getInvitation, getTeam } from "@/server/domains/tenancy/team/contract";

export type Team = Output<typeof getTeam>;
export type Member = Team["members"][number];
export type Invitation = Team["invitations"][number];
export type OpenedInvitation = Output<typeof getInvitation>["invitation"];

/** Rights that the viewer can give to members: sites of the viewer and of sub-users, and being a sub-user. */
export interface Assignable {
  sites: readonly { id: number; name: string; domain: string }[];
  canAddSubUsers: boolean;
}
