import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, PageMeta, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  Done,
  email,
  expiry,
  flag,
  message,
  personName,
  phone,
  queryFlag,
  queryId,
  recordId,
  searchLine,
  textBlock,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { ExplainedGate } from "@/server/domains/access/sign-in/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { Connection } from "@/server/domains/sites/connections/contract";
import { CUSTOMER_SORTS, CUSTOMER_STATES, INVITATION_DAYS, NOTE_MAX_LENGTH } from "./policy";

const Customer = f.namedObject("ResellerCustomer", "Customer of a reseller.", {
  id: recordId,
  name: User.shape.name,
  email: User.shape.email,
  phone: User.shape.phone,
  is_active: f.boolean("True unless the account is deactivated."),
  sites_count: count.meta({ description: "Number of sites of the customer and its sub-users." }),
  active_licenses_count: count.meta({
    description:
      "Number of active and past-due subscriptions of the customer, plus active annual licences of the " +
      "sites of the customer and its sub-users.",
  }),
  created_at: createdAt,
});

const CustomerFilter = z.object({
  search: f.nullish(
    searchLine({ max: 200 }),
    "Words that must all be part of the name, email address or phone number.",
    "ışıl",
  ),
  is_active: f.nullish(queryFlag, "True for active customers, false for deactivated ones."),
  state: f.nullish(
    z.enum(CUSTOMER_STATES),
    "Only customers in this state. `deactivated`: the account is deactivated. `offline`: sites are suspended because " +
      "their plan ended. `past_due`: a plan has ended, its sites still work. `active`: all others.",
    "past_due",
  ),
  sort: f.nullish(
    z.enum(CUSTOMER_SORTS),
    "Column to sort by; a leading `-` reverses the order. The default is `-created_at`, newest first.",
    "-created_at",
  ),
  reseller_id: f.nullish(
    queryId,
    "ID of the reseller. Administrators must set it. For resellers, 403 unless it is their own.",
  ),
});

const READ_OPERATION = { tag: "Customers", access: "token", ability: "reseller:read" } as const;

export const listCustomers = operation({
  id: "listCustomers",
  method: "GET",
  path: "/api/reseller/customers",
  ...READ_OPERATION,
  summary: "List the reseller's customers",
  description:
    "`search` matches customers whose name, email address or phone number contains all its words. Case " +
    "and accents are ignored; İ, I, ı and i are the same letter. If neither `page` nor `per_page` is set, " +
    "returns all customers, at most 10,000. Otherwise returns one page with `meta`. `count` is the number " +
    "of customers in `data`.",
  query: CustomerFilter.extend(pageQuery.shape),
  output: f.success({ data: f.list(Customer, "Customers of the list."), count, meta: PageMeta.optional() }),
  errors: ["agreement_unsigned"],
});
export const downloadCustomers = operation({
  id: "downloadCustomers",
  path: "/api/reseller/customers.csv",
  ...READ_OPERATION,
  summary: "Download customers as a CSV file",
  description:
    "All matching customers in UTF-8. The separator is a semicolon in languages with a decimal comma. " +
    "Cells that a spreadsheet would run as a formula begin with an apostrophe.",
  viewAs: false,
  query: CustomerFilter,
  ...CSV_DOWNLOAD,
  errors: ["agreement_unsigned"],
});

export const CUSTOMER_PERIODS = ["12m", "90d", "30d", "7d"] as const;

export const getCustomerSeries = operation({
  id: "getCustomerSeries",
  method: "GET",
  path: "/api/reseller/customers/series",
  ...READ_OPERATION,
  summary: "Get the number of customers over time",
  description:
    "Counts the customers of `GET /api/reseller/customers` by the time at which their accounts were created. An account that is no " +
    "longer a customer does not count, also not for earlier intervals; one that became a customer later counts from its creation.",
  query: seriesQuery({
    periods: CUSTOMER_PERIODS,
    filters: { reseller_id: CustomerFilter.shape.reseller_id },
  }),
  output: f.success({
    data: series("CustomerSeries", "Customers of a reseller over time.", {
      joined: "accounts created in the interval.",
      customers: "customers at the end of the interval.",
    }),
  }),
  errors: ["agreement_unsigned"],
});

const CustomerDetail = Customer.extend({
  email_verified_at: f.nullable(timestamp, "When the email address was verified; null if not yet."),
  deactivated_by: f.nullable(
    z.enum(["user", "reseller", "admin"]),
    "Role of the account that deactivated this one; null while active or if not recorded. A reseller can " +
      "activate the account only if the role is `reseller`.",
    null,
  ),
  support_access_until: f.nullable(
    expiry,
    "End of the permission to view the customer's panel; null if not given.",
  ),
  sites: f.list(
    z.object({
      id: recordId,
      name: f.text("Name of the site.", "Kaya Kahve"),
      domain: f.text("Domain of the site, without scheme or path.", "example.com"),
      is_active: f.boolean("True when the site is active."),
    }),
    "Newest 100 sites of the customer and its sub-users.",
  ),
  subscriptions: f.list(
    z.object({
      id: recordId,
      plan: f.text("Name of the plan.", "Pro"),
      status: f.oneOf(["active", "past_due"], "`past_due`: the period ended and is not paid yet."),
      is_trial: f.boolean("True for a free trial.", false),
      site_slots: count.meta({ description: "Number of sites that the subscription can cover." }),
      used_slots: count.meta({ description: "Number of slots in use." }),
      ends_at: expiry.meta({ description: "When the subscription ends." }),
    }),
    "Active and past-due subscriptions of the customer.",
  ),
  connections: f.list(Connection, "Newest 100 connections of the customer and its sub-users."),
  gates: f.list(
    ExplainedGate,
    "Checks of the customer's sign-in at the platform's URL, in the order of the checks.",
    [{ gate: "account_active", open: true, reason: null, lifted_by: [] }],
  ),
}).meta({
  id: "ResellerCustomerDetail",
  description: "Customer with sites, subscriptions and connections.",
});

const customerOutput = f.success({ customer: CustomerDetail });

export const getCustomer = operation({
  id: "getCustomer",
  method: "GET",
  path: "/api/reseller/customers/{id}",
  ...READ_OPERATION,
  summary: "Get a customer",
  ...byId("User"),
  output: customerOutput,
  errors: ["agreement_unsigned"],
});

const CHANGE_OPERATION = { tag: "Customers", access: "token", ability: "*" } as const;

export const setCustomerStatus = operation({
  id: "setCustomerStatus",
  method: "PUT",
  path: "/api/reseller/customers/{id}/status",
  ...CHANGE_OPERATION,
  summary: "Activate or deactivate a customer",
  description:
    "Deactivating ends the customer's sessions and API keys and the pending invitations that the customer " +
    "sent. The customer's agents cannot sign in either. Sites stay active. The customer is notified by " +
    "mail if the state changes. Activating: 422 `customer_held` if the customer was not deactivated by a " +
    "reseller.",
  limit: { points: 60, per: 3600, by: "account" },
  ...byId("User"),
  body: z.object({
    is_active: flag.meta({ description: "True to activate the account, false to deactivate it." }),
    reason: textLine({ min: 3, max: 200 }).meta({
      description: "Reason, kept in the audit log; not shown in the customer's activity.",
      example: "Asked for by the customer",
    }),
  }),
  output: customerOutput.extend({ message }),
  errors: ["agreement_unsigned", "customer_held"],
});

const CustomerNote = f.namedObject(
  "CustomerNote",
  "Note about a customer; the customer gets it with a data export.",
  {
    id: recordId,
    body: f.text("Text of the note.", "Prefers calls after noon."),
    created_at: createdAt,
  },
);

export const listCustomerNotes = operation({
  id: "listCustomerNotes",
  method: "GET",
  path: "/api/reseller/customers/{id}/notes",
  ...READ_OPERATION,
  summary: "List the notes about a customer",
  description: "At most 200, newest first. Customers receive the notes about them with a data export.",
  ...byId("User"),
  output: f.success({ notes: f.list(CustomerNote, "Notes, newest first.") }),
  errors: ["agreement_unsigned"],
});

export const addCustomerNote = operation({
  id: "addCustomerNote",
  method: "POST",
  path: "/api/reseller/customers/{id}/notes",
  ...CHANGE_OPERATION,
  summary: "Add a note about a customer",
  limit: { points: 120, per: 3600, by: "account" },
  ...byId("User"),
  body: z.object({
    body: textBlock({ max: NOTE_MAX_LENGTH }).meta({
      description: "Text of the note.",
      example: "Prefers calls after noon.",
    }),
  }),
  status: 201,
  output: f.changeOutput({ note: CustomerNote }),
  errors: ["agreement_unsigned", "customer_notes_full"],
});

export const removeCustomerNote = operation({
  id: "removeCustomerNote",
  method: "DELETE",
  path: "/api/reseller/notes/{id}",
  ...CHANGE_OPERATION,
  summary: "Remove a note about a customer",
  ...byId("CustomerNote"),
  output: Done,
  errors: ["agreement_unsigned"],
});

const CustomerInvitation = f.namedObject(
  "CustomerInvitation",
  "Pending or expired invitation of a customer.",
  {
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    created_at: createdAt,
    expires_at: expiry.meta({ example: "2027-11-27T09:30:00.000000Z" }),
    expired: f.boolean("True when the link has expired. The invitation can be sent again.", false),
  },
);

export const listCustomerInvitations = operation({
  id: "listCustomerInvitations",
  method: "GET",
  path: "/api/reseller/invitations",
  ...READ_OPERATION,
  summary: "List the pending and expired invitations of customers",
  output: f.success({
    invitations: f.list(CustomerInvitation, "Pending and expired invitations, newest first."),
  }),
  errors: ["agreement_unsigned"],
});

export const inviteCustomer = operation({
  id: "inviteCustomer",
  method: "POST",
  path: "/api/reseller/customers",
  ...CHANGE_OPERATION,
  summary: "Invite a customer",
  description: `Emails a link to open a customer's account. The link works once, for ${INVITATION_DAYS} days. The caller needs a verified address (\`email_needs_verification\`). 422 if the address has an account or a pending invitation of the caller. 429 after three invitation emails to an address within an hour.`,
  limit: { points: 60, per: 3600, by: "account", durable: true },
  idempotent: true,
  body: z.object({
    name: personName.meta({ description: "Name of the person." }),
    email,
    phone: f.nullish(phone, "Phone number, preferably in E.164 format; null if none."),
  }),
  labels: { name: "full_name" },
  status: 201,
  output: f.changeOutput({ invitation: CustomerInvitation }),
  errors: ["agreement_unsigned", "email_needs_verification", "sign_up_refused"],
});

export const resendCustomerInvitation = operation({
  id: "resendCustomerInvitation",
  method: "POST",
  path: "/api/reseller/invitations/{id}/resend",
  ...CHANGE_OPERATION,
  summary: "Send a customer invitation again",
  description:
    `Emails a new link that works once, for ${INVITATION_DAYS} days. The previous link stops working. Also ` +
    "works for an expired invitation. Only for resellers. 429 after three invitation emails to an address " +
    "within an hour, counting all senders.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  ...byId("CustomerInvitation"),
  output: f.changeOutput({ invitation: CustomerInvitation }),
  errors: ["agreement_unsigned"],
});

export const cancelCustomerInvitation = operation({
  id: "cancelCustomerInvitation",
  method: "DELETE",
  path: "/api/reseller/invitations/{id}",
  ...CHANGE_OPERATION,
  summary: "Cancel a customer invitation",
  ...byId("CustomerInvitation"),
  output: Done,
  errors: ["agreement_unsigned"],
});
