import { createNumberPdf } from "./parasut-pdf";
import {
  type Attributes,
  type Invoice,
  type Job,
  jsonApiErrorResponse,
  type ParasutState,
  paginatedResponse,
  parseJsonApiBody,
  serializeInvoice,
} from "./parasut-state";
import {
  parseFields,
  type Sandbox,
  type SandboxCall,
  type SandboxResponse,
  sandboxResponse,
  stringOrEmpty,
} from "./sandbox";

/* Paraşüt's API v4 for invoices. VAT is rounded half up per line. */

const PARASUT_ACCOUNT = {
  company: "100",
  clientId: "sandbox-client",
  clientSecret: "sandbox-client-secret",
  username: "accounting@example.com",
  password: "sandbox-password",
  bankAccount: "500",
} as const;

const EMPTY_STATE: ParasutState = {
  ...{ lastId: 1000, access: [], refresh: null, expiresAt: 0, contacts: [], invoices: [], jobs: [] },
  ...{ calls: [], limit: null },
};

const NOT_FOUND = jsonApiErrorResponse(404, "Not Found", "Kayıt bulunamadı");
const TOKEN_LIFETIME_SECONDS = 7200;
const JOB_LIFETIME_MS = 15 * 60_000;

/** Serializes calls: each reads, changes and writes the whole state. */
let callQueue: Promise<unknown> = Promise.resolve();

export const parasut: Sandbox = (call, store, now) => {
  const response = callQueue.then(async () => {
    const state = ((await store.get("books")) as ParasutState | undefined) ?? structuredClone(EMPTY_STATE);
    const result = handleCall(call, state, now);
    await store.set("books", state);
    return result;
  });
  callQueue = response.catch(() => {});
  return response;
};

function handleCall(call: SandboxCall, state: ParasutState, now: number): SandboxResponse {
  if (call.path === "/oauth/token") return issueToken(call, state, now);
  const [, documentId] = /^\/files\/(\w+)\.pdf$/.exec(call.path) ?? [];
  if (documentId) {
    const invoice = state.invoices.find((each) => each.document?.id === documentId);
    return invoice
      ? sandboxResponse(200, createNumberPdf(stringOrEmpty(invoice.attributes.invoice_no)))
      : NOT_FOUND;
  }
  if (state.limit !== null) {
    state.calls = state.calls.filter((calledAt) => calledAt > now - 10_000);
    if (state.calls.length >= state.limit)
      return jsonApiErrorResponse(429, "Too Many Requests", "10 saniye bekleyin");
    state.calls.push(now);
  }
  const bearer = /^Bearer (.+)$/.exec(call.header("authorization") ?? "")?.[1] ?? "";
  if (!state.access.includes(bearer) || now > state.expiresAt)
    return jsonApiErrorResponse(401, "Unauthorized", "invalid_token");
  if (call.path === "/v4/me")
    return sandboxResponse(200, {
      data: { id: "1", type: "users", attributes: { email: PARASUT_ACCOUNT.username } },
      included: [{ id: PARASUT_ACCOUNT.company, type: "companies", attributes: { name: "Örnek A.Ş." } }],
    });
  const [, company, path = ""] = /^\/v4\/(\d+)\/(.+)$/.exec(call.path) ?? [];
  if (company !== PARASUT_ACCOUNT.company) return jsonApiErrorResponse(404, "Not Found", "Firma bulunamadı");
  const [resource = "", id = "", verb = ""] = path.split("/");
  const handler = RESOURCES[`${call.method} ${resource}${id ? "/:id" : ""}${verb ? `/${verb}` : ""}`];
  return handler ? handler({ call, state, now, id }) : NOT_FOUND;
}

function issueToken(call: SandboxCall, state: ParasutState, now: number): SandboxResponse {
  const fields = parseFields(call);
  if (fields.client_id !== PARASUT_ACCOUNT.clientId || fields.client_secret !== PARASUT_ACCOUNT.clientSecret)
    return sandboxResponse(401, {
      error: "invalid_client",
      error_description: "Client authentication failed",
    });
  const isValid =
    fields.grant_type === "refresh_token"
      ? state.refresh !== null && fields.refresh_token === state.refresh
      : fields.username === PARASUT_ACCOUNT.username && fields.password === PARASUT_ACCOUNT.password;
  if (!isValid)
    return sandboxResponse(400, { error: "invalid_grant", error_description: "The grant is invalid" });
  const tokenNumber = ++state.lastId;
  state.access = [...state.access, `access-${tokenNumber}`].slice(-2);
  state.refresh = `refresh-${tokenNumber}`;
  state.expiresAt = now + TOKEN_LIFETIME_SECONDS * 1000;
  return sandboxResponse(200, {
    ...{ access_token: `access-${tokenNumber}`, token_type: "Bearer", expires_in: TOKEN_LIFETIME_SECONDS },
    refresh_token: state.refresh,
  });
}

interface ResourceCall {
  call: SandboxCall;
  state: ParasutState;
  now: number;
  id: string;
}

/** Contacts: `Hata 422` is rejected, the first `Kayıp Yanıt` stored with a 502, `Yavaş` takes ten polls. */
const RESOURCES: Record<string, (request: ResourceCall) => SandboxResponse> = {
  "GET accounts/:id": ({ id }) =>
    id === PARASUT_ACCOUNT.bankAccount
      ? sandboxResponse(200, {
          data: { id, type: "accounts", attributes: { name: "Banka", currency: "TRL" } },
        })
      : NOT_FOUND,

  "GET contacts": ({ call, state }) => {
    const filters = ["tax_number", "email", "name"].flatMap((name) => {
      const value = call.query.get(`filter[${name}]`);
      return value === null ? [] : [[name, value] as const];
    });
    const rows = state.contacts.filter(({ attributes }) =>
      filters.every(([name, value]) => attributes[name] === value),
    );
    return paginatedResponse(
      call,
      rows.map((row) => ({ ...row, type: "contacts" })),
    );
  },

  "POST contacts": ({ call, state }) => {
    const { attributes } = parseJsonApiBody(call);
    const name = stringOrEmpty(attributes.name);
    if (!name || !stringOrEmpty(attributes.account_type))
      return jsonApiErrorResponse(422, "Geçersiz kayıt", "Ünvan ve hesap türü doldurulmalı");
    if (name.includes("Hata 422"))
      return jsonApiErrorResponse(422, "Geçersiz kayıt", "Vergi dairesi bulunamadı");
    const contact = { id: String(++state.lastId), attributes };
    state.contacts.push(contact);
    if (
      name.includes("Kayıp Yanıt") &&
      state.contacts.filter((each) => each.attributes.name === name).length === 1
    )
      return sandboxResponse(502, { errors: [{ title: "Bad Gateway", detail: "try again" }] });
    return sandboxResponse(201, { data: { ...contact, type: "contacts" } });
  },

  "PUT contacts/:id": ({ call, state, id }) => {
    const contact = state.contacts.find((each) => each.id === id);
    if (!contact) return NOT_FOUND;
    Object.assign(contact.attributes, parseJsonApiBody(call).attributes);
    return sandboxResponse(200, { data: { ...contact, type: "contacts" } });
  },

  "GET sales_invoices": ({ call, state }) => {
    const [contact, date] = ["contact_id", "issue_date"].map((name) => call.query.get(`filter[${name}]`));
    const rows = state.invoices.filter(
      ({ contactId, attributes }) =>
        (contact == null || contactId === contact) && (date == null || attributes.issue_date === date),
    );
    return paginatedResponse(
      call,
      rows.map((row) => serializeInvoice(row).data),
    );
  },

  "POST sales_invoices": ({ call, state }) => {
    const { attributes, relationships } = parseJsonApiBody(call);
    const contactId = stringOrEmpty(relationships.contact?.data?.id);
    const lines = (relationships.details?.data ?? []) as unknown as Array<{ attributes: Attributes }>;
    if (attributes.item_type !== "invoice")
      return jsonApiErrorResponse(422, "Geçersiz kayıt", "Fatura türü kabul edilen bir kelime değil");
    if (attributes.currency !== "TRL")
      return jsonApiErrorResponse(422, "Geçersiz kayıt", "Döviz kabul edilen bir kelime değil");
    if (!state.contacts.some(({ id }) => id === contactId) || lines.length === 0) return NOT_FOUND;
    const sums = lines.map(({ attributes: { quantity, unit_price, vat_rate } }) => {
      const net = roundMinor(Number(quantity) * Number(unit_price) * 100);
      return { net, vat: roundMinor((net * Number(vat_rate)) / 100) };
    });
    const [net, vat] = [
      sums.reduce((sum, each) => sum + each.net, 0),
      sums.reduce((sum, each) => sum + each.vat, 0),
    ];
    const total = formatAmount(net + vat);
    const totals = {
      gross_total: formatAmount(net),
      before_taxes_total: formatAmount(net),
      total_vat: formatAmount(vat),
    };
    const invoice: Invoice = {
      id: String(++state.lastId),
      contactId,
      attributes: { ...(attributes as Invoice["attributes"]), ...totals, net_total: total, remaining: total },
      payments: [],
    };
    state.invoices.push(invoice);
    return sandboxResponse(201, serializeInvoice(invoice));
  },

  "GET sales_invoices/:id": (request) =>
    withInvoice(request, (invoice) => sandboxResponse(200, serializeInvoice(invoice))),

  "DELETE sales_invoices/:id": (request) =>
    withInvoice(request, (invoice) => {
      if (invoice.document)
        return jsonApiErrorResponse(422, "Geçersiz işlem", "Resmileşmiş fatura silinemez");
      request.state.invoices.splice(request.state.invoices.indexOf(invoice), 1);
      return sandboxResponse(204, undefined);
    }),

  "DELETE sales_invoices/:id/cancel": (request) =>
    withInvoice(request, (invoice) => {
      invoice.cancelled = true;
      return sandboxResponse(200, serializeInvoice(invoice));
    }),

  "POST sales_invoices/:id/payments": (request) =>
    withInvoice(request, (invoice) => {
      const { attributes } = parseJsonApiBody(request.call);
      const remaining = Number(invoice.attributes.remaining) - Number(attributes.amount);
      if (String(attributes.account_id) !== PARASUT_ACCOUNT.bankAccount) return NOT_FOUND;
      if (remaining < 0)
        return jsonApiErrorResponse(422, "Geçersiz kayıt", "Tutar kalan tutardan büyük olamaz");
      const payment = { id: String(++request.state.lastId), attributes };
      invoice.payments.push(payment);
      invoice.attributes.remaining = remaining.toFixed(2);
      return sandboxResponse(201, { data: { ...payment, type: "payments" } });
    }),

  "GET e_invoice_inboxes": ({ call }) => {
    const vkn = call.query.get("filter[vkn]") ?? "";
    const buildInbox = (boxName: string) => ({
      id: `${vkn}${boxName}`,
      type: "e_invoice_inboxes",
      attributes: { vkn, e_invoice_address: `urn:mail:${boxName}@example.com`, inbox_type: "gib" },
    });
    return paginatedResponse(
      call,
      /^1\d{9}$/.test(vkn) ? [buildInbox("defaultpk"), buildInbox("merkezpk")] : [],
    );
  },

  "POST e_archives": (request) => createDocument(request, "e_archives", "sales_invoice"),
  "POST e_invoices": (request) => createDocument(request, "e_invoices", "invoice"),

  "GET trackable_jobs/:id": ({ state, id, now }) => {
    const job = state.jobs.find((candidate) => candidate.id === id);
    if (!job || now > job.startedAt + JOB_LIFETIME_MS) return NOT_FOUND;
    const status = advanceJob(state, job) ? "done" : "running";
    return sandboxResponse(200, { data: { id, type: "trackable_jobs", attributes: { status, errors: [] } } });
  },

  "GET e_archives/:id/pdf": (request) => getPdf(request),
  "GET e_invoices/:id/pdf": (request) => getPdf(request),
};

function withInvoice(request: ResourceCall, respond: (invoice: Invoice) => SandboxResponse): SandboxResponse {
  const invoice = request.state.invoices.find(({ id }) => id === request.id);
  if (!invoice) return NOT_FOUND;
  for (const job of request.state.jobs) if (job.invoiceId === invoice.id) advanceJob(request.state, job);
  return respond(invoice);
}

function createDocument(
  { call, state, now }: ResourceCall,
  type: Job["type"],
  relation: string,
): SandboxResponse {
  const invoiceId = stringOrEmpty(parseJsonApiBody(call).relationships[relation]?.data?.id);
  const invoice = state.invoices.find(({ id }) => id === invoiceId);
  if (!invoice) return NOT_FOUND;
  if (invoice.document || state.jobs.some((job) => job.invoiceId === invoiceId))
    return jsonApiErrorResponse(422, "Geçersiz işlem", "Bu fatura için zaten bir e-belge var");
  const contact = state.contacts.find(({ id }) => id === invoice.contactId);
  const slow = stringOrEmpty(contact?.attributes.name).includes("Yavaş");
  const job: Job = { id: `job${++state.lastId}`, invoiceId, type, polls: 0, slow, startedAt: now };
  state.jobs.push(job);
  return sandboxResponse(201, {
    data: { id: job.id, type: "trackable_jobs", attributes: { status: "running", errors: [] } },
  });
}

/** Advances a job, which takes two polls, or ten when slow. Returns whether it is done. */
function advanceJob(state: ParasutState, job: Job): boolean {
  if (++job.polls <= (job.slow ? 10 : 2)) return false;
  const invoice = state.invoices.find(({ id }) => id === job.invoiceId);
  if (invoice && !invoice.document) {
    const id = String(++state.lastId);
    const series = job.type === "e_archives" ? "TLA" : "TLF";
    const documentNumber = `${series}${stringOrEmpty(invoice.attributes.issue_date).slice(0, 4)}${id.padStart(9, "0")}`;
    const uuid = `00000000-0000-4000-8000-${id.padStart(12, "0")}`;
    const cancellable_until = new Date(job.startedAt + 7 * 24 * 60 * 60_000).toISOString();
    // Mirrors Paraşüt: only an e-archive has a number and a cancellation deadline of its own.
    const archiveAttributes =
      job.type === "e_archives" ? { invoice_number: documentNumber, cancellable_until } : {};
    invoice.attributes.invoice_no = documentNumber;
    invoice.document = { id, type: job.type, pdfRequests: 0, attributes: { uuid, ...archiveAttributes } };
  }
  return true;
}

function getPdf({ call, state, id }: ResourceCall): SandboxResponse {
  const document = state.invoices.find((invoice) => invoice.document?.id === id)?.document;
  if (!document) return NOT_FOUND;
  if (document.pdfRequests++ < 2) return sandboxResponse(204, undefined);
  return sandboxResponse(200, {
    data: { id, type: "e_document_pdfs", attributes: { url: `${call.baseUrl}/files/${id}.pdf` } },
  });
}

/** Rounds half up to whole kuruş. `toFixed` removes binary fractions first. */
const roundMinor = (value: number) => Math.floor(Number(value.toFixed(4)) + 0.5);
const formatAmount = (minor: number) => (minor / 100).toFixed(2);
