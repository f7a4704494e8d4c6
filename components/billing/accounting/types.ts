import type * as z from "zod";
import type { Output } from "@/server/core/contract";
import type {
  DocumentDetails,
  DocumentRow,
  listDocuments,
} from "@/server/domains/billing/accounting/contract";

export type Invoice = z.output<typeof DocumentRow>;
export type InvoiceDetails = z.output<typeof DocumentDetails>;
export type InvoicingState = Output<typeof listDocuments>["accounting"];
