import type { Output } from "@/server/core/contract";
import type {
  getCustomer,
  listCustomerInvitations,
  listCustomerNotes,
  listCustomers,
} from "@/server/domains/tenancy/customers/contract";

export type Customer = Output<typeof listCustomers>["data"][number];
export type CustomerDetail = Output<typeof getCustomer>["customer"];
export type Notes = Output<typeof listCustomerNotes>;
export type Invitations = Output<typeof listCustomerInvitations>;
