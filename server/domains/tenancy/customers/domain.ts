import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  addCustomerNote,
  cancelCustomerInvitation,
  downloadCustomers,
  getCustomer,
  getCustomerSeries,
  inviteCustomer,
  listCustomerInvitations,
  listCustomerNotes,
  listCustomers,
  removeCustomerNote,
  resendCustomerInvitation,
  setCustomerStatus,
} from "./contract";
import { archiveReaders } from "./export";
import { deleteOldInvitationsJob } from "./jobs";
import { customerInvitationAdditions } from "./service/additions";
import { getCustomerDetail } from "./service/customer-detail";
import { downloadCustomersCsv } from "./service/download";
import { cancelInvitation, inviteNewCustomer, listInvitations, resendInvitation } from "./service/invite";
import { listResellerCustomers } from "./service/list";
import { addNote, listNotes, removeNote } from "./service/notes";
import { countCustomersOverTime } from "./service/series";
import { changeCustomerStatus } from "./service/status";

export const customers = domain({
  operations: {
    list: createHandler(listCustomers, listResellerCustomers),
    download: createHandler(downloadCustomers, downloadCustomersCsv),
    series: createHandler(getCustomerSeries, countCustomersOverTime),
    get: createHandler(getCustomer, getCustomerDetail),
    setStatus: createHandler(setCustomerStatus, changeCustomerStatus),
    listNotes: createHandler(listCustomerNotes, listNotes),
    addNote: createHandler(addCustomerNote, addNote),
    removeNote: createHandler(removeCustomerNote, removeNote),
    listInvitations: createHandler(listCustomerInvitations, listInvitations),
    invite: createHandler(inviteCustomer, inviteNewCustomer),
    resendInvitation: createHandler(resendCustomerInvitation, resendInvitation),
    cancelInvitation: createHandler(cancelCustomerInvitation, cancelInvitation),
  },
  jobs: {
    forget_customer_invitations: job(deleteOldInvitationsJob, { cron: "26 * * * *", catchUp: "1d" }),
  },
  additions: { customer_invitation: customerInvitationAdditions },
  relations: [
    {
      table: "customer_notes",
      column: "reseller_id",
      topic: "customer_records",
      onDeletion: "delete",
      export: "customer_notes",
    },
    {
      table: "customer_notes",
      column: "customer_id",
      topic: "customer_records",
      onDeletion: "delete",
      export: "notes_about_me",
    },
    {
      table: "customer_invitations",
      column: "reseller_id",
      topic: "customer_records",
      onDeletion: "delete",
      export: "customer_invitations",
    },
  ],
  exports: archiveReaders,
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
