import * as z from "zod";
import { env } from "@/server/core/env";
import { parseAmount, toAmount } from "@/server/core/money";
import { readErrorText } from "./service/call";
import {
  AccountingFailure,
  type AccountingProvider,
  type Call,
  type InvoiceDraft,
  type InvoiceRecipient,
  type RemoteEDocument,
  type RemoteInvoice,
  type SettingCheck,
} from "./service/provider";

/* Paraşüt API v4: JSON:API, grand totals in `net_total`, at most 25 rows per page, currency code "TRL". */

const PAGE_SIZE = "25";
const INVOICE_SEARCH_PAGES_MAX = 40;

const remoteId = z.union([z.string(), z.number()]).transform(String);
const ResourceLink = z.object({ id: remoteId, type: z.string() });
const Resource = ResourceLink.extend({
  attributes: z.record(z.string(), z.unknown()).default({}),
  relationships: z.record(z.string(), z.object({ data: z.unknown() }).partial()).optional(),
});
const SingleResponse = z.object({ data: Resource, included: z.array(Resource).optional() });
const ListResponse = z.object({
  data: z.array(Resource),
  meta: z.object({ total_pages: z.number().optional() }).optional(),
});
type Resource = z.output<typeof Resource>;

function parseResponse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (!result.success) throw new AccountingFailure("protocol", "unexpected answer");
  return result.data;
}

const toText = (value: unknown) => (typeof value === "string" ? value : "");

/** Parses an amount into minor units. Decimals after the second must be zeros. */
function parseMinorUnits(value: unknown): number {
  const digits = String(value)
    .replace(/(?<!0)0+$(?<=\.\d+)/, "")
    .replace(/\.$/, "");
  const minor = parseAmount(digits);
  if (minor === undefined) throw new AccountingFailure("protocol", "unexpected amount");
  return minor;
}

function toContactAttributes(recipient: InvoiceRecipient) {
  return {
    name: recipient.title,
    account_type: "customer",
    contact_type: recipient.isCompany ? "company" : "person",
    tax_number: recipient.taxNumber,
    ...(recipient.tax_office && { tax_office: recipient.tax_office }),
    ...(recipient.email && { email: recipient.email }),
    address: recipient.address,
    district: recipient.district,
    city: recipient.city,
    country: "Türkiye",
    is_abroad: false,
  };
}

const toRelationship = (type: string, id: string) => ({ data: { id, type } });

function parseInvoice(data: Resource, included: Resource[], marker: string): RemoteInvoice {
  const payments = included.filter(({ type }) => type === "payments");
  // Paraşüt returns a payment's `description` as `notes`.
  const ownPayment = payments.find(({ attributes: { description, notes } }) =>
    `${toText(notes)} ${toText(description)}`.includes(marker),
  );
  const isSettled = "remaining" in data.attributes && parseMinorUnits(data.attributes.remaining) === 0;
  const eDocumentLink = ResourceLink.safeParse(data.relationships?.active_e_document?.data).data;
  const eDocument =
    eDocumentLink && included.find(({ id, type }) => id === eDocumentLink.id && type === eDocumentLink.type);
  return {
    id: data.id,
    totalMinor: parseMinorUnits(data.attributes.net_total),
    payment: ownPayment || isSettled ? { id: ownPayment?.id ?? null } : undefined,
    document: eDocument && parseEDocument(eDocument, toText(data.attributes.invoice_no)),
    isCancelled: data.attributes.item_type === "cancelled",
  };
}

/** The number of an e-archive is in the e-document, the number of an e-invoice is in the invoice. */
function parseEDocument({ id, type, attributes }: Resource, invoiceNo: string): RemoteEDocument {
  const cancellableUntil = new Date(toText(attributes.cancellable_until));
  return {
    kind: type === "e_invoices" ? "e_invoice" : "e_archive",
    id,
    uuid: toText(attributes.uuid) || null,
    number: toText(attributes.invoice_number) || invoiceNo || null,
    cancellableUntil: Number.isNaN(cancellableUntil.getTime()) ? null : cancellableUntil,
  };
}

async function createResource(
  call: Call,
  path: string,
  data: object,
): Promise<z.output<typeof SingleResponse>> {
  return parseResponse(SingleResponse, (await call({ method: "POST", path, body: { data } })).body);
}

/** Throws for a response to another request: broken proxies mix them up. The retry looks for the result. */
function requireOwnResponse(isOwn: boolean): void {
  if (!isOwn) throw new AccountingFailure("protocol", "the answer to another call");
}

export const parasut: AccountingProvider = {
  name: "parasut",

  async findContact(call, recipient) {
    const { isConsumer, taxNumber, title, email } = recipient;
    // All consumers share one tax number.
    const filter: Record<string, string> = isConsumer
      ? { "filter[name]": title, ...(email && { "filter[email]": email }) }
      : { "filter[tax_number]": taxNumber };
    const { body } = await call({
      method: "GET",
      path: "contacts",
      query: { ...filter, "page[size]": PAGE_SIZE },
    });
    const expected = toContactAttributes(recipient);
    const match = parseResponse(ListResponse, body).data.find(
      ({ attributes }) =>
        attributes.tax_number === taxNumber &&
        (!isConsumer || (attributes.name === title && (!email || attributes.email === email))),
    );
    if (!match) return undefined;
    const comparedFields = ["name", "tax_office", "address", "district", "city"] as const;
    return {
      id: match.id,
      differs: comparedFields.some((name) => name in expected && expected[name] !== match.attributes[name]),
    };
  },

  async createContact(call, recipient) {
    const { data } = await createResource(call, "contacts", {
      type: "contacts",
      attributes: toContactAttributes(recipient),
    });
    const { tax_number, name } = data.attributes;
    requireOwnResponse(
      tax_number === recipient.taxNumber && (!recipient.isConsumer || name === recipient.title),
    );
    return data.id;
  },

  async updateContact(call, id, recipient) {
    const data = { id, type: "contacts", attributes: toContactAttributes(recipient) };
    const { status } = await call({
      method: "PUT",
      path: `contacts/${id}`,
      body: { data },
      acceptedStatuses: [404],
    });
    // Deleted since `findContact`.
    if (status === 404)
      throw new AccountingFailure("transient", "the contact is gone", { hadNoEffect: true });
  },

  async findInvoice(call, { contactId, issueDate, marker }) {
    for (let page = 1; page <= INVOICE_SEARCH_PAGES_MAX; page++) {
      const filter = { "filter[contact_id]": contactId, "filter[issue_date]": issueDate };
      const query = { ...filter, "page[number]": String(page), "page[size]": PAGE_SIZE };
      const { data, meta } = parseResponse(
        ListResponse,
        (await call({ method: "GET", path: "sales_invoices", query })).body,
      );
      const match = data.find(({ attributes }) => toText(attributes.description).includes(marker));
      if (match) return parseInvoice(match, [], marker);
      if (page >= (meta?.total_pages ?? 1)) return undefined;
    }
    return undefined;
  },

  async createInvoice(call, { contactId, marker, issueDate, unitMinor, vatRate, text }: InvoiceDraft) {
    const { product } = env().parasut!;
    const { data } = await createResource(call, "sales_invoices", {
      type: "sales_invoices",
      attributes: {
        item_type: "invoice",
        description: marker,
        issue_date: issueDate,
        due_date: issueDate,
        currency: "TRL",
      },
      relationships: {
        contact: toRelationship("contacts", contactId),
        details: {
          data: [
            {
              type: "sales_invoice_details",
              attributes: {
                quantity: 1,
                unit_price: toAmount(unitMinor),
                vat_rate: vatRate,
                description: text,
              },
              ...(product && { relationships: { product: toRelationship("products", product) } }),
            },
          ],
        },
      },
    });
    requireOwnResponse(toText(data.attributes.description).includes(marker));
    return parseInvoice(data, [], marker);
  },

  async readInvoice(call, id, marker) {
    const query = { include: "payments,active_e_document" };
    const { status, body } = await call({
      method: "GET",
      path: `sales_invoices/${id}`,
      query,
      acceptedStatuses: [404],
    });
    if (status === 404) return undefined;
    const { data, included = [] } = parseResponse(SingleResponse, body);
    requireOwnResponse(data.id === id);
    return parseInvoice(data, included, marker);
  },

  async removeInvoice(call, id) {
    await call({ method: "DELETE", path: `sales_invoices/${id}`, acceptedStatuses: [404] });
  },

  async cancelInvoice(call, id) {
    await call({ method: "DELETE", path: `sales_invoices/${id}/cancel` });
  },

  async recordPayment(call, invoiceId, { day, grossMinor, marker }) {
    const account_id = Number(env().parasut!.bankAccount);
    const attributes = { account_id, date: day, amount: toAmount(grossMinor), description: marker };
    return (
      await createResource(call, `sales_invoices/${invoiceId}/payments`, { type: "payments", attributes })
    ).data.id;
  },

  async findInbox(call, taxNumber) {
    // Keep as text: the number may start with 0.
    const query = { "filter[vkn]": taxNumber, "page[size]": PAGE_SIZE };
    const { data } = parseResponse(
      ListResponse,
      (await call({ method: "GET", path: "e_invoice_inboxes", query })).body,
    );
    return data.map(({ attributes }) => toText(attributes.e_invoice_address)).find(Boolean);
  },

  async requestEDocument(call, invoiceId, request) {
    const invoiceRelationship = toRelationship("sales_invoices", invoiceId);
    const data =
      request.kind === "e_invoice"
        ? {
            type: "e_invoices",
            attributes: { scenario: "basic", to: request.to },
            relationships: { invoice: invoiceRelationship },
          }
        : {
            type: "e_archives",
            attributes: {
              internet_sale: { url: env().APP_URL, payment_type: "EFT/HAVALE", payment_date: request.paidOn },
            },
            relationships: { sales_invoice: invoiceRelationship },
          };
    return (await createResource(call, data.type, data)).data.id;
  },

  async getJob(call, id) {
    const { status, body } = await call({
      method: "GET",
      path: `trackable_jobs/${id}`,
      acceptedStatuses: [404],
    });
    if (status === 404) return { state: "gone" };
    const { attributes } = parseResponse(SingleResponse, body).data;
    if (attributes.status === "error") {
      const errorTexts = Array.isArray(attributes.errors) ? attributes.errors.map(String) : [];
      return { state: "error", message: readErrorText({ errors: errorTexts.map((title) => ({ title })) }) };
    }
    return { state: attributes.status === "done" ? "done" : "running" };
  },

  async getPdfUrl(call, { kind, id }) {
    const resourceType = kind === "e_invoice" ? "e_invoices" : "e_archives";
    const { status, body } = await call({ method: "GET", path: `${resourceType}/${id}/pdf` });
    if (status === 204) return undefined;
    const url = toText(parseResponse(SingleResponse, body).data.attributes.url);
    if (!url) throw new AccountingFailure("protocol", "no address of the PDF");
    return url;
  },

  async checkSettings(call) {
    const { company, bankAccount } = env().parasut!;
    const checks: SettingCheck[] = [];
    const runCheck = async (name: SettingCheck["name"], check: () => Promise<boolean>) => {
      try {
        const ok = await check();
        checks.push({ name, ok, problem: ok ? null : "refused" });
      } catch (error) {
        if (!(error instanceof AccountingFailure)) throw error;
        checks.push({ name, ok: false, problem: error.problem });
      }
      return checks.at(-1)!.ok;
    };
    let companies: string[] = [];
    const checkAccount = async () => {
      const { body } = await call({ method: "GET", path: "/v4/me", query: { include: "companies" } });
      const included = parseResponse(SingleResponse, body).included ?? [];
      companies = included.filter(({ type }) => type === "companies").map(({ id }) => id);
      return true;
    };
    const checkBankAccount = async () => {
      const { body } = await call({ method: "GET", path: `accounts/${bankAccount}` });
      // The bank account determines the currency of payments.
      return ["TRL", "TRY"].includes(toText(parseResponse(SingleResponse, body).data.attributes.currency));
    };
    if (
      (await runCheck("account", checkAccount)) &&
      (await runCheck("company", async () => companies.includes(company)))
    )
      await runCheck("bank_account", checkBankAccount);
    return checks;
  },
};
