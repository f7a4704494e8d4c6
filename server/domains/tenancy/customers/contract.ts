import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, PageMeta, pageQuery } from "@/server/core/list";
import {
  block,
  byId,
  count,
  createdAt,
  Done,
  email,
  expiry,
  flag,
  line,
  message,
  personName,
  phone,
  queryFlag,
  queryId,
  recordId,
  searchLine,
  timestamp,
} from "@/server/core/schema";
import { ExplainedGate } from "@/server/domains/access/sign-in/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { anyChannel } from "@/server/domains/sites/connections/contract";
import { INVITATION_DAYS, NOTE_MAX, SORTS } from "./policy";

const Customer = f.named("ResellerCustomer", "A reseller's customer.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  phone: User.shape.phone,
  is_active: f.boolean("True when the account is active."),
  sites_count: count.meta({ description: "Number of sites of the customer and of the accounts below." }),
  active_licenses_count: count.meta({
    description:
      "Number of running subscriptions of the customer and of active annual licences of those sites.",
  }),
  created_at: createdAt,
});

/** Words, state and order of customers. */
const CustomerFilter = z.object({
  search: f.nullish(
    searchLine({ max: 200 }),
    "Words to find in name, e-mail address and phone number.",
    "ışıl",
  ),
  is_active: f.nullish(queryFlag, "Only active customers, or only deactivated ones."),
  sort: f.nullish(z.enum(SORTS), "Column to sort by; `-` for descending order.", "-created_at"),
  reseller_id: f.nullish(queryId, "For administrators: ID of the reseller."),
});

const READ = { tag: "Customers", access: "token", ability: "reseller:read" } as const;

export const listCustomers = operation({
  id: "listCustomers",
  method: "GET",
  path: "/api/reseller/customers",
  ...READ,
  summary: "List the reseller's customers",
  description:
    "`search` finds customers with all its words in name, e-mail address or phone number; İ, I, ı and i are the same " +
    "letter, and accents are ignored. Without a page: all, newest first, at most 10,000. With `page` or `per_page`: one " +
    "page, with `meta`. `count` is the number of rows in `data`. Administrators set the reseller with `reseller_id`.",
  query: CustomerFilter.extend(pageQuery.shape),
  output: f.success({ data: f.list(Customer, "Customers of the list."), count, meta: PageMeta.optional() }),
  errors: ["agreement_unsigned"],
});
export const downloadCustomers = operation({
  id: "downloadCustomers",
  path: "/api/reseller/customers.csv",
  ...READ,
  summary: "Download customers as a CSV file",
  description:
    "All matching customers, without pages. UTF-8; the separator is a semicolon where the caller's language uses a " +
    "decimal comma. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  viewAs: false,
  query: CustomerFilter,
  ...CSV_DOWNLOAD,
  errors: ["agreement_unsigned"],
});

const Detail = Customer.extend({
  email_verified_at: f.nullable(timestamp, "When the e-mail address was verified; null if not yet."),
  deactivated_by: f.nullable(
    z.enum(["user", "reseller", "admin"]),
    "Role that deactivated the account; a reseller can only lift a reseller's decision. Null while active or if unknown.",
    null,
  ),
  support_access_until: f.nullable(expiry, "End of the permission to view the panel; null if not given."),
  sites: f.list(
    z.object({
      id: recordId,
      name: f.text("Name of the site.", "Kaya Kahve"),
      domain: f.text("Domain of the site, without scheme or path.", "example.com"),
      is_active: f.boolean("True when the site is active."),
    }),
    "Newest 100 sites of the customer and of the accounts below.",
  ),
  subscriptions: f.list(
    z.object({
      id: recordId,
      plan: f.text("Name of the plan.", "Pro"),
      status: f.oneOf(["active", "past_due"], "State of the subscription."),
      site_slots: count.meta({ description: "Number of sites it covers." }),
      used_slots: count.meta({ description: "Number of slots in use." }),
      ends_at: expiry.meta({ description: "When the subscription ends." }),
    }),
    "Subscriptions of the customer.",
  ),
  connections: f.list(
    z.object({
      id: recordId,
      channel: anyChannel.meta({ description: "Channel of the connection." }),
      label: f.text("Label of the connection.", "@kayakahve_bot"),
      is_active: f.boolean("True when the connection is switched on."),
    }),
    "Newest 100 connections of the customer and of the accounts below.",
  ),
  gates: f.list(
    ExplainedGate,
    "Gates of the customer's sign-in at the platform's URL, in the order they are checked.",
  ),
}).meta({
  id: "ResellerCustomerDetail",
  description: "A customer with sites, subscriptions and connections.",
});

const one = f.success({ customer: Detail });

export const getCustomer = operation({
  id: "getCustomer",
  method: "GET",
  path: "/api/reseller/customers/{id}",
  ...READ,
  summary: "Get a customer",
  ...byId("User"),
  output: one,
  errors: ["agreement_unsigned"],
});

const CHANGE = { tag: "Customers", access: "token", ability: "*" } as const;

export const setCustomerStatus = operation({
  id: "setCustomerStatus",
  method: "PUT",
  path: "/api/reseller/customers/{id}/status",
  ...CHANGE,
  summary: "Activate or deactivate a customer",
  description:
    "A deactivated customer is signed out everywhere and cannot sign in; sites stay active. The customer is mailed in " +
    "both cases. 422 to activate a customer that an administrator deactivated.",
  limit: { points: 60, per: 3600, by: "account" },
  ...byId("User"),
  body: z.object({
    is_active: flag.meta({ description: "True to activate the account, false to deactivate it." }),
    reason: line({ min: 3, max: 200 }).meta({
      description: "Reason, kept in the activity log.",
      example: "Asked for by the customer",
    }),
  }),
  output: one.extend({ message }),
  errors: ["agreement_unsigned", "customer_held"],
});

const Note = f.named("CustomerNote", "A note about a customer, visible to the reseller only.", {
  id: recordId,
  body: f.text("Text of the note.", "Prefers calls after noon."),
  created_at: createdAt,
});

export const listCustomerNotes = operation({
  id: "listCustomerNotes",
  method: "GET",
  path: "/api/reseller/customers/{id}/notes",
  ...READ,
  summary: "List the notes about a customer",
  description: "Newest first. Customers receive these notes with the copy of their data.",
  ...byId("User"),
  output: f.success({ notes: f.list(Note, "Notes, newest first.") }),
  errors: ["agreement_unsigned"],
});

export const addCustomerNote = operation({
  id: "addCustomerNote",
  method: "POST",
  path: "/api/reseller/customers/{id}/notes",
  ...CHANGE,
  summary: "Add a note about a customer",
  limit: { points: 120, per: 3600, by: "account" },
  ...byId("User"),
  body: z.object({
    body: block({ max: NOTE_MAX }).meta({
      description: "Text of the note.",
      example: "Prefers calls after noon.",
    }),
  }),
  status: 201,
  output: f.changed({ note: Note }),
  errors: ["agreement_unsigned", "customer_notes_full"],
});

export const removeCustomerNote = operation({
  id: "removeCustomerNote",
  method: "DELETE",
  path: "/api/reseller/notes/{id}",
  ...CHANGE,
  summary: "Remove a note about a customer",
  ...byId("CustomerNote"),
  output: Done,
  errors: ["agreement_unsigned"],
});

const Invited = f.named("CustomerInvitation", "An invitation of a customer that is not accepted yet.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  phone: User.shape.phone,
  created_at: createdAt,
  expires_at: expiry,
  expired: f.boolean("True when the invitation has expired."),
});

export const listCustomerInvitations = operation({
  id: "listCustomerInvitations",
  method: "GET",
  path: "/api/reseller/invitations",
  ...READ,
  summary: "List the pending invitations of customers",
  output: f.success({ invitations: f.list(Invited, "Pending invitations.") }),
  errors: ["agreement_unsigned"],
});

export const inviteCustomer = operation({
  id: "inviteCustomer",
  method: "POST",
  path: "/api/reseller/customers",
  ...CHANGE,
  summary: "Invite a customer",
  description: `Mails a link that opens an account, once, for ${INVITATION_DAYS} days. The account belongs to the person, like after a registration. The caller needs a verified address; at most three mails an hour to one address.`,
  limit: { points: 60, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    name: personName.meta({ description: "Name of the person." }),
    email,
    phone: f.nullish(phone, "Phone number, preferably in E.164 format; null if none."),
  }),
  status: 201,
  output: f.changed({ invitation: Invited }),
  errors: ["agreement_unsigned", "email_needs_verification", "sign_up_refused"],
});

export const resendCustomerInvitation = operation({
  id: "resendCustomerInvitation",
  method: "POST",
  path: "/api/reseller/invitations/{id}/resend",
  ...CHANGE,
  summary: "Send a customer invitation again",
  description:
    "Sends a new link; the previous one stops working. At most three mails an hour to one address.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  ...byId("CustomerInvitation"),
  output: f.changed({ invitation: Invited }),
  errors: ["agreement_unsigned"],
});

export const cancelCustomerInvitation = operation({
  id: "cancelCustomerInvitation",
  method: "DELETE",
  path: "/api/reseller/invitations/{id}",
  ...CHANGE,
  summary: "Cancel a customer invitation",
  ...byId("CustomerInvitation"),
  output: Done,
  errors: ["agreement_unsigned"],
});
