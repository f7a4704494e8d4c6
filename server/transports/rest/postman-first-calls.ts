import type { Json } from "./json-schema";

/*
 * The folder "First calls" of the Postman collection: the main job from an account to its first site, in the order in which
 * an integrator makes it. Each is an operation of the collection with values of its own.
 */

interface Change {
  name: string;
  body?: Json;
  headers?: Record<string, string>;
  id?: string;
  before?: string[];
  after?: string[];
}

function call(operation: string, { name, body, headers = {}, id, before, after }: Change) {
  return (items: Map<string, Json>): Json => {
    const { response: _, ...item } = structuredClone(items.get(operation)!) as Json & { request: Request };
    const { request } = item;
    for (const header of request.header) {
      const value = headers[header.key];
      if (value) Object.assign(header, { value, disabled: false });
    }
    if (body) request.body = { ...request.body, raw: JSON.stringify(body, null, 2) };
    for (const variable of request.url.variable ?? []) if (id) variable.value = id;
    const stored = (item.event as Event[] | undefined)?.flatMap(({ script }) => script.exec) ?? [];
    const scripts = { prerequest: before ?? [], test: [...stored, ...(after ?? [])] };
    return {
      ...item,
      id: (item.id as string).replace(/^.{8}/, "f1257ca1"),
      name,
      event: Object.entries(scripts).flatMap(([listen, exec]) =>
        exec.length > 0 ? [{ listen, script: { type: "text/javascript", exec } }] : [],
      ),
    };
  };
}

interface Event {
  script: { exec: string[] };
}

interface Request {
  header: Array<{ key: string; value: string; disabled?: boolean }>;
  body?: Json;
  url: { variable?: Array<{ value: string }> };
}

const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

export const FIRST_CALLS = [
  call("register", {
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
  call("login", {
    name: "2. Sign in",
    body: { email: "{{email}}", password: "{{password}}" },
  }),
  call("getAuthUser", { name: "3. Read the account" }),
  call("createSite", {
    name: "4. Create a site",
    before: ['pm.variables.set("newDomain", "shop-" + Date.now() + ".example.com");'],
    headers: { "Idempotency-Key": "{{$guid}}" },
    body: { name: "Kaya Kahve", domain: "{{newDomain}}" },
    after: [
      "const { site } = pm.response.json();",
      'if (site) pm.collectionVariables.set("siteId", String(site.id));',
    ],
  }),
  call("getSite", { name: "5. Read the site", id: "{{siteId}}" }),
  call("listSites", { name: "6. List the sites" }),
  call("listMedia", { name: "7. List the files" }),
];
