import { execFileSync, fork } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { verifyWebhook } from "@/client/webhook";
import { packClient } from "@/scripts/lib/client-package.mjs";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSubscription } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";

const receivedWebhooks: Array<{ body: string; headers: IncomingHttpHeaders }> = [];
const receiver = createServer(async (request, response) => {
  receivedWebhooks.push({ body: await text(request), headers: request.headers });
  response.writeHead(204).end();
});
await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
afterAll(() => receiver.close());
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const server = await startTestServer({ env: { OUTBOUND_TRUSTED: receiverUrl } });
const installFolder = mkdtempSync(join(tmpdir(), "tellal-install-"));
afterAll(() => rmSync(installFolder, { recursive: true, force: true }));

const SAMPLE = `
import { createTellal, type Schemas, TellalError, verifyWebhook } from "tellal-client";

interface Message { body: string; headers: Record<string, string | string[] | undefined> }

export async function integrate(
  baseUrl: string, email: string, readToken: () => Promise<string>, file: Blob, url: string, receive: () => Promise<Message>,
) {
  const guest = createTellal({ baseUrl, throwOnError: true });
  const registered = await guest.POST("/api/auth/register", {
    body: {
      name: "Ayşe Kaya", phone: "+905321234567", email, password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true },
    },
  });
  await guest.POST("/api/auth/verify-email", { body: { token: await readToken() } });
  const client = createTellal({ baseUrl, token: registered.data!.token, throwOnError: true });
  const hook = await client.POST("/api/webhooks", { body: { url, events: ["site.created"] } });
  const secret: string = hook.data!.secret;
  const created = await client.POST("/api/sites", { body: { name: "Kaya Kahve", domain: "kaya.example.org" } });
  const id: number = created.data!.site.id;
  const { data } = await client.GET("/api/sites/{id}", { params: { path: { id } } });
  const site: Schemas["SiteDetail"] = data!.data;
  const message = await receive();
  const event = await verifyWebhook<{ type: string; data: Schemas["SiteCreatedEvent"] }>(
    message.body, message.headers, secret,
  );
  const forged = await verifyWebhook(message.body.replace("kaya", "hers"), message.headers, secret)
    .then(() => "accepted", () => "rejected");
  const { media } = await client.upload(file, { name: "menu.pdf" });
  const files: Schemas["MediaFile"][] = [];
  for await (const row of client.paginate("/api/media")) files.push(row);
  const siteIds: number[] = [];
  for await (const row of client.paginate("/api/sites", { after: 0, limit: 1 })) siteIds.push(row.id);
  const error = await client.GET("/api/sites/{id}", { params: { path: { id: 999999 } } }).catch((reason: unknown) => reason);
  return {
    isVerified: event.type === "site.created" && event.data.id === id, forged, site: site.name, kind: media.kind,
    files: files.map(({ name }) => name), siteCount: siteIds.length,
    error: error instanceof TellalError ? [error.status, error.code] : null,
  };
}
`;

const RUNNER = `
import { integrate } from "./sample.js";
const ask = (what) => new Promise((resolve) => { process.once("message", resolve); process.send({ ask: what }); });
process.once("message", async ({ baseUrl, email, file, url }) => {
  const blob = new Blob([Buffer.from(file)]);
  try {
    process.send({ result: await integrate(baseUrl, email, () => ask("token"), blob, url, () => ask("message")) });
  } catch (error) {
    process.send({ error: String(error.stack) });
  }
  process.disconnect();
});
`;

describe("the packed client", () => {
  it("installs without a registry, type-checks and runs a typical integration", async () => {
    await packClient(installFolder);
    writeFileSync(join(installFolder, "package.json"), '{ "private": true, "type": "module" }');
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "./tellal-client.tgz"], {
      cwd: installFolder,
      stdio: "pipe",
    });
    writeFileSync(join(installFolder, "sample.ts"), SAMPLE);
    writeFileSync(
      join(installFolder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: "ES2022",
          module: "nodenext",
          types: [],
          lib: ["ES2023", "DOM", "DOM.Iterable"],
        },
        files: ["sample.ts"],
      }),
    );
    const tsc = resolve("node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", installFolder], { cwd: installFolder, encoding: "utf8" });
    writeFileSync(join(installFolder, "run.js"), RUNNER);

    const email = "integrator@example.com";
    const child = fork(join(installFolder, "run.js"), { cwd: installFolder });
    const result = await new Promise((resolved, rejected) => {
      child.on("error", rejected);
      child.on("exit", () => rejected(new Error("the sample ended without a result")));
      child.on("message", async (message: { ask?: "token" | "message"; result?: object; error?: string }) => {
        if (!message.ask)
          return message.error ? rejected(new Error(message.error)) : resolved(message.result);
        if (message.ask === "message") {
          await server.runJobs();
          return child.send(receivedWebhooks[0]!);
        }
        const [mail] = await deliverAndReadMails(server, email);
        const token = getLinkParam(mail!, "token");
        const user = await prisma().user.findFirstOrThrow({ where: { email } });
        await makeSubscription(user.id);
        child.send(token);
      });
      child.send({
        baseUrl: `http://127.0.0.1:${server.port}`,
        email,
        url: `${receiverUrl}/hook`,
        file: [...Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n")],
      });
    }).finally(() => child.kill());
    expect(result).toEqual({
      isVerified: true,
      forged: "rejected",
      site: "Kaya Kahve",
      kind: "document",
      files: ["menu.pdf"],
      siteCount: 1,
      error: [404, "record_not_found"],
    });
  });

  it("is at most 8 kB in a browser", async () => {
    const { outputFiles } = await build({
      entryPoints: ["client/index.ts"],
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(8 * 1024);
  });
});

describe("a webhook", () => {
  const key = Buffer.from("a-secret-of-thirty-two-bytes-....");
  const secret = `whsec_${key.toString("base64")}`;
  const body = '{"type":"site.created"}';
  const sign = (timestamp: number) =>
    `v1,${createHmac("sha256", key).update(`msg_1.${timestamp}.${body}`).digest("base64")}`;
  const now = 1_800_000_000;
  const buildHeaders = (changes = {}) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(now),
    "webhook-signature": sign(now),
    ...changes,
  });
  const verify = (changes = {}, secrets: string | string[] = secret, payload = body) =>
    verifyWebhook(payload, buildHeaders(changes), secrets, { now: now * 1000 });

  it("is accepted with our signature, also while the secret is rotated", async () => {
    expect(await verify()).toEqual({ type: "site.created" });
    expect(await verify({}, ["whsec_b3RoZXI=", secret])).toEqual({ type: "site.created" });
    expect(await verify({ "webhook-signature": `v1,${"A".repeat(43)}= ${sign(now)}` })).toBeTruthy();
    expect(await verifyWebhook(body, new Headers(buildHeaders()), secret, { now: now * 1000 })).toBeTruthy();
  });

  it.each([
    ["another body", {}, secret, `${body} `],
    ["another secret", {}, "whsec_b3RoZXI=", body],
    ["another id", { "webhook-id": "msg_2" }, secret, body],
    [
      "an old time",
      { "webhook-timestamp": String(now - 301), "webhook-signature": sign(now - 301) },
      secret,
      body,
    ],
    [
      "a future time",
      { "webhook-timestamp": String(now + 301), "webhook-signature": sign(now + 301) },
      secret,
      body,
    ],
    ["no signature", { "webhook-signature": undefined }, secret, body],
    ["another version", { "webhook-signature": sign(now).replace("v1", "v2") }, secret, body],
    ["invalid base64", { "webhook-signature": "v1,x" }, secret, body],
  ])("is rejected with %s", async (_, changes, secrets, text) => {
    await expect(verify(changes, secrets, text)).rejects.toThrow(/^The webhook/);
  });
});
