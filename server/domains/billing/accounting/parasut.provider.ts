import * as z from "zod";
import { env } from "@/server/core/env";
import { amountOf, parseAmount } from "@/server/core/money";
import { errorTextOf } from "./service/call";
import {
  AccountingFailure,
  type AccountingProvider,
  type Call,
  type Check,
  type Draft,
  type InvoiceRecipient,
  type RemoteDocument,
  type RemoteInvoice,
} from "./service/provider";

/* Paraşüt API v4: JSON:API, grand totals in `net_total`, at most 25 rows per page, currency code "TRL". */

const PER_PAGE = "25";
/** Page limit when searching the invoices of one contact and day. */
const PAGES_MAX = 40;

const remoteId = z.union([z.string(), z.number()]).transform(String);
const Linked = z.object({ id: remoteId, type: z.string() });
const Resource = Linked.extend({
  attributes: z.record(z.string(), z.unknown()).default({}),
  relationships: z.record(z.string(), z.object({ data: z.unknown() }).partial()).optional(),
});
const One = z.object({ data: Resource, included: z.array(Resource).optional() });
const List = z.object({
  data: z.array(Resource),
  meta: z.object({ total_pages: z.number().optional() }).optional(),
});
type Resource = z.output<typeof Resource>;

function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (!result.success) throw new AccountingFailure("protocol", "unexpected answer");
  return result.data;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Parses an amount; more than two decimals are allowed if the rest are zeros. */
function minorOf(value: unknown): number {
  const digits = String(value)
    .replace(/(?<!0)0+$(?<=\.\d+)/, "")
    .replace(/\.$/, "");
  const minor = parseAmount(digits);
  if (minor === undefined) throw new AccountingFailure("protocol", "unexpected amount");
  return minor;
}

function attributesOf(party: InvoiceRecipient) {
  return {
    name: party.title,
    account_type: "customer",
    contact_type: party.isCompany ? "company" : "person",
    tax_number: party.number,
    ...(party.tax_office && { tax_office: party.tax_office }),
    ...(party.email && { email: party.email }),
    address: party.address,
    district: party.district,
    city: party.city,
    country: "Türkiye",
    is_abroad: false,
  };
}

const link = (type: string, id: string) => ({ data: { id, type } });

function invoiceOf(data: Resource, included: Resource[], marker: string): RemoteInvoice {
  const payments = included.filter(({ type }) => type === "payments");
  // Paraşüt returns a payment's `description` as `notes`.
  const ours = payments.find(({ attributes: { description, notes } }) =>
    `${textOf(notes)} ${textOf(description)}`.includes(marker),
  );
  const settled = "remaining" in data.attributes && minorOf(data.attributes.remaining) === 0;
  const linked = Linked.safeParse(data.relationships?.active_e_document?.data).data;
  const document = linked && included.find(({ id, type }) => id === linked.id && type === linked.type);
  return {
    id: data.id,
    totalMinor: minorOf(data.attributes.net_total),
    paid: ours || settled ? { id: ours?.id ?? null } : undefined,
    document: document && documentOf(document, textOf(data.attributes.invoice_no)),
    isCancelled: data.attributes.item_type === "cancelled",
  };
}

/** An e-archive carries its own number; the number of an e-invoice is on the invoice. */
function documentOf({ id, type, attributes }: Resource, invoiceNo: string): RemoteDocument {
  const until = new Date(textOf(attributes.cancellable_until));
  return {
    kind: type === "e_invoices" ? "e_invoice" : "e_archive",
    id,
    uuid: textOf(attributes.uuid) || null,
    number: textOf(attributes.invoice_number) || invoiceNo || null,
    cancellableUntil: Number.isNaN(until.getTime()) ? null : until,
  };
}

async function create(call: Call, path: string, data: object): Promise<z.output<typeof One>> {
  return read(One, (await call({ method: "POST", path, body: { data } })).body);
}

/** Rejects a response to another request, as broken proxies send; the retry looks for the result. */
function requireOwn(isOwn: boolean): void {
  if (!isOwn) throw new AccountingFailure("protocol", "the answer to another call");
}

export const parasut: AccountingProvider = {
  name: "parasut",

  async findContact(call, party) {
    const { isConsumer, number, title, email } = party;
    // All consumers share one tax number.
    const filter: Record<string, string> = isConsumer
      ? { "filter[name]": title, ...(email && { "filter[email]": email }) }
      : { "filter[tax_number]": number };
    const { body } = await call({
      method: "GET",
      path: "contacts",
      query: { ...filter, "page[size]": PER_PAGE },
    });
    const expected = attributesOf(party);
    const match = read(List, body).data.find(
      ({ attributes }) =>
        attributes.tax_number === number &&
        (!isConsumer || (attributes.name === title && (!email || attributes.email === email))),
    );
    if (!match) return undefined;
    const comparedNames = ["name", "tax_office", "address", "district", "city"] as const;
    return {
      id: match.id,
      differs: comparedNames.some((name) => name in expected && expected[name] !== match.attributes[name]),
    };
  },

  async createContact(call, party) {
    const { data } = await create(call, "contacts", { type: "contacts", attributes: attributesOf(party) });
    const { tax_number, name } = data.attributes;
    requireOwn(tax_number === party.number && (!party.isConsumer || name === party.title));
    return data.id;
  },

  async updateContact(call, id, party) {
    const data = { id, type: "contacts", attributes: attributesOf(party) };
    const { status } = await call({ method: "PUT", path: `contacts/${id}`, body: { data }, accepts: [404] });
    // Deleted since `findContact`.
    if (status === 404) throw new AccountingFailure("transient", "the contact is gone", { certain: true });
  },

  async findInvoice(call, { contactId, issueDate, marker }) {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const filter = { "filter[contact_id]": contactId, "filter[issue_date]": issueDate };
      const query = { ...filter, "page[number]": String(page), "page[size]": PER_PAGE };
      const { data, meta } = read(List, (await call({ method: "GET", path: "sales_invoices", query })).body);
      const match = data.find(({ attributes }) => textOf(attributes.description).includes(marker));
      if (match) return invoiceOf(match, [], marker);
      if (page >= (meta?.total_pages ?? 1)) return undefined;
    }
    return undefined;
  },

  async createInvoice(call, { contactId, marker, issueDate, unitMinor, vatRate, text }: Draft) {
    const { product } = env().parasut!;
    const { data } = await create(call, "sales_invoices", {
      type: "sales_invoices",
      attributes: {
        item_type: "invoice",
        description: marker,
        issue_date: issueDate,
        due_date: issueDate,
        currency: "TRL",
      },
      relationships: {
        contact: link("contacts", contactId),
        details: {
          data: [
            {
              type: "sales_invoice_details",
              attributes: {
                quantity: 1,
                unit_price: amountOf(unitMinor),
                vat_rate: vatRate,
                description: text,
              },
              ...(product && { relationships: { product: link("products", product) } }),
            },
          ],
        },
      },
    });
    requireOwn(textOf(data.attributes.description).includes(marker));
    return invoiceOf(data, [], marker);
  },

  async readInvoice(call, id, marker) {
    const query = { include: "payments,active_e_document" };
    const { status, body } = await call({
      method: "GET",
      path: `sales_invoices/${id}`,
      query,
      accepts: [404],
    });
    if (status === 404) return undefined;
    const { data, included = [] } = read(One, body);
    requireOwn(data.id === id);
    return invoiceOf(data, included, marker);
  },

  async removeInvoice(call, id) {
    await call({ method: "DELETE", path: `sales_invoices/${id}`, accepts: [404] });
  },

  async cancelInvoice(call, id) {
    await call({ method: "DELETE", path: `sales_invoices/${id}/cancel` });
  },

  async pay(call, invoiceId, { day, grossMinor, marker }) {
    const account_id = Number(env().parasut!.bankAccount);
    const attributes = { account_id, date: day, amount: amountOf(grossMinor), description: marker };
    return (await create(call, `sales_invoices/${invoiceId}/payments`, { type: "payments", attributes })).data
      .id;
  },

  async inboxOf(call, number) {
    // Keep as text: the number may start with 0.
    const query = { "filter[vkn]": number, "page[size]": PER_PAGE };
    const { data } = read(List, (await call({ method: "GET", path: "e_invoice_inboxes", query })).body);
    return data.map(({ attributes }) => textOf(attributes.e_invoice_address)).find(Boolean);
  },

  async issue(call, invoiceId, order) {
    const toInvoice = link("sales_invoices", invoiceId);
    const data =
      order.kind === "e_invoice"
        ? {
            type: "e_invoices",
            attributes: { scenario: "basic", to: order.to },
            relationships: { invoice: toInvoice },
          }
        : {
            type: "e_archives",
            attributes: {
              internet_sale: { url: env().APP_URL, payment_type: "EFT/HAVALE", payment_date: order.paidOn },
            },
            relationships: { sales_invoice: toInvoice },
          };
    return (await create(call, data.type, data)).data.id;
  },

  async jobOf(call, id) {
    const { status, body } = await call({ method: "GET", path: `trackable_jobs/${id}`, accepts: [404] });
    if (status === 404) return { state: "gone" };
    const { attributes } = read(One, body).data;
    if (attributes.status === "error") {
      const texts = Array.isArray(attributes.errors) ? attributes.errors.map(String) : [];
      return { state: "error", texts: errorTextOf({ errors: texts.map((title) => ({ title })) }) };
    }
    return { state: attributes.status === "done" ? "done" : "running" };
  },

  async pdfOf(call, { kind, id }) {
    const folder = kind === "e_invoice" ? "e_invoices" : "e_archives";
    const { status, body } = await call({ method: "GET", path: `${folder}/${id}/pdf` });
    if (status === 204) return undefined;
    const url = textOf(read(One, body).data.attributes.url);
    if (!url) throw new AccountingFailure("protocol", "no address of the PDF");
    return url;
  },

  async check(call) {
    const { company, bankAccount } = env().parasut!;
    const checks: Check[] = [];
    const run = async (name: Check["name"], check: () => Promise<boolean>) => {
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
    const account = async () => {
      const { body } = await call({ method: "GET", path: "/v4/me", query: { include: "companies" } });
      const included = read(One, body).included ?? [];
      companies = included.filter(({ type }) => type === "companies").map(({ id }) => id);
      return true;
    };
    const bank = async () => {
      const { body } = await call({ method: "GET", path: `accounts/${bankAccount}` });
      // The bank account determines the currency of payments.
      return ["TRL", "TRY"].includes(textOf(read(One, body).data.attributes.currency));
    };
    if ((await run("account", account)) && (await run("company", async () => companies.includes(company))))
      await run("bank_account", bank);
    return checks;
  },
};
