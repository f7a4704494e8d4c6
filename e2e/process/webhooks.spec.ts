import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { ServerProcess } from "../server-process";

const SITE_COUNT = 20;

test("SIGKILL after a site was created and during a delivery loses no webhook", async () => {
  test.setTimeout(400_000);
  const idsByDomain = new Map<string, Set<string>>();
  let onResponse: () => void = () => {};
  const receiver = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request));
    const ids = idsByDomain.get(data.domain) ?? new Set();
    idsByDomain.set(data.domain, ids.add(String(request.headers["webhook-id"])));
    response.writeHead(204).end();
    onResponse();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const server = await ServerProcess.create({ APP_MODE: "demo", OUTBOUND_TRUSTED: url }, "demo");
  try {
    await server.start();
    const login = await server.call("POST", "/api/auth/login", {
      body: { email: "reseller@example.com", password: "demo-password" },
    });
    const token = String(login.body.token);
    const endpointResponse = await server.call("POST", "/api/webhooks", {
      token,
      body: { url: `${url}/hook`, events: ["site.created"] },
    });
    expect(endpointResponse.status).toBe(201);

    const killPromise = new Promise<void>((resolve, reject) => {
      onResponse = () => {
        onResponse = () => {};
        server.killServerAndSupervisor().then(resolve, reject);
      };
    });
    const createdDomains: string[] = [];
    await Promise.allSettled(
      Array.from({ length: SITE_COUNT }, async (_, number) => {
        const domain = `hook${number}.example.com`;
        const body = { name: domain, domain, confirm_pay_per_site: true };
        const { status } = await server.call("POST", "/api/sites", { token, body });
        if (status === 201) createdDomains.push(domain);
      }),
    );
    expect(createdDomains.length).toBeGreaterThan(0);
    await killPromise;
    await server.start();

    // Simulates that the claims of the dead process expire and the dispatcher runs.
    await server.sql(
      "update webhook_deliveries set claimed_until = now() where claimed_until is not null and state = 'waiting'",
    );
    await server.sql("select graphile_worker.add_job('resume_webhooks')");
    const sites = await server.sql<{ domain: string }>("select domain from sites where domain like 'hook%'");
    const findMissing = () => sites.map(({ domain }) => domain).filter((domain) => !idsByDomain.has(domain));
    await expect.poll(findMissing, { timeout: 200_000 }).toEqual([]);
    expect(sites.map(({ domain }) => domain)).toEqual(expect.arrayContaining(createdDomains));
    for (const [domain, ids] of idsByDomain) expect(ids.size, `ids of ${domain}`).toBe(1);
    const listUndelivered = () =>
      server.sql(
        "select id from webhook_deliveries where state <> 'delivered' and endpoint_id = (select max(id) from webhook_endpoints)",
      );
    await expect.poll(async () => (await listUndelivered()).length, { timeout: 100_000 }).toBe(0);
  } finally {
    await server.dispose();
    receiver.closeAllConnections();
    receiver.close();
  }
});
