import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import type { CallOptions, TestResponse } from "@/server/testing/http";
import { callRoute, listRouteFiles, toNextPath } from "@/server/testing/next-routes";
import { buildSamplePath, getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { addInputs, type Inputs } from "@/server/testing/suite";
import { getHandlers } from "./operations";

const { call, validate } = await startTestServer({ env: { SMS_PER_NUMBER: "1000" } });
const routeFileByPath = await listRouteFiles();
const CATCH_ALL_PATH = "/api/[...rest]";
const site = await makeSite((await makeUser()).id);
const token = await makeToken((await makeUser()).id);

const VARYING_HEADERS = new Set([
  "x-request-id",
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
]);

const VARYING_PATTERNS = [
  /"detail":"[^"]*"/g,
  /"(?:id|user_id)":\d+/g,
  /"(?:ip|hash|last_used_at)":(?:"[^"]*"|null)/g,
  /\bperson\.\w+(?=@)/g,
  /"(challenge|challenge_ref)":"[^"]+"/g,
  /\w\*{3}\w?@e\*{3}\.com/g,
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g,
];

function toComparable({ status, headers, text }: TestResponse) {
  const stableHeaders = Object.entries(headers).filter(
    // Remaining and Reset of the rate limit.
    ([name]) => !VARYING_HEADERS.has(name) && !name.startsWith("x-ratelimit-re"),
  );
  return {
    status,
    headers: Object.fromEntries(stableHeaders),
    body: VARYING_PATTERNS.reduce((body, pattern) => body.replace(pattern, ""), text),
  };
}

/** Calls both transports. If signed in, each uses its own account: a write changes later responses. */
async function callBoth(
  method: string,
  path: string,
  pathTemplate: string,
  options: CallOptions = {},
  isSignedIn = false,
) {
  const file = routeFileByPath.get(toNextPath(pathTemplate)) ?? routeFileByPath.get(CATCH_ALL_PATH)!;
  const makeCredential = async () => (isSignedIn ? { token: await makeToken((await makeUser()).id) } : {});
  const node = await call(method, path, { ...options, ...(await makeCredential()) });
  const web = await callRoute(file, method, path, { ...options, ...(await makeCredential()) });
  validate(method, path, web);
  return { node: toComparable(node), web: toComparable(web) };
}

it("has route files only for paths of operations, each with every method", async () => {
  const expectedPaths = new Set([
    ...getHandlers().map(({ operation }) => toNextPath(operation.path)),
    CATCH_ALL_PATH,
  ]);
  for (const [nextPath, file] of routeFileByPath) {
    expect(expectedPaths, file).toContain(nextPath);
    const exportedNames = Object.keys((await import(file)) as object).sort();
    expect(exportedNames, file).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  }
});

describe("Node server and Next routes answer alike", () => {
  type Attempt = [verb: string, to: string, options: CallOptions];

  function buildAttempts(operation: AnyOperation): Inputs<Attempt> {
    const { method } = operation;
    const samplePath = buildSamplePath(operation);
    const body = getHarmlessBody(operation);
    const raw = (text: string): CallOptions => ({ token, raw: body && text });
    const signedInAttempts: Attempt[] = [
      [method, samplePath, { body, token }],
      [method, `${samplePath}?x=1`, raw("{")],
      [method, samplePath, raw("{}")],
      [method, samplePath, { ...raw("x"), ...(body && { headers: { "content-type": "text/plain" } }) }],
      [method, samplePath, raw(`"${"a".repeat(1024 * 1024)}"`)],
      [method, samplePath.replace("/1", `/${site.id}`), { token, body }],
      [method, samplePath.replace("/1", "/%E0%A4%A"), { token, body }],
      [method, samplePath.replace("/tr.", "/xx."), { token, body }],
      ["PATCH", samplePath, { token, body: {} }],
      ["HEAD", samplePath, { token }],
    ];
    return {
      anonymous: [
        [method, samplePath, { body }],
        ["OPTIONS", samplePath, {}],
      ],
      "signed in": [
        ...new Map(signedInAttempts.map((attempt) => [JSON.stringify(attempt), attempt])).values(),
      ],
    };
  }

  it.each(addInputs(getHandlers(), buildAttempts))(
    "for $operation.id",
    async ({ operation: { method, path }, inputs }) => {
      for (const [verb, target, options] of inputs) {
        const isWrite = Boolean(options.token) && method !== "GET";
        const { node, web } = await callBoth(verb, target, path, options, isWrite);
        expect(web, `${verb} ${target}`).toEqual(node);
      }
    },
  );

  it("for unknown routes", async () => {
    for (const [method, path] of [
      ["GET", "/api/x"],
      ["POST", "/api/auth/signin"],
      ["OPTIONS", "/api/y"],
    ] as const) {
      const { node, web } = await callBoth(method, path, "/api/none");
      expect(web).toEqual(node);
      expect(node.status).toBe(404);
    }
  });

  it("for reads that succeed, and for 304", async () => {
    const user = await makeUser();
    await makeSubscription(user.id);
    const site = await makeSite(user.id);
    const token = await makeToken(user.id);
    for (const [path, template] of [
      ["/api/auth/user", "/api/auth/user"],
      ["/api/user", "/api/user"],
      ["/api/sites", "/api/sites"],
      [`/api/sites/${site.id}`, "/api/sites/{id}"],
      ["/api/sites/billing-forecast", "/api/sites/billing-forecast"],
      ["/api/subscription-plans", "/api/subscription-plans"],
      ["/api/i18n/tr.json", "/api/i18n/{locale}.json"],
    ] as const) {
      const { node, web } = await callBoth("GET", path, template, { token });
      expect(web).toEqual(node);
      expect(node.status).toBe(200);
    }
    const { headers } = await call("GET", "/api/i18n/meta");
    const options = { headers: { "if-none-match": String(headers.etag) } };
    const { node, web } = await callBoth("GET", "/api/i18n/meta", "/api/i18n/meta", options);
    expect(web).toEqual(node);
    expect(node).toMatchObject({ status: 304, body: "" });
  });
});
