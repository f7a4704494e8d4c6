/* Builds the folder "Quickstart" of the Postman collection: copies of its requests with other values. */

export interface PostmanItem {
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
  enabledHeaders?: string[];
  /** Value of the path's variables. */
  pathValue?: string;
  /** Lines of the scripts that run before the request and after the response. */
  before?: string[];
  after?: string[];
}

function createRequestCopier(
  operation: string,
  { name, body, enabledHeaders = [], pathValue, before, after }: RequestChange,
) {
  return (items: Map<string, PostmanItem>): PostmanItem => {
    const item = structuredClone(items.get(operation)!);
    const { header, url } = item.request;
    for (const headerField of header)
      if (enabledHeaders.includes(headerField.key)) headerField.disabled = false;
    if (body) item.request.body = { ...item.request.body, raw: JSON.stringify(body, null, 2) };
    for (const variable of url.variable ?? []) if (pathValue) variable.value = pathValue;
    for (const [listen, exec] of Object.entries({ prerequest: before, test: after }))
      if (exec) item.event.push({ listen, script: { type: "text/javascript", exec } });
    return { ...item, name, response: [] };
  };
}

const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

export const FIRST_CALLS = [
  createRequestCopier("register", {
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
  createRequestCopier("login", {
    name: "2. Sign in",
    body: { email: "{{email}}", password: "{{password}}" },
  }),
  createRequestCopier("getAuthUser", { name: "3. Read the account" }),
  createRequestCopier("createSite", {
    name: "4. Create a site",
    before: ['pm.variables.set("newDomain", "shop-" + Date.now() + ".example.com");'],
    enabledHeaders: ["Idempotency-Key"],
    body: { name: "Kaya Kahve", domain: "{{newDomain}}" },
    after: [
      "const { site } = pm.response.json();",
      'if (site) pm.collectionVariables.set("siteId", String(site.id));',
    ],
  }),
  createRequestCopier("getSite", { name: "5. Read the site", pathValue: "{{siteId}}" }),
  createRequestCopier("listSites", { name: "6. List the sites" }),
  createRequestCopier("listMedia", { name: "7. List the files" }),
];
