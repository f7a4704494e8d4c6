import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, PageMeta, pageQuery } from "@/server/core/list";
import {
  block,
  count,
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
import { ExplainedGate } from "@/server/domains/access/gates/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { anyChannel } from "@/server/domains/sites/connections/contract";
import { INVITATION_DAYS, NOTE_MAX, SORTS } from "./policy";

/** A reseller's customer (docs/contract.md 2.4). */
const Customer = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    is_active: z.boolean(),
    /** Sites of the customer and of the accounts below. */
    sites_count: count,
    /** Running subscriptions of the customer, and active annual licences of those sites. */
    active_licenses_count: count,
    created_at: timestamp,
  })
  .meta({ id: "ResellerCustomer" });

/** Words, state and order of customers. */
const CustomerFilter = z.object({
  search: searchLine({ max: 200 }).meta({ example: "ışıl" }).nullish(),
  is_active: queryFlag.meta({ example: "true" }).nullish(),
  sort: z.enum(SORTS).meta({ example: "-created_at" }).nullish(),
  reseller_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
});

export const listCustomers = operation({
  id: "listCustomers",
  method: "GET",
  path: "/api/reseller/customers",
  tag: "Customers",
  summary: "List the reseller's customers",
  description:
    "`search` finds customers that have all its words in name, e-mail address or telephone: İ, I, ı and i are one letter, and " +
    "marks do not count. Without a page: all, newest first, at most 10,000. With `page` or `per_page`: one page, with `meta`. " +
    "`count` is the number of rows in `data`. Administrators name the reseller by `reseller_id`.",
  access: "token",
  ability: "reseller:read",
  query: CustomerFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({ success, data: z.array(Customer), count, meta: PageMeta.optional() }),
  errors: ["agreement_unsigned"],
});
export const downloadCustomers = operation({
  id: "downloadCustomers",
  method: "GET",
  path: "/api/reseller/customers.csv",
  tag: "Customers",
  summary: "Download the same customers as a CSV file",
  description:
    "All customers that match, without pages. UTF-8; the separator is a semicolon where the caller's language writes a decimal " +
    "comma. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  access: "token",
  ability: "reseller:read",
  viewAs: false,
  limit: { points: 60, per: 3600, by: "account" },
  query: CustomerFilter,
  status: 200,
  file: CSV,
  output: z.never(),
  errors: ["agreement_unsigned"],
});

const Detail = Customer.extend({
  email_verified_at: timestamp.nullable(),
  /** Who deactivated the account: a reseller lifts only what a reseller decided. Null while it is active, or unknown. */
  deactivated_by: z.enum(["user", "reseller", "admin"]).nullable().meta({ example: null }),
  /** Until when the customer lets others look at their panel; null: nobody may. */
  support_access_until: expiry.nullable(),
  /** The newest 100 sites of the customer and of the accounts below. */
  sites: z.array(
    z.object({
      id: recordId,
      name: z.string().meta({ example: "Kaya Kahve" }),
      domain: z.string().meta({ example: "example.com" }),
      is_active: z.boolean(),
    }),
  ),
  subscriptions: z.array(
    z.object({
      id: recordId,
      plan: z.string().meta({ example: "Pro" }),
      status: z.enum(["active", "past_due"]),
      site_slots: count,
      used_slots: count,
      ends_at: expiry,
    }),
  ),
  /** The newest 100 connections of the customer and of the accounts below. */
  connections: z.array(
    z.object({
      id: recordId,
      channel: anyChannel,
      label: z.string().meta({ example: "@kayakahve_bot" }),
      is_active: z.boolean(),
    }),
  ),
  /** What a sign-in of the customer would meet at the platform's address, in the order in which it is checked. */
  gates: z.array(ExplainedGate),
}).meta({ id: "ResellerCustomerDetail" });

const one = z.object({ success, customer: Detail });

export const getCustomer = operation({
  id: "getCustomer",
  method: "GET",
  path: "/api/reseller/customers/{id}",
  tag: "Customers",
  summary: "Get one customer, with sites, subscriptions and what a sign-in meets",
  access: "token",
  ability: "reseller:read",
  record: "User",
  params: z.object({ id: pathId }),
  status: 200,
  output: one,
  errors: ["agreement_unsigned", "record_not_found"],
});

export const setCustomerStatus = operation({
  id: "setCustomerStatus",
  method: "PUT",
  path: "/api/reseller/customers/{id}/status",
  tag: "Customers",
  summary: "Activate or deactivate a customer",
  description:
    "A deactivated customer is signed out everywhere at once and cannot sign in; sites stay as they are. The customer is " +
    "mailed either way. Whom an administrator deactivated, an administrator activates (422).",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account" },
  record: "User",
  params: z.object({ id: pathId }),
  body: z.object({
    is_active: flag,
    /** Kept in the activity log. */
    reason: line({ min: 3, max: 200 }).meta({ example: "Asked for by the customer" }),
  }),
  status: 200,
  output: one.extend({ message }),
  errors: ["agreement_unsigned", "record_not_found", "customer_held"],
});

const Note = z
  .object({
    id: recordId,
    body: z.string().meta({ example: "Prefers calls after noon." }),
    created_at: timestamp,
  })
  .meta({ id: "CustomerNote" });

export const listCustomerNotes = operation({
  id: "listCustomerNotes",
  method: "GET",
  path: "/api/reseller/customers/{id}/notes",
  tag: "Customers",
  summary: "List the notes about a customer",
  description: "Newest first. The customer gets them with the copy of their data.",
  access: "token",
  ability: "reseller:read",
  record: "User",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, notes: z.array(Note) }),
  errors: ["agreement_unsigned", "record_not_found"],
});

export const addCustomerNote = operation({
  id: "addCustomerNote",
  method: "POST",
  path: "/api/reseller/customers/{id}/notes",
  tag: "Customers",
  summary: "Write a note about a customer",
  access: "token",
  ability: "*",
  limit: { points: 120, per: 3600, by: "account" },
  record: "User",
  params: z.object({ id: pathId }),
  body: z.object({ body: block({ max: NOTE_MAX }).meta({ example: "Prefers calls after noon." }) }),
  status: 201,
  output: z.object({ success, message, note: Note }),
  errors: ["agreement_unsigned", "record_not_found", "customer_notes_full"],
});

export const removeCustomerNote = operation({
  id: "removeCustomerNote",
  method: "DELETE",
  path: "/api/reseller/notes/{id}",
  tag: "Customers",
  summary: "Remove a note",
  access: "token",
  ability: "*",
  record: "CustomerNote",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["agreement_unsigned", "record_not_found"],
});

const Invited = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    created_at: timestamp,
    expires_at: expiry,
    expired: z.boolean(),
  })
  .meta({ id: "CustomerInvitation" });

export const listCustomerInvitations = operation({
  id: "listCustomerInvitations",
  method: "GET",
  path: "/api/reseller/invitations",
  tag: "Customers",
  summary: "List the invitations that nobody has accepted yet",
  access: "token",
  ability: "reseller:read",
  status: 200,
  output: z.object({ success, invitations: z.array(Invited) }),
  errors: ["agreement_unsigned"],
});

export const inviteCustomer = operation({
  id: "inviteCustomer",
  method: "POST",
  path: "/api/reseller/customers",
  tag: "Customers",
  summary: "Invite somebody to become a customer",
  description:
    `Mails a link that opens an account, once, for ${INVITATION_DAYS} days. The account is the person's own, as after a ` +
    "registration. The caller needs a verified address; at most three mails an hour to one address.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({ name: personName, email, phone: phone.nullish() }),
  status: 201,
  output: z.object({ success, message, invitation: Invited }),
  errors: ["agreement_unsigned", "email_needs_verification", "sign_up_refused"],
});

export const resendCustomerInvitation = operation({
  id: "resendCustomerInvitation",
  method: "POST",
  path: "/api/reseller/invitations/{id}/resend",
  tag: "Customers",
  summary: "Send an invitation again, with a new link",
  description: "The previous link stops working. At most three mails an hour to one address.",
  access: "token",
  ability: "*",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  record: "CustomerInvitation",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, message, invitation: Invited }),
  errors: ["agreement_unsigned", "record_not_found"],
});

export const cancelCustomerInvitation = operation({
  id: "cancelCustomerInvitation",
  method: "DELETE",
  path: "/api/reseller/invitations/{id}",
  tag: "Customers",
  summary: "Cancel an invitation",
  access: "token",
  ability: "*",
  record: "CustomerInvitation",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["agreement_unsigned", "record_not_found"],
});
