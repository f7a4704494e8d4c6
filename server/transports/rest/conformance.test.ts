import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { makeSignedInUser, makeToken } from "@/server/testing/factories";
import { countRows, INVALID_IDS, ODD_VALUES, WRONG_TYPES } from "@/server/testing/hostile-values";
import type { CallOptions, TestResponse } from "@/server/testing/http";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildSamplePath, getHarmlessBody, getHarmlessCall } from "@/server/testing/requests";
import { listRelationsOfOperation } from "@/server/testing/rows";
import { startTestServer } from "@/server/testing/server";
import { addInputs, type Inputs, selectSamples } from "@/server/testing/suite";
import { getHandlers } from "./operations";
import { getRouteTable } from "./routes";

const { call } = await startTestServer();

const allHandlers = getHandlers();
const authenticatedHandlers = allHandlers.filter(({ operation }) => operation.access === "token");
const handlersWithBody = allHandlers.filter(({ operation }) => operation.body);

const { token, ...user } = await makeSignedInUser();

const billingOperation = allHandlers.find(({ operation }) => operation.id === "putBillingProfile")!.operation;
await call("PUT", billingOperation.path, { token, body: getHarmlessBody(billingOperation) });

async function callOperation(
  { access, method }: AnyOperation,
  path: string,
  options: CallOptions = {},
  verb: string = method,
): Promise<TestResponse> {
  const send = () => call(verb, path, { ...(access === "token" && { token }), ...options });
  const response = await send();
  if (response.status !== 429) return response;
  await resetRateLimits();
  return send();
}

/** Separate token for the credential tests: an operation that accepts it by mistake may revoke it. */
const validToken = await makeToken(user.id);

const [sessionToken, linkToken] = [createToken("dss"), createToken("dsv")];
const expiresAt = new Date(Date.now() + 3_600_000);
await prisma().accessToken.create({
  data: {
    userId: user.id,
    kind: "session",
    name: "panel",
    tokenHash: Uint8Array.from(hashSecret(sessionToken)),
    lastFour: sessionToken.slice(-4),
    expiresAt,
  },
});
await prisma().emailVerification.create({
  data: {
    userId: user.id,
    emailKey: user.emailKey,
    tokenHash: Uint8Array.from(hashSecret(linkToken)),
    codeHash: new Uint8Array([1]),
    expiresAt,
  },
});

describe("credentials", () => {
  const withBearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const withAuthorization = (value: string) => ({ headers: { authorization: value } });
  const invalidCredentials: Inputs<{ headers?: Record<string, string>; query?: string; fields?: object }> = {
    missing: [{}],
    "a token of another kind": [
      sessionToken,
      linkToken,
      ...(["dsu", "dss", "dsv", "dse", "dsk"] as const).map(createToken),
    ].map(withBearer),
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
    ].map(withBearer),
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
    ].map(withAuthorization),
    "another place": [
      { query: `?token=${validToken}&access_token=${validToken}&api_token=${validToken}` },
      { fields: { token: validToken, access_token: validToken } },
      { headers: { "x-api-key": validToken } },
      { headers: { cookie: `session=${validToken}; __Host-session=${validToken}; token=${validToken}` } },
      { headers: { authorization: "Basic x", "x-authorization": `Bearer ${validToken}` } },
    ],
  };

  it.each(addInputs(authenticatedHandlers, invalidCredentials))(
    "$operation.id accepts only an API token, and only as bearer",
    async ({ operation, inputs }) => {
      const body = getHarmlessBody(operation);
      for (const { headers, query = "", fields } of inputs) {
        const response = await call(operation.method, buildSamplePath(operation) + query, {
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
  const postBody = (operation: AnyOperation, { raw, headers }: RequestBody) =>
    callOperation(operation, buildSamplePath(operation), { raw, headers });
  const bodiesWithStatus = (status: number, values: Array<string | Uint8Array>) =>
    values.map((raw): InvalidBody => ({ status, raw }));
  const bodiesWithHeader = (status: number, raw: string, name: string, values: string[]) =>
    values.map((value): InvalidBody => ({ status, raw, headers: { [name]: value } }));

  const buildNestedArrays = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const buildObjectWithKeys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));
  const oversizedBody = `{"a":"${"a".repeat(1024 * 1024 - 7)}"}`;

  const invalidBodies: Inputs<InvalidBody> = {
    syntax: bodiesWithStatus(400, [
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
    "a duplicate name": bodiesWithStatus(400, [
      '{"a":1,"a":2}',
      `{"a"${" ".repeat(100)}:1,"a"${"\n".repeat(100)}:2}`,
      '{"a":1,"\\u0061":2}',
      '{"x":{"b":1,"b":2}}',
    ]),
    depth: bodiesWithStatus(400, [
      buildNestedArrays(33),
      buildNestedArrays(100_000),
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      "[".repeat(500_000),
    ]),
    width: bodiesWithStatus(400, [buildObjectWithKeys(1001)]),
    "character encoding": bodiesWithStatus(400, [
      Buffer.from('{"a":"é"}', "latin1"),
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from('{"a":1}', "utf16le"),
    ]),
    "another type": bodiesWithHeader(415, "{}", "content-type", [
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
    "content encoding": bodiesWithHeader(415, "{}", "content-encoding", [
      "gzip",
      "br",
      "deflate",
      "gzip, identity",
      "x",
    ]),
    size: [
      { status: 413, raw: oversizedBody },
      { status: 413, raw: oversizedBody, headers: { "transfer-encoding": "chunked", "content-length": [] } },
    ],
    "not an object": bodiesWithStatus(422, ["[1]", "null", "1", '"a"', "true", "[{}]", "[[]]"]),
    "a JSON type": bodiesWithHeader(422, "[1]", "content-type", [
      "application/vnd.api+json",
      "application/json",
      "Application/JSON; charset=UTF-8",
      "",
    ]),
  };

  it.each(addInputs(handlersWithBody, invalidBodies))(
    "$operation.id rejects everything but a JSON object of at most 1 MB",
    async ({ operation, inputs }) => {
      expect(Buffer.byteLength(oversizedBody)).toBe(1024 * 1024 + 1);
      const countsBefore = await countRows();
      for (const { status, ...requestBody } of inputs) {
        const label = `${Buffer.from(requestBody.raw).subarray(0, 60)} ${JSON.stringify(requestBody.headers ?? {})}`;
        const startedAt = performance.now();
        const response = await postBody(operation, requestBody);
        expect(response.status, label).toBe(status);
        expect(performance.now() - startedAt, label).toBeLessThan(30_000);
        if (status === 400) expect(response.json.success, label).toBe(false);
        if (status === 413) expect(response.headers.connection, label).toBe("close");
        if (status === 422) expect(Object.keys(response.json.errors), label).toEqual(["body"]);
      }
      expect(await countRows()).toEqual(countsBefore);
    },
  );

  it.each(selectSamples(handlersWithBody))(
    "$operation.id reads a body of exactly 1 MB",
    async ({ operation }) => {
      const { status } = await postBody(operation, { raw: oversizedBody.replace("aa", "a") });
      expect(status).not.toBe(413);
      expect(status).toBeLessThan(500);
    },
  );

  it.each(selectSamples(handlersWithBody))(
    "$operation.id accepts an empty list as an empty object, as PHP encodes it",
    async ({ operation }) => {
      const listResponse = await postBody(operation, { raw: "[]" });
      const objectResponse = await postBody(operation, { raw: "{}" });
      expect(listResponse.status).toBe(objectResponse.status);
      expect(Object.keys(listResponse.json)).toEqual(Object.keys(objectResponse.json));
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
    width: [buildObjectWithKeys(1000)],
    depth: [buildNestedArrays(31)],
  };

  it.each(addInputs(handlersWithBody, oddNames))(
    "$operation.id handles names that are special in JavaScript",
    async ({ operation, inputs }) => {
      for (const raw of inputs) {
        const { status } = await postBody(operation, { raw });
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

/** Lists, and objects, which PHP sends as `[]` when empty. Add new fields of these types. */
const FIELDS_ACCEPTING_EMPTY_LIST = [
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
  "replaces_order_ids",
];

function omitTable({ ...counts }: Record<string, number>, name: string): Record<string, number> {
  delete counts[name];
  return counts;
}

describe("fields", () => {
  const sendField = (operation: AnyOperation, field: string, value: unknown) =>
    callOperation(operation, buildSamplePath(operation), {
      body: { ...getHarmlessBody(operation), [field]: value },
    });

  /** Keeps one value per schema error, and all empty or padded texts, which transports normalise. */
  function pickDistinct({ body }: AnyOperation, field: string, values: unknown[]): unknown[] {
    const schema = body!.shape[field]!;
    const seenIssues = new Set<string>();
    return values.filter((value) => {
      if (typeof value === "string" && (value === "" || value !== value.trim())) return true;
      const { error } = schema.safeParse(value);
      if (!error) return true;
      const issues = JSON.stringify(error.issues);
      return !seenIssues.has(issues) && seenIssues.add(issues);
    });
  }

  it.each(addInputs(handlersWithBody, WRONG_TYPES))(
    "$operation.id rejects operators, lists and other types in each field",
    async ({ operation, inputs }) => {
      const countsBefore = await countRows();
      for (const field of Object.keys(operation.body!.shape))
        for (const value of pickDistinct(operation, field, inputs)) {
          const isList = Array.isArray(value);
          if (field === "menu_labels" && !isList) continue;
          if (isList && value.length === 0 && FIELDS_ACCEPTING_EMPTY_LIST.includes(field)) continue;
          const { status, json } = await sendField(operation, field, value);
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
      expect(await countRows()).toEqual(countsBefore);
    },
  );

  it.each(addInputs(handlersWithBody, ODD_VALUES))(
    "$operation.id answers odd values in each field with success or a 4xx",
    async ({ operation, inputs }) => {
      const countsBefore = await countRows();
      let createdCount = 0;
      for (const field of Object.keys(operation.body!.shape)) {
        for (const value of pickDistinct(operation, field, inputs)) {
          const { status } = await sendField(operation, field, value);
          if (status === 201) createdCount++;
          const isRefused = status >= 400 && status < 500;
          expect(
            isRefused || status === operation.status,
            `${field}: ${JSON.stringify(value).slice(0, 40)} ${status}`,
          ).toBe(true);
        }
        const infiniteBody = JSON.stringify({ ...getHarmlessBody(operation), [field]: "@" }).replace(
          '"@"',
          "1e309",
        );
        const { status } = await callOperation(operation, buildSamplePath(operation), { raw: infiniteBody });
        expect(status, `${field}: 1e309`).toBe(422);
      }
      const changedTables = createdCount
        ? [
            ...SIDE_EFFECT_TABLES,
            "mail_messages",
            ...listRelationsOfOperation(operation.id).map(({ table }) => table),
          ]
        : SIDE_EFFECT_TABLES;
      expect(await countRows(changedTables)).toEqual(changedTables.reduce(omitTable, countsBefore));
    },
  );
});

describe("paths and methods", () => {
  const handlersWithId = allHandlers.filter(({ operation }) => operation.path.includes("{id}"));

  it.each(addInputs(handlersWithId, INVALID_IDS))(
    "$operation.id finds no record for a non-numeric id",
    async ({ operation, inputs }) => {
      for (const invalidId of inputs) {
        const path = operation.path.replace("{id}", invalidId);
        const { status, json } = await callOperation(operation, path, getHarmlessCall(operation));
        expect(status, invalidId.slice(0, 40)).toBe(404);
        expect(json.message).toContain(`App\\Models\\${operation.record}] `);
      }
    },
  );

  it("finds no language for an invalid code", async () => {
    for (const invalidId of [
      ...Object.values(INVALID_IDS).flat(),
      "TR",
      "tr-TR",
      "..%2f..%2fpackage",
      "meta",
      "__proto__",
      "constructor",
    ]) {
      const { status } = await call("GET", `/api/i18n/${invalidId}.json`);
      expect(status, invalidId.slice(0, 40)).toBe(404);
    }
  });

  const handlersWithDistinctPath = [
    ...new Map(allHandlers.map((each) => [each.operation.path, each])).values(),
  ];
  const methodInputs: Inputs<string> = {
    known: ["PATCH", "GET", "POST", "PUT", "DELETE"],
    unknown: ["PROPFIND", "TRACE", "LINK"],
  };
  const pathCases = addInputs(handlersWithDistinctPath, methodInputs).map((each) => ({
    ...each,
    path: each.operation.path,
  }));

  it.each(pathCases)(
    "$path answers other methods with 405 and Allow, HEAD like GET, and OPTIONS with its methods",
    async ({ operation, inputs }) => {
      const path = buildSamplePath(operation);
      const allowedMethods = [...getRouteTable().match(path)!.route.methods.keys()];
      for (const method of inputs) {
        if (allowedMethods.includes(method)) continue;
        const { status, headers, json } = await call(method, path, {
          headers: { "x-http-method-override": allowedMethods[0]! },
        });
        expect(status, method).toBe(405);
        for (const allowed of allowedMethods) expect(headers.allow).toContain(allowed);
        const allow = [...allowedMethods, ...(allowedMethods.includes("GET") ? ["HEAD"] : [])].join(", ");
        expect(json.message).toBe(
          `The ${method} method is not supported for route ${path.slice(1)}. Supported methods: ${allow}.`,
        );
      }
      const optionsResponse = await call("OPTIONS", path);
      expect(optionsResponse.headers.allow).toContain("OPTIONS");
      expect(optionsResponse.headers["access-control-allow-methods"]).toBe(optionsResponse.headers.allow);
      const headResponse = await callOperation(operation, path, {}, "HEAD");
      expect(headResponse.text).toBe("");
      expect(headResponse.status).toBe(
        allowedMethods.includes("GET") ? (await callOperation(operation, path, {}, "GET")).status : 405,
      );
    },
  );

  it("answers unknown routes with the documented 404", async () => {
    const { json, status } = await call("GET", "/api/x");
    expect(status).toBe(404);
    expect(json).toEqual({ message: "The route api/x could not be found." });
    const unknownPaths = [
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
    for (const path of unknownPaths)
      for (const method of ["GET", "POST", "DELETE"])
        expect((await call(method, path)).status, path).toBe(404);
  });
});
