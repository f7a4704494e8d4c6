/* Folder "First calls" of the Postman collection. Each item copies a request and changes its values. */

export interface Item {
  name: string;
  request: {
    name: string;
    auth?: object;
    header: Array<{ key: string; value: string; disabled?: boolean }>;
    body?: { raw?: string };
    url: { variable?: Array<{ value: string }> };
  };
  response: Array<{ body: string }>;
  event: Array<{ listen: string; script: { type: string; exec: string[] } }>;
}

interface RequestChange {
  name: string;
  body?: object;
  sends?: string[];
  /** Value of the path's variables. */
  id?: string;
  /** Lines of the scripts that run before the request and after the response. */
  before?: string[];
  after?: string[];
}

function copyRequest(operation: string, { name, body, sends = [], id, before, after }: RequestChange) {
  return (items: Map<string, Item>): Item => {
    const item = structuredClone(items.get(operation)!);
    const { header, url } = item.request;
    for (const headerField of header) if (sends.includes(headerField.key)) headerField.disabled = false;
    if (body) item.request.body = { ...item.request.body, raw: JSON.stringify(body, null, 2) };
    for (const variable of url.variable ?? []) if (id) variable.value = id;
    for (const [listen, exec] of Object.entries({ prerequest: before, test: after }))
      if (exec) item.event.push({ listen, script: { type: "text/javascript", exec } });
    return { ...item, name, response: [] };
  };
}

const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

export const FIRST_CALLS = [
  copyRequest("register", {
    name: "1. Register an account",
    before: ['pm.variables.set("newEmail", "integrator." + Date.now() + "@example.com");'],
    body: {
      name: "Ayşe Kaya",
      phone: "+905321234567",
      email: "{{newEmail}}",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: CONSENTS,
    },
  }),
  copyRequest("login", {
    name: "2. Sign in",
    body: { email: "{{email}}", password: "{{password}}" },
  }),
  copyRequest("getAuthUser", { name: "3. Read the account" }),
  copyRequest("createSite", {
    name: "4. Create a site",
    before: ['pm.variables.set("newDomain", "shop-" + Date.now() + ".example.com");'],
    sends: ["Idempotency-Key"],
    body: { name: "Kaya Kahve", domain: "{{newDomain}}" },
    after: [
      "const { site } = pm.response.json();",
      'if (site) pm.collectionVariables.set("siteId", String(site.id));',
    ],
  }),
  copyRequest("getSite", { name: "5. Read the site", id: "{{siteId}}" }),
  copyRequest("listSites", { name: "6. List the sites" }),
  copyRequest("listMedia", { name: "7. List the files" }),
];
