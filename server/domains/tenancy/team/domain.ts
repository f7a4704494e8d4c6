import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  acceptInvitation,
  cancelInvitation,
  getInvitation,
  getTeam,
  getTeamOwner,
  inviteMember,
  resendInvitation,
  updateMember,
} from "./contract";
import { archiveReaders } from "./export";
import { deleteOldInvitationsJob } from "./jobs";
import { acceptInvitationAndSignIn, getInvitationByToken } from "./service/accept";
import { invitationAdditions, memberAdditions } from "./service/additions";
import { cancelTeamInvitation, inviteTeamMember, resendTeamInvitation } from "./service/invite";
import { listTeam, updateTeamMember } from "./service/members";
import { readTeamOwner } from "./service/owner";

export const team = domain({
  operations: {
    list: createHandler(getTeam, listTeam),
    owner: createHandler(getTeamOwner, readTeamOwner),
    invite: createHandler(inviteMember, inviteTeamMember),
    resend: createHandler(resendInvitation, resendTeamInvitation),
    cancel: createHandler(cancelInvitation, cancelTeamInvitation),
    update: createHandler(updateMember, updateTeamMember),
    getInvitation: createHandler(getInvitation, getInvitationByToken),
    accept: createHandler(acceptInvitation, acceptInvitationAndSignIn),
  },
  jobs: {
    forget_invitations: job(deleteOldInvitationsJob, { cron: "24 * * * *", catchUp: "1d" }),
  },
  additions: { invitation: invitationAdditions, member: memberAdditions },
  relations: [
    {
      table: "invitations",
      column: "inviter_id",
      topic: "invitations",
      onDeletion: "delete",
      export: "invitations",
    },
    { table: "invitations", column: "site_id", rowsBelongTo: "site", export: "invitations" },
  ],
  exports: archiveReaders,
  mails: ["agent_invitation", "sub_user_invitation"],
  audit: [
    "team.invited",
    "team.invitation_resent",
    "team.invitation_cancelled",
    "team.joined",
    "team.member_moved",
    "team.member_modules_changed",
    "team.member_deactivated",
    "team.member_reactivated",
  ],
  tokens: { dsj: "link in an invitation" },
});
