import type { Output } from "@/server/core/contract";
import type { getInvitation, getTeam } from "@/server/domains/tenancy/team/contract";

export type Team = Output<typeof getTeam>;
export type Member = Team["members"][number];
export type Invitation = Team["invitations"][number];
export type OpenedInvitation = Output<typeof getInvitation>["invitation"];

/** What the viewer can assign: sites of their own and of sub-users. */
export interface Assignable {
  sites: readonly { id: number; name: string; domain: string }[];
  /** False for accounts with a parent, which can only invite agents. */
  subUsers: boolean;
}
