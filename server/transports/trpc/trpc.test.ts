import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import type { Domain } from "@/server/core/domain";
import { formatText } from "@/server/core/texts";
import { domains } from "@/server/domains";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { askPortalDomain } from "@/server/domains/accounts/portals/contract";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus } from "@/server/testing/burst";
import { makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { countRows } from "@/server/testing/hostile-values";
import { type CallOptions, createIpAddress, sendHttp } from "@/server/testing/http";
import { buildSampleParams, buildSamplePath, getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { addInputs, type Inputs } from "@/server/testing/suite";
import { createPanelContext } from "./init";
import { createCaller, getAppRouter } from "./root";

const { port, call } = await startTestServer();

const ORIGIN = "http://panel.test";

interface PanelOptions extends CallOptions {
  session?: string;
  locale?: string;
}

function sendPanelRequest(
  method: string,
  path: string,
  { session, locale = "tr", headers, ...options }: PanelOptions = {},
) {
  const cookie = [`locale=${locale}`, ...(session ? [`session=${session}`] : [])].join("; ");
  return sendHttp(port, method, `/trpc/${path}`, {
    ...options,
    headers: { origin: ORIGIN, cookie, ...headers },
  });
}

async function createSession(userId: number): Promise<string> {
  const session = await exchangeForSession(withoutTransaction(), await makeToken(userId));
  return session!.secret;
}

const procedures = Object.entries(domains as Record<string, Domain>).flatMap(
  ([domain, { operations = {} }]) =>
    Object.entries(operations)
      .filter(([, { operation }]) => !operation.file && !operation.upload)
      .map(([name, { operation }]) => ({ name: `${domain}.${name}`, operation })),
);

function buildCalls(operation: AnyOperation): Inputs<{ signedIn: boolean; body?: object }> {
  const bodies = operation.body ? [getHarmlessBody(operation), {}] : [undefined];
  return {
    "signed in": bodies.map((body) => ({ signedIn: true, body })),
    anonymous: bodies.map((body) => ({ signedIn: false, body })),
  };
}

describe("every operation", () => {
  it("is a procedure, and every procedure is an operation", () => {
    const names = Object.keys(getAppRouter()._def.procedures).sort();
    expect(names).toEqual(procedures.map(({ name }) => name).sort());
  });

  it.each(addInputs(procedures, buildCalls))(
    "$name responds as REST does",
    async ({ name, operation, inputs }) => {
      const { method } = operation;
      const isQuery = method === "GET";
      const params = buildSampleParams(operation);
      const sharedUser = await makeUser();
      const getUser = async () => (isQuery ? sharedUser : makeUser());
      for (const { signedIn, body } of inputs) {
        const input = { ...(params && { params }), ...(body && { body }) };
        const restResponse = await call(method, buildSamplePath(operation), {
          body,
          ...(signedIn && { token: await makeToken((await getUser()).id) }),
        });
        const session = signedIn ? await createSession((await getUser()).id) : undefined;
        const path = isQuery ? `${name}?input=${encodeURIComponent(JSON.stringify(input))}` : name;
        const response = await sendPanelRequest(isQuery ? "GET" : "POST", path, {
          session,
          ...(!isQuery && { body: input }),
        });
        expect(response.status, response.text).toBe(restResponse.status < 300 ? 200 : restResponse.status);
        expect(response.headers["retry-after"]).toBe(restResponse.headers["retry-after"]);
        const data = response.json.result?.data ?? response.json.error.data.body;
        expect(Object.keys(data)).toEqual(Object.keys(restResponse.json));
        const isVarying =
          ["health.check", "tokens.listSessions", "accountDeletion.getForecast"].includes(name) || !isQuery;
        if (restResponse.status < 300 && !isVarying) expect(data).toEqual(restResponse.json);
        if (restResponse.status === 422 || restResponse.status === 400)
          expect(data).toEqual(restResponse.json);
      }
    },
  );

  it("gets a site by its id", async () => {
    const user = await makeUser();
    const site = await makeSite(user.id);
    const session = await createSession(user.id);
    const getStatus = async (id: unknown) =>
      (
        await sendPanelRequest(
          "GET",
          `sites.get?input=${encodeURIComponent(JSON.stringify({ params: { id } }))}`,
          {
            session,
          },
        )
      ).status;
    expect(await getStatus(String(site.id))).toBe(200);
    for (const id of ["2147483648", "1.5", "", null, {}, [], true, { $ne: 1 }])
      expect(await getStatus(id)).toBe(404);
    const foreignSite = await makeSite((await makeUser()).id);
    expect(await getStatus(String(foreignSite.id))).toBe(403);
  });
});

describe("input", () => {
  it("is malformed when nested too deeply", async () => {
    const nest = (levels: number): unknown => (levels === 0 ? "x" : { a: nest(levels - 1) });
    const codes = [30, 50, 1000].map(async (levels) => {
      const { json } = await sendPanelRequest("POST", "signIn.login", { body: { body: nest(levels) } });
      return json.error.data.error;
    });
    expect(await Promise.all(codes)).toEqual(["validation", "malformed_json", "malformed_json"]);
  });
});

describe("a mutation", () => {
  it("is rejected from a foreign page, without an origin, and in formats a form can send", async () => {
    const user = await makeUser();
    const session = await createSession(user.id);
    const countsBefore = await countRows();
    const body = { body: { locale: "de" } };
    const attempts: PanelOptions[] = [
      ...[
        "null",
        "http://evil.test",
        "http://panel.test.evil.test",
        "https://panel.test",
        "http://xpanel.test",
        "http://panel.test:81",
        "",
      ].map((origin) => ({ body, headers: { origin } })),
      { body, headers: { origin: [] } },
      { body, headers: { origin: "http://evil.test", "sec-fetch-site": "cross-site" } },
      { body, headers: { origin: "http://evil.test", "sec-fetch-site": "same-site" } },
      { body, headers: { origin: "http://evil.test", "sec-fetch-site": "none" } },
      { body, headers: { origin: "http://evil.test", "x-http-method-override": "GET" } },
      ...[
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/jsonp",
        "",
      ].map((type) => ({ body, headers: { "content-type": type } })),
    ];
    for (const options of attempts) {
      for (const name of ["account.setLocale", "tokens.logout"]) {
        const { status, json } = await sendPanelRequest("POST", name, { session, ...options });
        const refusal = [status, json?.error?.data?.error].join(" ");
        expect(refusal, JSON.stringify(options.headers)).toMatch(
          /^(403 forbidden|415 media_type_unsupported)$/,
        );
      }
    }
    expect(await countRows()).toEqual(countsBefore);
    expect((await sendPanelRequest("POST", "account.setLocale", { session, body })).status).toBe(200);
    const sameOriginHeaders = { origin: [] as string[], "sec-fetch-site": "same-origin" };
    expect(
      (await sendPanelRequest("POST", "account.setLocale", { session, body, headers: sameOriginHeaders }))
        .status,
    ).toBe(200);
  });

  it("is rejected by GET", async () => {
    const session = await createSession((await makeUser()).id);
    for (const name of ["tokens.logout", "account.setLocale", "signIn.login", "sites.create"]) {
      const { status, json } = await sendPanelRequest("GET", `${name}?input=${encodeURIComponent("{}")}`, {
        session,
      });
      expect([status, json.error.data.error]).toEqual([405, "method_not_allowed"]);
    }
    expect((await sendPanelRequest("GET", "profile.me", { session })).status).toBe(200);
  });

  it("requires the session cookie, not a bearer or user token", async () => {
    const { token } = await makeSignedInUser();
    for (const options of [
      { token },
      { session: token },
      { headers: { "x-api-key": token } },
      { session: "x" },
    ])
      expect((await sendPanelRequest("GET", "profile.me", options)).status).toBe(401);
  });
});

describe("a batch", () => {
  it("accepts ten calls and rejects larger batches before any call runs", async () => {
    const ip = createIpAddress();
    const sendBatch = (count: number) => {
      const names = Array.from({ length: count }, () => "signIn.login").join(",");
      const input = { body: { email: "batch@example.com", password: "wrong" } };
      const body = Object.fromEntries(Array.from({ length: count }, (_, index) => [index, input]));
      return sendPanelRequest("POST", `${names}?batch=1`, { body, ip });
    };
    const countsBefore = await countRows();
    for (const count of [11, 100, 1000]) {
      const {
        status,
        json,
        text: body,
      } = await sendBatch(count).catch(() => ({ status: 431, json: undefined, text: "" }));
      expect([400, 431]).toContain(status);
      expect(body).not.toContain("credentials_wrong");
      if (status === 400) expect(JSON.stringify(json)).toContain("malformed_request");
    }
    expect(await countRows()).toEqual(countsBefore);
    const { json } = await sendBatch(10);
    const statuses = (json as Array<{ error: { data: { httpStatus: number } } }>).map(({ error }) => ({
      status: error.data.httpStatus,
    }));
    // A sign-in may fail five times per account.
    expect(countByStatus(statuses)).toEqual({ 401: 5, 429: 5 });
  });
});

describe("a page", () => {
  const createPageCaller = (session: string, isRendering: boolean) => {
    const sentHeaders: Record<string, string> = { cookie: `session=${session}` };
    const header = (name: string) => sentHeaders[name] ?? null;
    return createCaller(
      createPanelContext({
        method: "GET",
        header,
        ip: createIpAddress(),
        requestId: "page",
        isRendering,
      }),
    );
  };

  it("counts as a page, without counting its calls", async () => {
    const user = await makeUser();
    const session = await createSession(user.id);
    const pageCaller = createPageCaller(session, true);
    // One more than DEFAULT_LIMIT allows.
    for (let calls = 0; calls < 601; calls += 1) await pageCaller.preferences.getMenuLabels();
    const { status, headers } = await call("GET", "/api/user/menu-labels", {
      token: await makeToken(user.id),
    });
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([200, "599"]);
    const browserCaller = createPageCaller(session, false);
    for (let calls = 0; calls < 599; calls += 1) await browserCaller.preferences.getMenuLabels();
    await expect(browserCaller.preferences.getMenuLabels()).rejects.toThrow("too_many_requests");
  });

  it("counts calls with a limit of their own", async () => {
    const pageCaller = createPageCaller(await createSession((await makeUser()).id), true);
    const { points } = askPortalDomain.limit!;
    const pendingCalls = Array.from({ length: points + 1 }, () =>
      pageCaller.portals
        .ask({ query: { domain: "nobody.example.com" } })
        .catch((error: Error) => error.message),
    );
    const limitErrors = (await Promise.all(pendingCalls)).filter(
      (message) => message === "too_many_requests",
    );
    expect([points, limitErrors.length]).toEqual([120, 1]);
  });
});

describe("an error", () => {
  it("uses the account's language, the cookie's, or the browser's", async () => {
    const germanSession = await createSession((await makeUser({ locale: "de" })).id);
    const sessionWithoutLocale = await createSession((await makeUser()).id);
    const getMessage = async (options: PanelOptions) =>
      (
        await sendPanelRequest(
          "GET",
          `sites.get?input=${encodeURIComponent('{"params":{"id":"0"}}')}`,
          options,
        )
      ).json.error.data.body.message;
    const getExpectedText = (locale: "de" | "fr" | "ru") => formatText(locale, "errors.record_not_found");
    expect(await getMessage({ session: germanSession, locale: "fr" })).toBe(getExpectedText("de"));
    expect(await getMessage({ session: sessionWithoutLocale, locale: "fr" })).toBe(getExpectedText("fr"));
    expect(
      await getMessage({
        session: sessionWithoutLocale,
        locale: "xx",
        headers: { cookie: `session=${sessionWithoutLocale}`, "accept-language": "ru" },
      }),
    ).toBe(getExpectedText("ru"));
  });

  it("reveals no stack and no SQL for any input", async () => {
    const session = await createSession((await makeUser()).id);
    const rawBodies = [
      "null",
      "1",
      '"x"',
      "[]",
      "[null]",
      "{",
      "",
      '{"body":null}',
      '{"body":[]}',
      '{"params":null,"query":1,"body":"x"}',
      '{"__proto__":{"polluted":1},"body":{"__proto__":{"polluted":1}}}',
      `{"body":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      `{"body":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
      '{"json":{"body":{}},"meta":{"values":{"a":["constructor.prototype"]}}}',
    ];
    for (const name of [
      "account.setLocale",
      "signIn.login",
      "sites.create",
      "registration.register",
      "verification.verify",
    ]) {
      for (const body of rawBodies) {
        const { status, text: response } = await sendPanelRequest("POST", name, { session, raw: body });
        expect(status < 500, `${name} ${body.slice(0, 50)} ${status} ${response.slice(0, 200)}`).toBe(true);
        expect(response).not.toMatch(/stack|\bat \/|node_modules|select |insert |prisma/i);
      }
    }
    for (const path of [
      "nothing",
      "nothing.at.all",
      "__proto__",
      "constructor",
      "sites",
      "sites.toString",
      "%E0%A4%A",
      "sites.list?input={",
      "sites.list?input=%E0%A4%A",
      "a,b,c",
    ]) {
      const { status, text: response } = await sendPanelRequest("GET", path, { session });
      expect(status < 500, `${path} ${status}`).toBe(true);
      expect(response).not.toMatch(/stack|\bat \/|node_modules/);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const oversizedBody = `{"body":{"a":"${"a".repeat(1024 * 1024)}"}}`;
    expect((await sendPanelRequest("POST", "signIn.login", { raw: oversizedBody })).status).toBe(413);
  });
});

it("the route file rejects an undecodable path in the same way", async () => {
  const { serveTrpcRoute } = await import("./web");
  const response = await serveTrpcRoute(new Request("http://panel.test/trpc/%E0%A4%A"));
  const body = (await response.json()) as { error: { data: { error: string } } };
  expect([response.status, body.error.data.error]).toEqual([404, "route_not_found"]);
});
