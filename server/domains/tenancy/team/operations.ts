import { handle } from "@/server/core/contract";
import {
  acceptInvitation,
  cancelInvitation,
  getInvitation,
  getTeam,
  inviteMember,
  resendInvitation,
  updateMember,
} from "./contract";
import { accept, look } from "./service/accept";
import { cancel, invite, resend } from "./service/invite";
import { list, update } from "./service/members";

export const teamOperations = {
  list: handle(getTeam, list),
  invite: handle(inviteMember, invite),
  resend: handle(resendInvitation, resend),
  cancel: handle(cancelInvitation, cancel),
  update: handle(updateMember, update),
  look: handle(getInvitation, look),
  accept: handle(acceptInvitation, accept),
};
