import { beforeEach, describe, expect, it } from "vitest";
import type { Handler } from "@/server/core/contract";
import { errorSpec } from "@/server/core/errors";
import { newToken } from "@/server/infrastructure/secrets/tokens";
import { handlers } from "@/server/operations";
import { makeToken, makeUser } from "@/server/testing/factories";
import { ID_FORMS, ODD_VALUES, rowCounts, WRONG_TYPES } from "@/server/testing/hostile";
import type { CallOptions } from "@/server/testing/http";
import { resetLimits } from "@/server/testing/limits";
import { addressOf, harmlessBody, harmlessCall } from "@/server/testing/requests";
import { relationsBehind } from "@/server/testing/rows";
import { testServer } from "@/server/testing/server";
import { table } from "./match";
import { errorsOf } from "./openapi";

/* Generated from the table of operations: a new operation is tested as soon as it is in the table. */

const { call } = await testServer();

const all = handlers().map((handler) => [handler.operation.id, handler] as const);
const guarded = all.filter(([, { operation }]) => operation.access === "token");
const withBody = all.filter(([, { operation }]) => operation.body);

/** An account without slots or factors, made before anything is counted. */
const account = await makeToken((await makeUser()).id);

const billed = handlers().find(({ operation }) => operation.id === "putBillingProfile")!.operation;
await call("PUT", billed.path, { token: account, body: harmlessBody(billed) });

/** Credentials for an operation; a new account starts with fresh limits. */
async function credentials({ operation }: Handler): Promise<{ token?: string }> {
  if (operation.access === "public") return {};
  await resetLimits();
  return { token: account };
}

const UNAUTHENTICATED = '{"message":"Unauthenticated."}';

describe("credentials", () => {
  const bodyOf = ({ operation }: Handler) => ({ body: harmlessBody(operation) });

  it.each(guarded)("%s without an actor is 401 with the exact body", async (_, handler) => {
    const { method } = handler.operation;
    const { status, text, headers } = await call(method, addressOf(handler.operation), bodyOf(handler));
    expect([status, text]).toEqual([401, UNAUTHENTICATED]);
    expect(headers["www-authenticate"]).toBe("Bearer");
  });

  it.each(guarded)("%s takes no credential in another's place or another form", async (_, handler) => {
    const { method } = handler.operation;
    const user = await makeUser();
    const good = await makeToken(user.id);
    const spoiled = good.slice(0, -1) + (good.endsWith("A") ? "B" : "A");
    const authorizations = [
      "",
      "Bearer",
      "Bearer ",
      `Bearer\t${good}`,
      `Bearer${good}`,
      `Bearers ${good}`,
      `Bearer ${good} x`,
      `Bearer ${good},`,
      `Bearer "${good}"`,
      `Bearer ${good}, Bearer ${good}`,
      `Token ${good}`,
      `Basic ${Buffer.from(`${good}:`).toString("base64")}`,
      good,
      `Bearer ${spoiled}`,
      `Bearer ${good.toUpperCase()}`,
      `Bearer ${newToken("dsu")}`,
      `Bearer ${newToken("dss")}`,
      `Bearer ${newToken("dsv")}`,
      `Bearer ${newToken("dse")}`,
      `Bearer ${newToken("dsk")}`,
      `Bearer ${good.replace("dsu", "dss")}`,
      "Bearer null",
      "Bearer undefined",
      "Bearer %E0%A4%A",
      "Bearer \u00e9\u00ff",
      `Bearer ${"a".repeat(8000)}`,
      "Bearer dsu_",
      `Bearer ${"eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."}`,
    ];
    const placed: CallOptions[] = [
      ...authorizations.map((authorization) => ({ headers: { authorization } })),
      { headers: { "x-api-key": good } },
      { headers: { cookie: `session=${good}; __Host-session=${good}; token=${good}` } },
      { headers: { authorization: `Basic x`, "x-authorization": `Bearer ${good}` } },
    ];
    for (const options of placed) {
      const { status, text } = await call(method, addressOf(handler.operation), {
        ...bodyOf(handler),
        ...options,
      });
      expect([status, text], JSON.stringify(options).slice(0, 100)).toEqual([401, UNAUTHENTICATED]);
    }
    const inQuery = `${addressOf(handler.operation)}?token=${good}&access_token=${good}&api_token=${good}`;
    expect((await call(method, inQuery, bodyOf(handler))).status).toBe(401);
    const inBody = { ...harmlessBody(handler.operation), token: good, access_token: good };
    expect((await call(method, addressOf(handler.operation), { body: inBody })).status).toBe(401);
  });

  it.each(guarded)(
    "%s refuses the secret of a live session and the token of a live verification link as bearer",
    async (_, handler) => {
      const { prisma } = await import("@/server/infrastructure/database/client");
      const { digest } = await import("@/server/infrastructure/secrets/tokens");
      const user = await makeUser();
      const secret = newToken("dss");
      await prisma().accessToken.create({
        data: {
          userId: user.id,
          kind: "session",
          name: "panel",
          tokenHash: Uint8Array.from(digest(secret)),
          lastFour: secret.slice(-4),
          expiresAt: new Date(Date.now() + 60_000),
        },
      });
      const link = newToken("dsv");
      await prisma().emailVerification.create({
        data: {
          userId: user.id,
          emailKey: user.emailKey,
          tokenHash: Uint8Array.from(digest(link)),
          codeHash: new Uint8Array([1]),
          expiresAt: new Date(Date.now() + 60_000),
        },
      });
      const { method } = handler.operation;
      for (const live of [secret, link]) {
        const options = { ...bodyOf(handler), token: live };
        const { status, text } = await call(method, addressOf(handler.operation), options);
        expect([status, text]).toEqual([401, UNAUTHENTICATED]);
      }
    },
  );
});

describe("bodies", () => {
  const post = async (handler: Handler, raw: string | Uint8Array, headers?: Record<string, string>) =>
    call(handler.operation.method, addressOf(handler.operation), {
      ...(await credentials(handler)),
      raw,
      headers,
    });
  const deep = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));

  it.each(withBody)("%s answers malformed JSON with 400", async (_, handler) => {
    const before = await rowCounts();
    const malformed: Array<string | Uint8Array> = [
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
      '{"a":1,"a":2}',
      `{"a"${" ".repeat(100)}:1,"a"${"\n".repeat(100)}:2}`,
      '{"a":1,"\\u0061":2}',
      '{"x":{"b":1,"b":2}}',
      deep(33),
      deep(100_000),
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
      "[".repeat(500_000),
      keys(1001),
      Buffer.from('{"a":"é"}', "latin1"),
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from('{"a":1}', "utf16le"),
    ];
    for (const raw of malformed) {
      const startedAt = performance.now();
      const { status, json } = await post(handler, raw);
      expect(status, Buffer.from(raw).subarray(0, 60).toString()).toBe(400);
      expect(json.success).toBe(false);
      expect(performance.now() - startedAt).toBeLessThan(5000);
    }
    expect(await rowCounts()).toEqual(before);
  });

  it.each(withBody)("%s takes nothing but JSON as content type", async (_, handler) => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/xml",
      "application/octet-stream",
      "application/jsonp",
      "text/json",
      "application/json-seq",
      "json",
    ];
    for (const type of types) {
      const { status } = await post(handler, "{}", { "content-type": type });
      expect(status, type).toBe(415);
    }
    for (const encoding of ["gzip", "br", "deflate", "gzip, identity", "x"]) {
      const { status } = await post(handler, "{}", { "content-encoding": encoding });
      expect(status, encoding).toBe(415);
    }
    // No content type counts as JSON.
    for (const type of [
      "application/json",
      "Application/JSON; charset=UTF-8",
      "application/vnd.api+json",
      "",
    ]) {
      const { status } = await post(handler, "[1]", { "content-type": type });
      expect(status, type).toBe(422);
    }
  });

  it.each(withBody)(
    "%s refuses a body one byte over 1 MB, with and without its length said",
    async (_, handler) => {
      const over = `{"a":"${"a".repeat(1024 * 1024 - 7)}"}`;
      expect(Buffer.byteLength(over)).toBe(1024 * 1024 + 1);
      for (const headers of [
        {},
        { "transfer-encoding": "chunked", "content-length": [] as unknown as string },
      ]) {
        const { status, headers: got } = await post(handler, over, headers as Record<string, string>);
        expect(status).toBe(413);
        expect(got.connection).toBe("close");
      }
      expect((await post(handler, over.replace("aa", "a"))).status).not.toBe(413);
    },
  );

  it.each(withBody)("%s takes a body that is no object for a field error", async (_, handler) => {
    for (const raw of ["null", "[1]", "1", '"a"', "true", "[{}]", "[[]]"]) {
      const { status, json } = await post(handler, raw);
      expect([status, Object.keys(json.errors)], raw).toEqual([422, ["body"]]);
    }
    // PHP encodes an empty map as an empty list.
    const [list, map] = [await post(handler, "[]"), await post(handler, "{}")];
    expect([list.status, Object.keys(list.json)]).toEqual([map.status, Object.keys(map.json)]);
  });

  it.each(withBody)("%s is not moved by keys that mean something to JavaScript", async (_, handler) => {
    const raw = [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"__proto__":null,"toString":1,"hasOwnProperty":1,"valueOf":{}}',
      '{"consents":{"__proto__":{"terms":true},"constructor":{"prototype":{"polluted":1}}}}',
      `{"a":{"__proto__":{"__proto__":{"polluted":1}}}}`,
      keys(1000),
      deep(31),
    ];
    for (const body of raw) {
      const { status } = await post(handler, body);
      expect([200, 400, 401, 403, 404, 422], body.slice(0, 60)).toContain(status);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

/** Tables that any call may add to: attempts, ceremonies that were begun, receipts of what was refused, a demo's script. */
const NOTED = ["audit_events", "passkey_challenges", "cleanup_runs", "cleanup_items", "sandbox_failures"];

function without({ ...counts }: Record<string, number>, name: string): Record<string, number> {
  delete counts[name];
  return counts;
}

describe("fields", () => {
  const fields = withBody.flatMap(([id, handler]) =>
    Object.keys(handler.operation.body!.shape).map((field) => [`${id}.${field}`, handler, field] as const),
  );
  let before: Record<string, number>;
  beforeEach(async () => {
    before = await rowCounts();
  });

  const attempt = async (handler: Handler, field: string, value: unknown) => {
    const body = { ...harmlessBody(handler.operation), [field]: value };
    const { method } = handler.operation;
    return call(method, addressOf(handler.operation), { ...(await credentials(handler)), body });
  };

  /**
   * The values that may come further than the field's own schema, and one of those that it refuses in the same words:
   * they end at the same place, before anything of the operation runs. Transports change what is empty or padded.
   */
  function oneOfEach(handler: Handler, field: string, values: unknown[]): unknown[] {
    const schema = handler.operation.body!.shape[field]!;
    const refusals = new Set<string>();
    return values.filter((value) => {
      if (typeof value === "string" && (value === "" || value !== value.trim())) return true;
      const { error } = schema.safeParse(value);
      if (!error) return true;
      const words = JSON.stringify(error.issues);
      return !refusals.has(words) && refusals.add(words);
    });
  }

  it.each(fields)("%s refuses operators, lists and other types", async (_, handler, field) => {
    for (const value of oneOfEach(handler, field, WRONG_TYPES)) {
      // This field accepts an object of labels: `contains` is a menu key like any other.
      if (field === "menu_labels" && !Array.isArray(value)) continue;
      // An empty list of modules, features or events is valid, and an empty list stands for an empty map.
      const empty = Array.isArray(value) && value.length === 0;
      if (
        empty &&
        [
          "allowed_modules",
          "absorbableLicenses",
          "consents",
          "menu_labels",
          "features",
          "expected",
          "site_ids",
          "events",
          "allowed_domains",
        ].includes(field)
      )
        continue;
      const { status, json } = await attempt(handler, field, value);
      // Consents are an object; a foreign key in it is not a consent, and the token next to it is not a token.
      // Foreign keys among expected values are compared with nothing, or with nothing that the call would replace.
      // Settings of a site are an object, too, and this site is missing.
      const named = field.startsWith("expected") || field === "settings";
      const expected = named && typeof value === "object" && !Array.isArray(value);
      const emptied = expected || (field === "consents" && !Array.isArray(value));
      const allowed = expected ? [200, 403, 404, 422] : [400, 401, 422];
      expect(emptied ? allowed : [422], JSON.stringify(value)).toContain(status);
      if (!emptied) expect(Object.keys(json.errors)[0]?.split(".")[0]).toBe(field);
    }
    expect(await rowCounts()).toEqual(before);
  });

  it.each(fields)("%s takes odd values for what they are", async (_, handler, field) => {
    let created = 0;
    for (const value of oneOfEach(handler, field, ODD_VALUES)) {
      const { status } = await attempt(handler, field, value);
      if (status === 201) created++;
      const fits = status === handler.operation.status;
      expect(
        status < 500 && (fits || status >= 400),
        `${JSON.stringify(value)?.slice(0, 40)} ${status}`,
      ).toBe(true);
    }
    const huge = JSON.stringify({ ...harmlessBody(handler.operation), [field]: "@" }).replace('"@"', "1e309");
    const { method } = handler.operation;
    const { status } = await call(method, addressOf(handler.operation), {
      ...(await credentials(handler)),
      raw: huge,
    });
    expect(status).toBe(422);
    // A failed sign-in or a changed setting is logged, and created records exist and may be mailed about; nothing else may have changed.
    const may = created
      ? [...NOTED, "mail_messages", ...relationsBehind(handler.operation.id).map(({ table }) => table)]
      : NOTED;
    expect(await rowCounts(may)).toEqual(may.reduce(without, before));
  });
});

describe("paths and methods", () => {
  const withId = all.filter(([, { operation }]) => operation.path.includes("{id}"));

  it.each(withId)("%s has no record under anything that is not its number", async (_, handler) => {
    const { method, path, record } = handler.operation;
    for (const form of ID_FORMS) {
      const { status, json } = await call(method, path.replace("{id}", form), {
        ...harmlessCall(handler.operation),
        ...(await credentials(handler)),
      });
      expect(status, form.slice(0, 40)).toBe(404);
      expect(json.message).toContain(`App\\Models\\${record}] `);
    }
  });

  it("finds no language under anything that is none", async () => {
    for (const form of [
      ...ID_FORMS,
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

  it.each(
    [...new Map(all.map(([, handler]) => [handler.operation.path, handler])).values()].map(
      (handler) => [handler.operation.path, handler] as const,
    ),
  )(
    "%s answers other methods with 405 and Allow, HEAD like GET, OPTIONS with what there is",
    async (_path, handler) => {
      const address = addressOf(handler.operation);
      const methods = [...table().match(address)!.place.methods.keys()];
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "LINK"]) {
        if (methods.includes(method)) continue;
        const { status, headers, text } = await call(method, address, {
          headers: { "x-http-method-override": methods[0]! },
        });
        expect(status, method).toBe(405);
        for (const allowed of methods) expect(headers.allow).toContain(allowed);
        const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
        expect(JSON.parse(text).message).toBe(
          `The ${method} method is not supported for route ${address.slice(1)}. Supported methods: ${allow}.`,
        );
      }
      const options = await call("OPTIONS", address);
      expect(options.headers.allow).toContain("OPTIONS");
      expect(options.headers["access-control-allow-methods"]).toBe(options.headers.allow);
      const given = await credentials(handler);
      const head = await call("HEAD", address, given);
      expect(head.text).toBe("");
      expect(head.status).toBe(methods.includes("GET") ? (await call("GET", address, given)).status : 405);
    },
  );

  it("answers unknown routes with the contract's 404", async () => {
    const { json, status } = await call("GET", "/api/x");
    expect([status, json]).toEqual([404, { message: "The route api/x could not be found." }]);
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

describe("declared errors", () => {
  it.each(all)("%s names each error of the table at most once", (_, { operation }) => {
    const codes = errorsOf(operation);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(errorSpec(code).status).toBeGreaterThanOrEqual(400);
  });
});
