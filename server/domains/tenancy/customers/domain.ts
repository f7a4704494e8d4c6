import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  addCustomerNote,
  cancelCustomerInvitation,
  downloadCustomers,
  getCustomer,
  inviteCustomer,
  listCustomerInvitations,
  listCustomerNotes,
  listCustomers,
  removeCustomerNote,
  resendCustomerInvitation,
  setCustomerStatus,
} from "./contract";
import { exports } from "./export";
import { deleteOldInvitationsJob } from "./jobs";
import { customerInvitationAdditions } from "./service/additions";
import { get } from "./service/detail";
import { download } from "./service/download";
import { cancel, invite, listInvitations, resend } from "./service/invite";
import { list } from "./service/list";
import { addNote, listNotes, removeNote } from "./service/notes";
import { setStatus } from "./service/status";

export const customers = domain({
  operations: {
    list: handle(listCustomers, list),
    download: handle(downloadCustomers, download),
    get: handle(getCustomer, get),
    setStatus: handle(setCustomerStatus, setStatus),
    listNotes: handle(listCustomerNotes, listNotes),
    addNote: handle(addCustomerNote, addNote),
    removeNote: handle(removeCustomerNote, removeNote),
    listInvitations: handle(listCustomerInvitations, listInvitations),
    invite: handle(inviteCustomer, invite),
    resendInvitation: handle(resendCustomerInvitation, resend),
    cancelInvitation: handle(cancelCustomerInvitation, cancel),
  },
  jobs: {
    forget_customer_invitations: job(deleteOldInvitationsJob, { cron: "26 * * * *", catchUp: "1d" }),
  },
  additions: { customer_invitation: customerInvitationAdditions },
  relations: [
    {
      table: "customer_notes",
      column: "reseller_id",
      topic: "customers",
      onDeletion: "delete",
      export: "customer_notes",
    },
    {
      table: "customer_notes",
      column: "customer_id",
      topic: "customers",
      onDeletion: "delete",
      export: "notes_about_me",
    },
    {
      table: "customer_invitations",
      column: "reseller_id",
      topic: "customers",
      onDeletion: "delete",
      export: "customer_invitations",
    },
  ],
  exports,
  mails: ["customer_invitation"],
  notices: ["customer_activated", "customer_deactivated"],
  audit: [
    "customer.invited",
    "customer.invitation_resent",
    "customer.invitation_cancelled",
    "customer.joined",
    "customer.activated",
    "customer.deactivated",
  ],
  tokens: { dsb: "link in a reseller's invitation" },
});
