import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { getHostBrand } from "@/server/infrastructure/brand/brand";
import { sendHttp } from "@/server/testing/http";
import { type Outage, recordOutage, runWithOutage } from "./outage";
import { interceptOutageResponse } from "./outage-page";

type SendPage = (res: ServerResponse) => Promise<unknown> | unknown;

const recordDatabaseOutage = () => recordOutage(createError("busy", { retryAfter: 2 }));

async function requestPage(page: SendPage, headers: Record<string, string> = {}, method = "GET") {
  const server = createServer((req, res) => {
    const outage: Outage = {};
    interceptOutageResponse(req, res, outage);
    void runWithOutage(outage, () => page(res));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return sendHttp(port, method, "/dashboard", {
    headers: { accept: "text/html,*/*;q=0.8", connection: "close", ...headers },
  });
}

const FAILURES: Record<string, SendPage> = {
  "in one call": (res) => res.writeHead(500, { "content-type": "text/plain", etag: "x" }).end("Next's own"),
  "in pieces, later": async (res) => {
    await sleep(5);
    res.statusCode = 500;
    res.setHeader("content-length", 11);
    res.write("Next's");
    res.write(" own");
    res.end("!");
  },
  "with end() only": (res) => Object.assign(res, { statusCode: 500 }).end("Next's own"),
};

it.each(Object.entries(FAILURES))("replaces a 500 that is sent %s", async (_, sendFailure) => {
  const page: SendPage = async (res) => {
    await sleep(1);
    recordDatabaseOutage();
    return sendFailure(res);
  };
  const {
    status,
    headers,
    text: body,
  } = await requestPage(page, { cookie: "a=b; locale=ar", "accept-language": "fr" });
  expect(status).toBe(503);
  expect(headers["retry-after"]).toBe("2");
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers).not.toHaveProperty("etag");
  expect(body).toContain('<html lang="ar" dir="rtl">');
  expect(body).toContain(formatText("ar", "responses.outage.text"));
  expect(body).not.toContain("Next");
  const headResponse = await requestPage(page, {}, "HEAD");
  expect(headResponse).toMatchObject({ status: 503, text: "" });
});

it("shows the brand's name on a portal if it is cached, and never the platform's", async () => {
  const page: SendPage = (res) => {
    recordDatabaseOutage();
    res.writeHead(500).end();
  };
  const requestTitle = async (host: string) =>
    /<title>(.*)<\/title>/.exec((await requestPage(page, { host, "accept-language": "en" })).text)![1];
  const title = formatText("en", "responses.outage.title");
  const ownHost = new URL(env().APP_URL).hostname;
  const domain = "panel.arslan.example";
  expect(await requestTitle(`${ownHost}:3000`)).toBe(`${title} · ${env().APP_NAME}`);
  expect(await requestTitle(domain)).toBe(title);
  const pictures = { color: null, logo: null, logoDark: null, icon: null };
  const row = { resellerId: 1, name: "Arslan & Co", ...pictures, supportEmail: null, supportPhone: null };
  const createFakeDatabase = (rows: object[]) => ({ sql: async () => rows }) as never;
  await getHostBrand(createFakeDatabase([{ ...row, domain }]), domain);
  expect(await requestTitle(domain)).toBe(`${title} · Arslan &#38; Co`);
  await getHostBrand(createFakeDatabase([]), domain);
  expect(await requestTitle(domain)).toBe(title);
});

it("uses the browser's language and reports a full disk", async () => {
  const page: SendPage = (res) => {
    recordOutage(createError("storage_full", { retryAfter: 60 }));
    res.writeHead(500).end();
  };
  const { headers, text: body } = await requestPage(page, { "accept-language": "de-AT,de;q=0.9" });
  expect(headers["retry-after"]).toBe("60");
  expect(body).toContain(formatText("de", "errors.storage_full"));
});

it("sends JSON to a script", async () => {
  const page: SendPage = (res) => {
    recordDatabaseOutage();
    res.writeHead(500).end();
  };
  const { status, json } = await requestPage(page, { accept: "*/*" });
  expect({ status, json }).toEqual({ status: 503, json: { message: "Service Unavailable" } });
});

it("does not change other responses", async () => {
  const okResponse = await requestPage((res) => {
    recordDatabaseOutage();
    res.writeHead(200, { "x-page": "yes" }).end("made without it");
  });
  expect(okResponse).toMatchObject({ status: 200, text: "made without it", headers: { "x-page": "yes" } });
  const bugResponse = await requestPage((res) => {
    recordOutage(createError("server_error"));
    res.writeHead(500).end("a bug");
  });
  expect(bugResponse).toMatchObject({ status: 500, text: "a bug" });
  const otherResponse = await requestPage((res) => res.writeHead(502).end("not of the database"));
  expect(otherResponse).toMatchObject({ status: 502, text: "not of the database" });
});
