import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV_DOWNLOAD, PageMeta, pageQuery } from "@/server/core/list";
import {
  block,
  count,
  createdAt,
  Done,
  email,
  expiry,
  flag,
  line,
  MAX_ID,
  message,
  pathId,
  personName,
  phone,
  queryFlag,
  queryInt,
  recordId,
  searchLine,
  success,
  timestamp,
} from "@/server/core/schema";
import { ExplainedGate } from "@/server/domains/access/sign-in/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { anyChannel } from "@/server/domains/sites/connections/contract";
import { INVITATION_DAYS, NOTE_MAX, SORTS } from "./policy";

const Customer = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    is_active: z.boolean().meta({ description: "True when the account is active." }),
    sites_count: count.meta({ description: "Number of sites of the customer and of the accounts below." }),
    active_licenses_count: count.meta({
      description:
        "Number of running subscriptions of the customer and of active annual licences of those sites.",
    }),
    created_at: createdAt,
  })
  .meta({ id: "ResellerCustomer", description: "A reseller's customer." });

/** Words, state and order of customers. */
const CustomerFilter = z.object({
  search: searchLine({ max: 200 })
    .nullish()
    .meta({ description: "Words to find in name, e-mail address and phone number.", example: "ışıl" }),
  is_active: queryFlag
    .meta({ example: "true" })
    .nullish()
    .meta({ description: "Only active customers, or only deactivated ones." }),
  sort: z
    .enum(SORTS)
    .nullish()
    .meta({ description: "Column to sort by; `-` for descending order.", example: "-created_at" }),
  reseller_id: queryInt({ min: 1, max: MAX_ID })
    .meta({ example: "7" })
    .nullish()
    .meta({ description: "For administrators: ID of the reseller." }),
});

export const listCustomers = operation({
  id: "listCustomers",
  method: "GET",
  path: "/api/reseller/customers",
  tag: "Customers",
  summary: "List the reseller's customers",
  description:
    "`search` finds customers with all its words in name, e-mail address or phone number; İ, I, ı and i are the same " +
    "letter, and accents are ignored. Without a page: all, newest first, at most 10,000. With `page` or `per_page`: one " +
    "page, with `meta`. `count` is the number of rows in `data`. Administrators set the reseller with `reseller_id`.",
  access: "token",
  ability: "reseller:read",
  query: CustomerFilter.extend(pageQuery.shape),
  output: z.object({
    success,
    data: z.array(Customer).meta({ description: "Customers of the list." }),
    count,
    meta: PageMeta.optional(),
  }),
  errors: ["agreement_unsigned"],
});
export const downloadCustomers = operation({
  id: "downloadCustomers",
  method: "GET",
  path: "/api/reseller/customers.csv",
  tag: "Customers",
  summary: "Download customers as a CSV file",
  description:
    "All matching customers, without pages. UTF-8; the separator is a semicolon where the caller's language uses a " +
    "decimal comma. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  access: "token",
  ability: "reseller:read",
  viewAs: false,
  query: CustomerFilter,
  ...CSV_DOWNLOAD,
  errors: ["agreement_unsigned"],
});

const Detail = Customer.extend({
  email_verified_at: timestamp
    .nullable()
    .meta({ description: "When the e-mail address was verified; null if not yet." }),
  deactivated_by: z.enum(["user", "reseller", "admin"]).nullable().meta({
    description:
      "Role that deactivated the account; a reseller can only lift a reseller's decision. Null while active or if unknown.",
    example: null,
  }),
  support_access_until: expiry
    .nullable()
    .meta({ description: "End of the permission to view the panel; null if not given." }),
  sites: z
    .array(
      z.object({
        id: recordId,
        name: z.string().meta({ description: "Name of the site.", example: "Kaya Kahve" }),
        domain: z
          .string()
          .meta({ description: "Domain of the site, without scheme or path.", example: "example.com" }),
        is_active: z.boolean().meta({ description: "True when the site is active." }),
      }),
    )
    .meta({ description: "Newest 100 sites of the customer and of the accounts below." }),
  subscriptions: z
    .array(
      z.object({
        id: recordId,
        plan: z.string().meta({ description: "Name of the plan.", example: "Pro" }),
        status: z.enum(["active", "past_due"]).meta({ description: "State of the subscription." }),
        site_slots: count.meta({ description: "Number of sites it covers." }),
        used_slots: count.meta({ description: "Number of slots in use." }),
        ends_at: expiry.meta({ description: "When the subscription ends." }),
      }),
    )
    .meta({ description: "Subscriptions of the customer." }),
  connections: z
    .array(
      z.object({
        id: recordId,
        channel: anyChannel.meta({ description: "Channel of the connection." }),
        label: z.string().meta({ description: "Label of the connection.", example: "@kayakahve_bot" }),
        is_active: z.boolean().meta({ description: "True when the connection is switched on." }),
      }),
    )
    .meta({ description: "Newest 100 connections of the customer and of the accounts below." }),
  gates: z.array(ExplainedGate).meta({
    description: "Gates of the customer's sign-in at the platform's URL, in the order they are checked.",
  }),
}).meta({
  id: "ResellerCustomerDetail",
  description: "A customer with sites, subscriptions and connections.",
});

const one = z.object({ success, customer: Detail });

export const getCustomer = operation({
  id: "getCustomer",
  method: "GET",
  path: "/api/reseller/customers/{id}",
  tag: "Customers",
  summary: "Get a customer",
  access: "token",
  ability: "reseller:read",
  record: "User",
  params: z.object({ id: pathId }),
  output: one,
  errors: ["agreement_unsigned"],
});

export const setCustomerStatus = operation({
  id: "setCustomerStatus",
  method: "PUT",
  path: "/api/reseller/customers/{id}/status",
  tag: "Customers",
  summary: "Activate or deactivate a customer",
  description:
    "A deactivated customer is signed out everywhere and cannot sign in; sites stay active. The customer is mailed in " +
    "both cases. 422 to activate a customer that an administrator deactivated.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  record: "User",
  params: z.object({ id: pathId }),
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

const Note = z
  .object({
    id: recordId,
    body: z.string().meta({ description: "Text of the note.", example: "Prefers calls after noon." }),
    created_at: createdAt,
  })
  .meta({ id: "CustomerNote", description: "A note about a customer, visible to the reseller only." });

export const listCustomerNotes = operation({
  id: "listCustomerNotes",
  method: "GET",
  path: "/api/reseller/customers/{id}/notes",
  tag: "Customers",
  summary: "List the notes about a customer",
  description: "Newest first. Customers receive these notes with the copy of their data.",
  access: "token",
  ability: "reseller:read",
  record: "User",
  params: z.object({ id: pathId }),
  output: z.object({ success, notes: z.array(Note).meta({ description: "Notes, newest first." }) }),
  errors: ["agreement_unsigned"],
});

export const addCustomerNote = operation({
  id: "addCustomerNote",
  method: "POST",
  path: "/api/reseller/customers/{id}/notes",
  tag: "Customers",
  summary: "Add a note about a customer",
  access: "token",
  ability: "*",
  limit: { points: 120, per: 3600, by: "account" },
  record: "User",
  params: z.object({ id: pathId }),
  body: z.object({
    body: block({ max: NOTE_MAX }).meta({
      description: "Text of the note.",
      example: "Prefers calls after noon.",
    }),
  }),
  status: 201,
  output: z.object({ success, message, note: Note }),
  errors: ["agreement_unsigned", "customer_notes_full"],
});

export const removeCustomerNote = operation({
  id: "removeCustomerNote",
  method: "DELETE",
  path: "/api/reseller/notes/{id}",
  tag: "Customers",
  summary: "Remove a note about a customer",
  access: "token",
  ability: "*",
  record: "CustomerNote",
  params: z.object({ id: pathId }),
  output: Done,
  errors: ["agreement_unsigned"],
});

const Invited = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    created_at: createdAt,
    expires_at: expiry,
    expired: z.boolean().meta({ description: "True when the invitation has expired." }),
  })
  .meta({ id: "CustomerInvitation", description: "An invitation of a customer that is not accepted yet." });

export const listCustomerInvitations = operation({
  id: "listCustomerInvitations",
  method: "GET",
  path: "/api/reseller/invitations",
  tag: "Customers",
  summary: "List the pending invitations of customers",
  access: "token",
  ability: "reseller:read",
  output: z.object({ success, invitations: z.array(Invited).meta({ description: "Pending invitations." }) }),
  errors: ["agreement_unsigned"],
});

export const inviteCustomer = operation({
  id: "inviteCustomer",
  method: "POST",
  path: "/api/reseller/customers",
  tag: "Customers",
  summary: "Invite a customer",
  description: `Mails a link that opens an account, once, for ${INVITATION_DAYS} days. The account belongs to the person, like after a registration. The caller needs a verified address; at most three mails an hour to one address.`,
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    name: personName.meta({ description: "Name of the person." }),
    email,
    phone: phone.nullish().meta({ description: "Phone number, preferably in E.164 format; null if none." }),
  }),
  status: 201,
  output: z.object({ success, message, invitation: Invited }),
  errors: ["agreement_unsigned", "email_needs_verification", "sign_up_refused"],
});

export const resendCustomerInvitation = operation({
  id: "resendCustomerInvitation",
  method: "POST",
  path: "/api/reseller/invitations/{id}/resend",
  tag: "Customers",
  summary: "Send a customer invitation again",
  description:
    "Sends a new link; the previous one stops working. At most three mails an hour to one address.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  record: "CustomerInvitation",
  params: z.object({ id: pathId }),
  output: z.object({ success, message, invitation: Invited }),
  errors: ["agreement_unsigned"],
});

export const cancelCustomerInvitation = operation({
  id: "cancelCustomerInvitation",
  method: "DELETE",
  path: "/api/reseller/invitations/{id}",
  tag: "Customers",
  summary: "Cancel a customer invitation",
  access: "token",
  ability: "*",
  record: "CustomerInvitation",
  params: z.object({ id: pathId }),
  output: Done,
  errors: ["agreement_unsigned"],
});
