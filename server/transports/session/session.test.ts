import { createRequire } from "node:module";
import { NextRequest } from "next/server";
import { expect, it } from "vitest";
import { env, exportEnvForLibraries } from "@/server/core/env";
import { makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

await startTestServer({ env: { APP_URL: "https://panel.test" } });
exportEnvForLibraries(env());

let currentRequest: NextRequest;
// next-auth reads the request from Next's store, which exists only inside Next.
const requestStore = {
  headers: async () => currentRequest.headers,
  cookies: async () => currentRequest.cookies,
};
Object.assign(createRequire(import.meta.url)("next/headers"), requestStore);
const { GET, POST } = await import("@/app/session/[...nextauth]/route");

interface RequestOptions {
  cookie?: string;
  body?: Record<string, string>;
  json?: string;
}

function callSessionRoute(path: string, { cookie, body, json }: RequestOptions = {}): Promise<Response> {
  currentRequest = new NextRequest(`https://panel.test/session/${path}`, {
    headers: {
      host: "panel.test",
      ...(cookie && { cookie }),
      ...(body && { "content-type": "application/x-www-form-urlencoded" }),
      ...(json && { "content-type": "application/json" }),
    },
    ...(json && { method: "POST", body: json }),
    ...(body && { method: "POST", body: new URLSearchParams(body).toString() }),
  });
  const [action = ""] = path.split("?");
  return (body || json ? POST : GET)(currentRequest, {
    params: Promise.resolve({ nextauth: action.split("/") }),
  });
}

async function fetchCsrf() {
  const response = await callSessionRoute("csrf");
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  const cookie = response.headers.getSetCookie().map((each) => each.split(";")[0]);
  return { cookie: cookie.join("; "), csrfToken };
}

const CALLBACK_COOKIE = "__Host-sign-in-next";
const MALFORMED_URLS = [
  "javascript:1",
  "data:text/html,x",
  "http://",
  "http://[",
  "x",
  "//",
  "https://a b",
  "\\\\evil.test",
];

it("stores the callback URL in a __Host- cookie", async () => {
  const response = await callSessionRoute("csrf");
  const cookies = response.headers.getSetCookie();
  const callbackCookie = cookies.find((cookie) => cookie.startsWith(`${CALLBACK_COOKIE}=`));
  expect(callbackCookie).toMatch(/; Path=\//i);
  expect(callbackCookie).toMatch(/; Secure/i);
  expect(callbackCookie).not.toMatch(/; Domain/i);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-/);
});

it.each(MALFORMED_URLS)("rejects the callback URL %s in cookie, query and body", async (callbackUrl) => {
  const value = encodeURIComponent(callbackUrl);
  const { cookie, csrfToken } = await fetchCsrf();
  const token = await makeToken((await makeUser()).id);
  for (const action of ["session", "csrf", "signin", "error", "callback/google", "signin/google"]) {
    const cookieResponse = await callSessionRoute(action, {
      cookie: `${CALLBACK_COOKIE}=https%3A%2F%2Fpanel.test; ${CALLBACK_COOKIE}=${value}`,
    });
    expect({ action, status: cookieResponse.status }).toEqual({ action, status: 400 });
    expect(cookieResponse.headers.get("set-cookie")).toMatch(new RegExp(`^${CALLBACK_COOKIE}=; .*Max-Age=0`));
    const queryResponse = await callSessionRoute(`${action}?callbackUrl=%2F&callbackUrl=${value}`);
    expect({ action, status: queryResponse.status }).toEqual({ action, status: 400 });
  }
  const signInResponse = await callSessionRoute("callback/token", {
    cookie,
    body: { csrfToken, token, callbackUrl },
  });
  expect(signInResponse.status).toBe(302);
  expect(signInResponse.headers.get("location")).toBe("https://panel.test");
  expect(signInResponse.headers.getSetCookie().some((each) => each.startsWith("__Host-session=dss_"))).toBe(
    true,
  );
});

it.each([
  ["/sites?x=1", "https://panel.test/sites?x=1"],
  ["https://panel.test/team", "https://panel.test/team"],
  ["https://panel.test.evil.test/", "https://panel.test"],
  ["//evil.test/x", "https://panel.test"],
])("redirects %s to %s", async (callbackUrl, location) => {
  const { cookie, csrfToken } = await fetchCsrf();
  const token = await makeToken((await makeUser()).id);
  const response = await callSessionRoute("callback/token", {
    cookie,
    body: { csrfToken, token, callbackUrl },
  });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toEqual(location);
});

it("rejects invalid JSON and GET on the token callback", async () => {
  for (const action of ["session", "signin/token", "callback/token", "signout"]) {
    const { status } = await callSessionRoute(action, { json: "{" });
    expect({ action, status }).toEqual({ action, status: 400 });
  }
  expect((await callSessionRoute("callback/token")).status).toBe(404);
});

it("shows no page of next-auth", async () => {
  for (const page of ["signout", "verify-request", "_log", "", "nothing", "constructor", "new-user"])
    expect([page, (await callSessionRoute(page)).status]).toEqual([page, 404]);
  for (const page of ["_log", "verify-request", "csrf"])
    expect([page, (await callSessionRoute(page, { body: { level: "error", code: "x" } })).status]).toEqual([
      page,
      404,
    ]);
  for (const page of ["signin", "error", "error?error=Verification", "error?error=<b>"]) {
    const response = await callSessionRoute(page);
    expect({ page, status: response.status }).toEqual({ page, status: 302 });
    expect(response.headers.get("location")).toMatch(/^\/sign-in\?/);
  }
  const signOutResponse = await callSessionRoute("signout", { body: { csrfToken: "x" } });
  expect(signOutResponse.status).toBe(302);
  expect(signOutResponse.headers.get("location")).toBe("https://panel.test/session/signout?csrf=true");
});
