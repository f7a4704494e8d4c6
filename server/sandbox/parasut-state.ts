import { parseFields, type SandboxCall, type SandboxResponse, sandboxResponse } from "./sandbox";

/* State of the Paraşüt sandbox and its JSON:API representation. */

export type Attributes = Record<string, unknown>;
export interface Invoice {
  id: string;
  contactId: string;
  attributes: Attributes & { net_total: string; remaining: string; description?: string; issue_date: string };
  payments: Array<{ id: string; attributes: Attributes }>;
  document?: { id: string; type: "e_archives" | "e_invoices"; attributes: Attributes; pdfRequests: number };
  cancelled?: boolean;
}
export interface Job {
  id: string;
  invoiceId: string;
  type: "e_archives" | "e_invoices";
  polls: number;
  slow: boolean;
  startedAt: number;
}
export interface ParasutState {
  lastId: number;
  access: string[];
  refresh: string | null;
  expiresAt: number;
  contacts: Array<{ id: string; attributes: Attributes }>;
  invoices: Invoice[];
  jobs: Job[];
  /** Timestamps of recent calls, and the maximum in ten seconds; null for no limit. */
  calls: number[];
  limit: number | null;
}

export const jsonApiErrorResponse = (status: number, title: string, detail: string) =>
  sandboxResponse(status, { errors: [{ title, detail }] });

const MAX_PAGE_SIZE = 25;

export function serializeInvoice({ id, contactId, attributes, payments, document, cancelled }: Invoice) {
  const documentReference = document && { id: document.id, type: document.type };
  return {
    data: {
      ...{
        id,
        type: "sales_invoices",
        attributes: { ...attributes, ...(cancelled && { item_type: "cancelled" }) },
      },
      relationships: {
        contact: { data: { id: contactId, type: "contacts" } },
        payments: { data: payments.map((each) => ({ id: each.id, type: "payments" })) },
        active_e_document: { data: documentReference ?? null },
      },
    },
    included: [
      ...payments.map(({ id, attributes: { description, ...each } }) => ({
        ...{ id, type: "payments", attributes: { ...each, notes: description } },
      })),
      ...(document ? [{ ...documentReference, attributes: document.attributes }] : []),
    ],
  };
}

export function paginatedResponse(call: SandboxCall, rows: object[]): SandboxResponse {
  const size = Math.min(Number(call.query.get("page[size]") ?? 15), MAX_PAGE_SIZE);
  const page = Number(call.query.get("page[number]") ?? 1);
  return sandboxResponse(200, {
    data: rows.slice((page - 1) * size, page * size),
    meta: {
      current_page: page,
      total_pages: Math.max(1, Math.ceil(rows.length / size)),
      total_count: rows.length,
    },
  });
}

interface JsonApiBody {
  attributes: Attributes;
  relationships: Record<string, { data?: { id?: unknown } & unknown[] } | undefined>;
}

export function parseJsonApiBody(call: SandboxCall): JsonApiBody {
  const { data } = parseFields(call) as { data?: Partial<JsonApiBody> };
  return { attributes: data?.attributes ?? {}, relationships: data?.relationships ?? {} };
}
