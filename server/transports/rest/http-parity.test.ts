import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import type { CallOptions, TestResponse } from "@/server/testing/http";
import { callRoute, nextPathOf, routeFiles } from "@/server/testing/next-routes";
import { harmlessBody, samplePath } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";
import { type Inputs, withInputs } from "@/server/testing/suite";
import { handlers } from "./operations";

const { call, validate } = await testServer({ env: { SMS_PER_NUMBER: "1000" } });
const files = await routeFiles();
const REST = "/api/[...rest]";
const site = await makeSite((await makeUser()).id);
const token = await makeToken((await makeUser()).id);

const VARYING = new Set([
  "x-request-id",
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
]);

const PERSONAL = [
  /"detail":"[^"]*"/g,
  /"(?:id|user_id)":\d+/g,
  /"(?:ip|hash|last_used_at)":(?:"[^"]*"|null)/g,
  /\bperson\.\w+(?=@)/g,
  /"(challenge|challenge_ref)":"[^"]+"/g,
  /\w\*{3}\w?@e\*{3}\.com/g,
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g,
];

function comparable({ status, headers, text }: TestResponse) {
  const stableHeaders = Object.entries(headers).filter(
    ([name]) => !VARYING.has(name) && !name.startsWith("x-ratelimit-re"),
  );
  return {
    status,
    headers: Object.fromEntries(stableHeaders),
    body: PERSONAL.reduce((body, pattern) => body.replace(pattern, ""), text),
  };
}

/** With `signedIn`, each call gets its own account: a write changes later responses. */
async function callBoth(
  method: string,
  path: string,
  template: string,
  options: CallOptions = {},
  signedIn = false,
) {
  const file = files.get(nextPathOf(template)) ?? files.get(REST)!;
  const person = async () => (signedIn ? { token: await makeToken((await makeUser()).id) } : {});
  const node = await call(method, path, { ...options, ...(await person()) });
  const web = await callRoute(file, method, path, { ...options, ...(await person()) });
  validate(method, path, web);
  return { node: comparable(node), web: comparable(web) };
}

it("has route files only for paths of operations, each with every method", async () => {
  const addresses = new Set([...handlers().map(({ operation }) => nextPathOf(operation.path)), REST]);
  for (const [address, file] of files) {
    expect(addresses, file).toContain(address);
    const exported = Object.keys((await import(file)) as object).sort();
    expect(exported, file).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  }
});

describe("Node server and Next routes answer alike", () => {
  type Attempt = [verb: string, to: string, options: CallOptions];

  function attemptsOf(operation: AnyOperation): Inputs<Attempt> {
    const { method } = operation;
    const address = samplePath(operation);
    const body = harmlessBody(operation);
    const raw = (text: string): CallOptions => ({ token, raw: body && text });
    const signedIn: Attempt[] = [
      [method, address, { body, token }],
      [method, `${address}?x=1`, raw("{")],
      [method, address, raw("{}")],
      [method, address, { ...raw("x"), ...(body && { headers: { "content-type": "text/plain" } }) }],
      [method, address, raw(`"${"a".repeat(1024 * 1024)}"`)],
      [method, address.replace("/1", `/${site.id}`), { token, body }],
      [method, address.replace("/1", "/%E0%A4%A"), { token, body }],
      [method, address.replace("/tr.", "/xx."), { token, body }],
      ["PATCH", address, { token, body: {} }],
      ["HEAD", address, { token }],
    ];
    return {
      anonymous: [
        [method, address, { body }],
        ["OPTIONS", address, {}],
      ],
      "signed in": [...new Map(signedIn.map((attempt) => [JSON.stringify(attempt), attempt])).values()],
    };
  }

  it.each(withInputs(handlers(), attemptsOf))(
    "for $operation.id",
    async ({ operation: { method, path }, inputs }) => {
      for (const [verb, to, options] of inputs) {
        const isWrite = Boolean(options.token) && method !== "GET";
        const { node, web } = await callBoth(verb, to, path, options, isWrite);
        expect(web, `${verb} ${to}`).toEqual(node);
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
