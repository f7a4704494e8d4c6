import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { prisma } from "@/server/infrastructure/database/client";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { makeSignedInUser, makeToken } from "@/server/testing/factories";
import { INVALID_IDS, ODD_VALUES, rowCounts, WRONG_TYPES } from "@/server/testing/hostile-values";
import type { CallOptions, TestResponse } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { harmlessBody, harmlessCall, samplePath } from "@/server/testing/requests";
import { relationsOfOperation } from "@/server/testing/rows";
import { testServer } from "@/server/testing/server";
import { type Inputs, samplesOf, withInputs } from "@/server/testing/suite";
import { handlers } from "./operations";
import { routeTable } from "./routes";

/* Generated from the operations: covers new ones automatically. */

const { call } = await testServer();

const all = handlers();
const guarded = all.filter(({ operation }) => operation.access === "token");
const withBody = all.filter(({ operation }) => operation.body);

const { token, ...user } = await makeSignedInUser();

const billed = all.find(({ operation }) => operation.id === "putBillingProfile")!.operation;
await call("PUT", billed.path, { token, body: harmlessBody(billed) });

async function perform(
  { access, method }: AnyOperation,
  path: string,
  options: CallOptions = {},
  verb: string = method,
): Promise<TestResponse> {
  const send = () => call(verb, path, { ...(access === "token" && { token }), ...options });
  const response = await send();
  if (response.status !== 429) return response;
  await resetLimits();
  return send();
}

/** An API token that only the credential tests send: an operation that accepts it could revoke it. */
const validToken = await makeToken(user.id);

const [session, link] = [newToken("dss"), newToken("dsv")];
const expiresAt = new Date(Date.now() + 3_600_000);
await prisma().accessToken.create({
  data: {
    userId: user.id,
    kind: "session",
    name: "panel",
    tokenHash: Uint8Array.from(digest(session)),
    lastFour: session.slice(-4),
    expiresAt,
  },
});
await prisma().emailVerification.create({
  data: {
    userId: user.id,
    emailKey: user.emailKey,
    tokenHash: Uint8Array.from(digest(link)),
    codeHash: new Uint8Array([1]),
    expiresAt,
  },
});

describe("credentials", () => {
  const bearer = (sent: string) => ({ headers: { authorization: `Bearer ${sent}` } });
  const authorization = (value: string) => ({ headers: { authorization: value } });
  const invalidCredentials: Inputs<{ headers?: Record<string, string>; query?: string; fields?: object }> = {
    missing: [{}],
    "a token of another kind": [
      session,
      link,
      ...(["dsu", "dss", "dsv", "dse", "dsk"] as const).map(newToken),
    ].map(bearer),
    "a wrong token": [
      `${validToken.slice(0, -1)}${validToken.endsWith("A") ? "B" : "A"}`,
      validToken.toUpperCase(),
      validToken.replace("dsu", "dss"),
      "null",
      "undefined",
      "%E0%A4%A",
      "\u00e9\u00ff",
      "a".repeat(8000),
      "dsu_",
      "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    ].map(bearer),
    "another format": [
      validToken,
      "",
      "Bearer",
      "Bearer ",
      `Bearer\t${validToken}`,
      `Bearer${validToken}`,
      `Bearers ${validToken}`,
      `Bearer ${validToken} x`,
      `Bearer ${validToken},`,
      `Bearer "${validToken}"`,
      `Bearer ${validToken}, Bearer ${validToken}`,
      `Token ${validToken}`,
      `Basic ${Buffer.from(`${validToken}:`).toString("base64")}`,
    ].map(authorization),
    "another place": [
      { query: `?token=${validToken}&access_token=${validToken}&api_token=${validToken}` },
      { fields: { token: validToken, access_token: validToken } },
      { headers: { "x-api-key": validToken } },
      { headers: { cookie: `session=${validToken}; __Host-session=${validToken}; token=${validToken}` } },
      { headers: { authorization: "Basic x", "x-authorization": `Bearer ${validToken}` } },
    ],
  };

  it.each(withInputs(guarded, invalidCredentials))(
    "$operation.id accepts only an API token, and only as bearer",
    async ({ operation, inputs }) => {
      const body = harmlessBody(operation);
      for (const { headers, query = "", fields } of inputs) {
        const response = await call(operation.method, samplePath(operation) + query, {
          headers,
          body: fields ? { ...body, ...fields } : body,
        });
        expect(response, JSON.stringify({ headers, query, fields }).slice(0, 200)).toMatchObject({
          status: 401,
          text: '{"message":"Unauthenticated."}',
          headers: { "www-authenticate": "Bearer" },
        });
      }
    },
  );
});

describe("bodies", () => {
  interface RequestBody {
    raw: string | Uint8Array;
    headers?: Record<string, string | string[]>;
  }
  interface InvalidBody extends RequestBody {
    status: number;
  }
  const post = (operation: AnyOperation, { raw, headers }: RequestBody) =>
    perform(operation, samplePath(operation), { raw, headers });
  const raws = (status: number, values: Array<string | Uint8Array>) =>
    values.map((raw): InvalidBody => ({ status, raw }));
  const withHeader = (status: number, raw: string, name: string, values: string[]) =>
    values.map((value): InvalidBody => ({ status, raw, headers: { [name]: value } }));

  const deep = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));
  const over = `{"a":"${"a".repeat(1024 * 1024 - 7)}"}`;

  const invalidBodies: Inputs<InvalidBody> = {
    syntax: raws(400, [
      "{",
      "{]",
      "undefined",
      "{'a':1}",
      '{"a":1,}',
      '{"a":NaN}',
      '{"a":01}',
      '{"a":"\n"}',
      '{"a":"\\x"}',
      '{"a":1}{}',
      "\u0000",
      '"',
      '{"a"',
    ]),
    "a duplicate name": raws(400, [
      '{"a":1,"a":2}',
      `{"a"${" ".repeat(100)}:1,"a"${"\n".repeat(100)}:2}`,
      '{"a":1,"\\u0061":2}',
      '{"x":{"b":1,"b":2}}',
    ]),
    depth: raws(400, [
      deep(33),
      deep(100_000),
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      "[".repeat(500_000),
    ]),
    width: raws(400, [keys(1001)]),
    "character encoding": raws(400, [
      Buffer.from('{"a":"é"}', "latin1"),
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from('{"a":1}', "utf16le"),
    ]),
    "another type": withHeader(415, "{}", "content-type", [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/xml",
      "application/octet-stream",
      "application/jsonp",
      "text/json",
      "application/json-seq",
      "json",
    ]),
    "content encoding": withHeader(415, "{}", "content-encoding", [
      "gzip",
      "br",
      "deflate",
      "gzip, identity",
      "x",
    ]),
    size: [
      { status: 413, raw: over },
      { status: 413, raw: over, headers: { "transfer-encoding": "chunked", "content-length": [] } },
    ],
    "not an object": raws(422, ["[1]", "null", "1", '"a"', "true", "[{}]", "[[]]"]),
    "a JSON type": withHeader(422, "[1]", "content-type", [
      "application/vnd.api+json",
      "application/json",
      "Application/JSON; charset=UTF-8",
      "",
    ]),
  };

  it.each(withInputs(withBody, invalidBodies))(
    "$operation.id rejects everything but a JSON object of at most 1 MB",
    async ({ operation, inputs }) => {
      expect(Buffer.byteLength(over)).toBe(1024 * 1024 + 1);
      const before = await rowCounts();
      for (const { status, ...sent } of inputs) {
        const label = `${Buffer.from(sent.raw).subarray(0, 60)} ${JSON.stringify(sent.headers ?? {})}`;
        const startedAt = performance.now();
        const response = await post(operation, sent);
        expect(response.status, label).toBe(status);
        expect(performance.now() - startedAt, label).toBeLessThan(30_000);
        if (status === 400) expect(response.json.success, label).toBe(false);
        if (status === 413) expect(response.headers.connection, label).toBe("close");
        if (status === 422) expect(Object.keys(response.json.errors), label).toEqual(["body"]);
      }
      expect(await rowCounts()).toEqual(before);
    },
  );

  it.each(samplesOf(withBody))("$operation.id reads a body of exactly 1 MB", async ({ operation }) => {
    const { status } = await post(operation, { raw: over.replace("aa", "a") });
    expect(status).not.toBe(413);
    expect(status).toBeLessThan(500);
  });

  it.each(samplesOf(withBody))(
    "$operation.id accepts an empty list as an empty object, as PHP encodes it",
    async ({ operation }) => {
      const list = await post(operation, { raw: "[]" });
      const object = await post(operation, { raw: "{}" });
      expect(list.status).toBe(object.status);
      expect(Object.keys(list.json)).toEqual(Object.keys(object.json));
    },
  );

  const oddNames: Inputs<string> = {
    prototype: [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"__proto__":null,"toString":1,"hasOwnProperty":1,"valueOf":{}}',
      '{"consents":{"__proto__":{"terms":true},"constructor":{"prototype":{"polluted":1}}}}',
      '{"a":{"__proto__":{"__proto__":{"polluted":1}}}}',
    ],
    width: [keys(1000)],
    depth: [deep(31)],
  };

  it.each(withInputs(withBody, oddNames))(
    "$operation.id handles names that are special in JavaScript",
    async ({ operation, inputs }) => {
      for (const raw of inputs) {
        const { status } = await post(operation, { raw });
        expect([200, 400, 401, 403, 404, 422], raw.slice(0, 60)).toContain(status);
      }
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    },
  );
});

/** Tables that any call may insert into. */
const SIDE_EFFECT_TABLES = [
  "audit_events",
  "passkey_challenges",
  "cleanup_runs",
  "cleanup_items",
  "sandbox_failures",
];

const LISTS = [
  "allowed_modules",
  "absorbableLicenses",
  "consents",
  "menu_labels",
  "features",
  "expected",
  "site_ids",
  "ids",
  "events",
  "allowed_domains",
];

function without({ ...counts }: Record<string, number>, name: string): Record<string, number> {
  delete counts[name];
  return counts;
}

describe("fields", () => {
  const attempt = (operation: AnyOperation, field: string, value: unknown) =>
    perform(operation, samplePath(operation), { body: { ...harmlessBody(operation), [field]: value } });

  /**
   * Keeps one of the values that the schema rejects alike, and all empty or padded ones: transports change
   * them.
   */
  function oneOfEach({ body }: AnyOperation, field: string, values: unknown[]): unknown[] {
    const schema = body!.shape[field]!;
    const refusals = new Set<string>();
    return values.filter((value) => {
      if (typeof value === "string" && (value === "" || value !== value.trim())) return true;
      const { error } = schema.safeParse(value);
      if (!error) return true;
      const issues = JSON.stringify(error.issues);
      return !refusals.has(issues) && refusals.add(issues);
    });
  }

  it.each(withInputs(withBody, WRONG_TYPES))(
    "$operation.id rejects operators, lists and other types in each field",
    async ({ operation, inputs }) => {
      const before = await rowCounts();
      for (const field of Object.keys(operation.body!.shape))
        for (const value of oneOfEach(operation, field, inputs)) {
          const isList = Array.isArray(value);
          if (field === "menu_labels" && !isList) continue;
          if (isList && value.length === 0 && LISTS.includes(field)) continue;
          const { status, json } = await attempt(operation, field, value);
          const label = `${field}: ${JSON.stringify(value)}`;
          // Unknown names in these objects are ignored, so the call fails later or succeeds.
          if (!isList && (field.startsWith("expected") || field === "settings"))
            expect([200, 403, 404, 422], label).toContain(status);
          else if (!isList && field === "consents") expect([400, 401, 422], label).toContain(status);
          else {
            expect(status, label).toBe(422);
            expect(Object.keys(json.errors)[0]?.split(".")[0], label).toBe(field);
          }
        }
      expect(await rowCounts()).toEqual(before);
    },
  );

  it.each(withInputs(withBody, ODD_VALUES))(
    "$operation.id accepts or rejects odd values in each field",
    async ({ operation, inputs }) => {
      const before = await rowCounts();
      let created = 0;
      for (const field of Object.keys(operation.body!.shape)) {
        for (const value of oneOfEach(operation, field, inputs)) {
          const { status } = await attempt(operation, field, value);
          if (status === 201) created++;
          const isRefused = status >= 400 && status < 500;
          expect(
            isRefused || status === operation.status,
            `${field}: ${JSON.stringify(value).slice(0, 40)} ${status}`,
          ).toBe(true);
        }
        const infinite = JSON.stringify({ ...harmlessBody(operation), [field]: "@" }).replace('"@"', "1e309");
        const { status } = await perform(operation, samplePath(operation), { raw: infinite });
        expect(status, `${field}: 1e309`).toBe(422);
      }
      const changedTables = created
        ? [
            ...SIDE_EFFECT_TABLES,
            "mail_messages",
            ...relationsOfOperation(operation.id).map(({ table }) => table),
          ]
        : SIDE_EFFECT_TABLES;
      expect(await rowCounts(changedTables)).toEqual(changedTables.reduce(without, before));
    },
  );
});

describe("paths and methods", () => {
  const withId = all.filter(({ operation }) => operation.path.includes("{id}"));

  it.each(withInputs(withId, INVALID_IDS))(
    "$operation.id finds no record for a non-numeric id",
    async ({ operation, inputs }) => {
      for (const form of inputs) {
        const path = operation.path.replace("{id}", form);
        const { status, json } = await perform(operation, path, harmlessCall(operation));
        expect(status, form.slice(0, 40)).toBe(404);
        expect(json.message).toContain(`App\\Models\\${operation.record}] `);
      }
    },
  );

  it("finds no language for an invalid code", async () => {
    for (const form of [
      ...Object.values(INVALID_IDS).flat(),
      "TR",
      "tr-TR",
      "..%2f..%2fpackage",
      "meta",
      "__proto__",
      "constructor",
    ]) {
      const { status } = await call("GET", `/api/i18n/${form}.json`);
      expect(status, form.slice(0, 40)).toBe(404);
    }
  });

  const oneOfEachPath = [...new Map(all.map((each) => [each.operation.path, each])).values()];
  const methods: Inputs<string> = {
    known: ["PATCH", "GET", "POST", "PUT", "DELETE"],
    unknown: ["PROPFIND", "TRACE", "LINK"],
  };
  const paths = withInputs(oneOfEachPath, methods).map((each) => ({ ...each, path: each.operation.path }));

  it.each(paths)(
    "$path answers other methods with 405 and Allow, HEAD like GET, and OPTIONS with its methods",
    async ({ operation, inputs }) => {
      const address = samplePath(operation);
      const methods = [...routeTable().match(address)!.route.methods.keys()];
      for (const method of inputs) {
        if (methods.includes(method)) continue;
        const { status, headers, json } = await call(method, address, {
          headers: { "x-http-method-override": methods[0]! },
        });
        expect(status, method).toBe(405);
        for (const allowed of methods) expect(headers.allow).toContain(allowed);
        const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
        expect(json.message).toBe(
          `The ${method} method is not supported for route ${address.slice(1)}. Supported methods: ${allow}.`,
        );
      }
      const options = await call("OPTIONS", address);
      expect(options.headers.allow).toContain("OPTIONS");
      expect(options.headers["access-control-allow-methods"]).toBe(options.headers.allow);
      const head = await perform(operation, address, {}, "HEAD");
      expect(head.text).toBe("");
      expect(head.status).toBe(
        methods.includes("GET") ? (await perform(operation, address, {}, "GET")).status : 405,
      );
    },
  );

  it("answers unknown routes with the documented 404", async () => {
    const { json, status } = await call("GET", "/api/x");
    expect(status).toBe(404);
    expect(json).toEqual({ message: "The route api/x could not be found." });
    const paths = [
      "/api",
      "/api/",
      "/api//health",
      "/api/Health",
      "/api/health;x",
      "/api/health.css",
      "/api/auth/user/x.css",
      "/api/auth/session",
      "/api/auth/signin",
      "/api/auth/csrf",
      "/api/auth/callback/credentials",
      "/api/%68ealth",
      "/api/../api/health",
      "/api/./health",
      "/api/health%00",
      "/api/health%2f",
      `/api/${"a".repeat(9000)}`,
      "/api/{rest}",
      "/api/sites/1/2",
      "/api/i18n/tr",
      "/api/i18n/.json",
    ];
    for (const path of paths)
      for (const method of ["GET", "POST", "DELETE"])
        expect((await call(method, path)).status, path).toBe(404);
  });
});
