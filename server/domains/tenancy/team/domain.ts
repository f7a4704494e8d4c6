import { handle } from "@/server/core/contract";
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
import { exports } from "./export";
import { deleteOldInvitationsJob } from "./jobs";
import { accept, get } from "./service/accept";
import { invitationAdditions, memberAdditions } from "./service/additions";
import { cancel, invite, resend } from "./service/invite";
import { list, update } from "./service/members";
import { getOwner } from "./service/owner";

export const team = domain({
  operations: {
    list: handle(getTeam, list),
    owner: handle(getTeamOwner, getOwner),
    invite: handle(inviteMember, invite),
    resend: handle(resendInvitation, resend),
    cancel: handle(cancelInvitation, cancel),
    update: handle(updateMember, update),
    getInvitation: handle(getInvitation, get),
    accept: handle(acceptInvitation, accept),
  },
  jobs: {
    forget_invitations: job(deleteOldInvitationsJob, { cron: "24 * * * *", catchUp: "1d" }),
  },
  additions: { invitation: invitationAdditions, member: memberAdditions },
  relations: [
    {
      table: "invitations",
      column: "inviter_id",
      topic: "team",
      onDeletion: "delete",
      export: "invitations",
    },
    { table: "invitations", column: "site_id", of: "site", export: "invitations" },
  ],
  exports,
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
