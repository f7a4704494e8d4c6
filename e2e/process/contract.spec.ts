import { expect, test } from "@playwright/test";
import { openFakeIdentityProvider } from "@/server/testing/identity-provider";
import { openFakeSmtpServer } from "@/server/testing/smtp";
import type { Check, Client, Mode } from "../contract/client";
import { runContract } from "../contract/script";
import { ServerProcess } from "../server-process";

/** Enables SMS in both modes, so that derived values are equal. */
const COMMON = {
  SEED: "none",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "0".repeat(32),
  TWILIO_FROM: "Contract",
  TWILIO_API_URL: "http://127.0.0.1:9",
  // Nothing listens here: the check of mail domains must not depend on the network.
  DNS_SERVERS: "127.0.0.1:9",
};
const MODES: Record<Mode, Record<string, string>> = {
  demo: { ...COMMON, APP_MODE: "demo", TRUSTED_PROXY_HOPS: "0" },
  production: { ...COMMON, APP_MODE: "production", HOST: "127.0.0.1", TRUSTED_PROXY_HOPS: "1" },
};

async function run(mode: Mode, bare?: ServerProcess): Promise<Client> {
  const [mail, provider] = await Promise.all([openFakeSmtpServer(), openFakeIdentityProvider()]);
  const server = await ServerProcess.create({ ...MODES[mode], ...provider.env, SMTP_URL: mail.url }, "empty");
  try {
    await server.start();
    return await runContract(mode, { server, mail, provider, bare });
  } finally {
    await server.dispose();
    await Promise.all([mail.stop(), provider.close()]);
  }
}

function formatByCall(findings: Array<{ check: Check; details: string }>): string[] {
  const lines = new Map<string, { check: Check; details: string; more: number }>();
  for (const { check, details } of findings) {
    const line = lines.get(check.label);
    if (line) line.more++;
    else lines.set(check.label, { check, details, more: 0 });
  }
  return [...lines.values()].map(
    ({ check, details, more }) => check.name + (more ? ` (and ${more} more of this call)` : "") + details,
  );
}

function failures({ checks }: Client): string[] {
  const failed = checks.filter(({ ok }) => !ok);
  return formatByCall(
    failed.map((check) => ({
      check,
      details: `\n    expected ${check.expected}, received ${check.received}`,
    })),
  );
}

function differences(demo: Client, production: Client): string[] {
  const others = new Map(production.checks.map((check) => [check.name, check]));
  const names = new Set(demo.checks.map(({ name }) => name));
  const changed = demo.checks.filter(
    ({ name, transcript, varies }) => !varies && others.get(name)?.transcript !== transcript,
  );
  const added = production.checks.filter(({ name, varies }) => !varies && !names.has(name));
  return formatByCall([
    ...changed.map((check) => {
      const other = others.get(check.name)?.transcript ?? "has no such check";
      return { check, details: `\n    demo       ${check.transcript}\n    production ${other}` };
    }),
    ...added.map((check) => ({ check, details: "\n    demo       has no such check" })),
  ]);
}

/** Reports all findings; `toEqual([])` would escape and truncate them. */
function expectNone(what: string, findings: string[]): void {
  expect.soft(findings.length, [`${what}:`, ...findings].join("\n  ")).toBe(0);
}

test("demo mode and production fulfil every sentence of docs/contract.md", async () => {
  test.setTimeout(900_000);
  const bare = await ServerProcess.create(MODES.production, "empty");
  try {
    const [demo, production] = await Promise.all([
      run("demo"),
      bare.start().then(() => run("production", bare)),
    ]);
    expectNone("failed in demo mode", failures(demo));
    expectNone("failed in production", failures(production));
    expect.soft(demo.checks.length, "checks in demo mode").toBeGreaterThanOrEqual(600);
    expect.soft(production.checks.length, "checks in production").toBeGreaterThanOrEqual(600);
    expect.soft(demo.registered, "registrations in demo mode").toBeGreaterThanOrEqual(60);
    expectNone("unexpected 429 in demo mode", demo.unprovoked);
    expectNone("unexpected 429 in production, also from other addresses", production.unprovoked);
    expectNone("different responses in production", differences(demo, production));
  } finally {
    await bare.dispose();
  }
});
