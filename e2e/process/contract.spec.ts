import { expect, test } from "@playwright/test";
import { openFakeIdentityProvider } from "@/server/testing/identity-provider";
import { openFakeSmtpServer } from "@/server/testing/smtp";
import type { Check, Client, Mode } from "../contract/client";
import { runContract } from "../contract/run-contract";
import { ServerProcess } from "../server-process";

/** Enables SMS in both modes, so that derived values are equal. */
const COMMON_SETTINGS = {
  SEED: "none",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "0".repeat(32),
  TWILIO_FROM: "Contract",
  TWILIO_API_URL: "http://127.0.0.1:9",
  // Nothing listens here: the check of mail domains must not depend on the network.
  DNS_SERVERS: "127.0.0.1:9",
};
const SETTINGS_BY_MODE: Record<Mode, Record<string, string>> = {
  demo: { ...COMMON_SETTINGS, APP_MODE: "demo", TRUSTED_PROXY_HOPS: "0" },
  production: { ...COMMON_SETTINGS, APP_MODE: "production", HOST: "127.0.0.1", TRUSTED_PROXY_HOPS: "1" },
};

async function runMode(mode: Mode, serverWithoutProviders?: ServerProcess): Promise<Client> {
  const [smtpServer, identityProvider] = await Promise.all([
    openFakeSmtpServer(),
    openFakeIdentityProvider(),
  ]);
  const server = await ServerProcess.create(
    { ...SETTINGS_BY_MODE[mode], ...identityProvider.env, SMTP_URL: smtpServer.url },
    "empty",
  );
  try {
    await server.start();
    return await runContract(mode, {
      server,
      smtpServer,
      identityProvider,
      serverWithoutProviders,
    });
  } finally {
    await server.dispose();
    await Promise.all([smtpServer.stop(), identityProvider.close()]);
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

function formatFailures({ checks }: Client): string[] {
  const failedChecks = checks.filter(({ isPassing }) => !isPassing);
  return formatByCall(
    failedChecks.map((check) => ({
      check,
      details: `\n    expected ${check.expected}, received ${check.received}`,
    })),
  );
}

function formatDifferences(demo: Client, production: Client): string[] {
  const productionChecks = new Map(production.checks.map((check) => [check.name, check]));
  const names = new Set(demo.checks.map(({ name }) => name));
  const changedChecks = demo.checks.filter(
    ({ name, transcript, varies }) => !varies && productionChecks.get(name)?.transcript !== transcript,
  );
  const addedChecks = production.checks.filter(({ name, varies }) => !varies && !names.has(name));
  return formatByCall([
    ...changedChecks.map((check) => {
      const productionTranscript = productionChecks.get(check.name)?.transcript ?? "has no such check";
      return {
        check,
        details: `\n    demo       ${check.transcript}\n    production ${productionTranscript}`,
      };
    }),
    ...addedChecks.map((check) => ({ check, details: "\n    demo       has no such check" })),
  ]);
}

/** Reports all findings; `toEqual([])` would escape and truncate them. */
function expectNoFindings(subject: string, findings: string[]): void {
  expect.soft(findings.length, [`${subject}:`, ...findings].join("\n  ")).toBe(0);
}

test("demo mode and production fulfil every sentence of docs/contract.md", async () => {
  test.setTimeout(900_000);
  const serverWithoutProviders = await ServerProcess.create(SETTINGS_BY_MODE.production, "empty");
  try {
    const [demo, production] = await Promise.all([
      runMode("demo"),
      serverWithoutProviders.start().then(() => runMode("production", serverWithoutProviders)),
    ]);
    expectNoFindings("failed in demo mode", formatFailures(demo));
    expectNoFindings("failed in production", formatFailures(production));
    // Guards against groups of checks that silently do not run.
    expect.soft(demo.checks.length, "checks in demo mode").toBeGreaterThanOrEqual(600);
    expect.soft(production.checks.length, "checks in production").toBeGreaterThanOrEqual(600);
    expect.soft(demo.registrationCount, "registrations in demo mode").toBeGreaterThanOrEqual(60);
    expectNoFindings("unexpected 429 in demo mode", demo.unexpectedThrottling);
    expectNoFindings(
      "unexpected 429 in production, also from other addresses",
      production.unexpectedThrottling,
    );
    expectNoFindings("different responses in production", formatDifferences(demo, production));
  } finally {
    await serverWithoutProviders.dispose();
  }
});
