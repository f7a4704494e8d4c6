import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { openFakeSmtpServer } from "@/server/testing/smtp";
import { findMissingRequirement, Machine } from "../installation/machine";
import { Traffic, Visitors } from "../installation/visitors";

/* Runs docs/installation.md, an upgrade, a rollback and a broken release. INSTALL_FROM is the old commit. */

const PANEL_DOMAIN = "panel.example.com";
const PORTAL_DOMAIN = "portal.example.org";
const PASSWORD = "the-first-day-of-production";
const MS_PER_MINUTE = 60_000;

const GIT_AUTHOR = ["-c", "user.name=Tests", "-c", "user.email=tests@example.com"];
const git = (...args: string[]) => execFileSync("git", [...GIT_AUTHOR, ...args], { encoding: "utf8" }).trim();

function parseSections(page: string): Array<{ title: string; lines: string }> {
  return readFileSync(page, "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf("\n")),
      lines: [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines]) => lines).join(""),
    }))
    .filter(({ lines }) => lines !== "");
}

test("docs/installation.md leads to a first site, and no call fails during upgrade and rollback", async () => {
  const missingRequirement = findMissingRequirement();
  test.skip(missingRequirement !== undefined, missingRequirement);
  test.setTimeout(60 * MS_PER_MINUTE);
  const [smtpServer, machine] = await Promise.all([
    openFakeSmtpServer(),
    Machine.create({ hosts: [PANEL_DOMAIN, PORTAL_DOMAIN] }),
  ]);
  const visitors = new Visitors(`https://${PANEL_DOMAIN}`, machine.run("cat /etc/authority/root.pem"));
  try {
    const source = join(machine.srvFolder, "tellal.git");
    git("init", "--quiet", "--bare", "--initial-branch=main", source);
    git("push", "--quiet", source, "HEAD:refs/heads/main");
    const values = {
      NAME: PANEL_DOMAIN,
      CONTACT: "operator@example.com",
      SMTP_URL: smtpServer.url,
      SOURCE: "/srv/tellal.git",
    };
    const [settingsSection, ...sections] = parseSections("docs/installation.md");
    expect(settingsSection!.lines.match(/^export (\w+)=/gm)).toEqual(
      Object.keys(values).map((name) => `export ${name}=`),
    );
    const script = [
      ...Object.entries(values).map(([name, value]) => `export ${name}=${value}`),
      ...sections.map(({ title, lines }) => `echo "@@ $(date +%s.%N) ${title}"\n${lines}`),
      'echo "@@ $(date +%s.%N) end"',
    ].join("\n");
    const formerCommit = process.env.INSTALL_FROM;
    const output = machine.run(
      formerCommit ? script.replace(/^tellal-release$/m, `$& ${formerCommit}`) : script,
      {
        minutes: 30,
      },
    );
    printDurations(output);
    const setupLink = /https:\S+\/setup\?token=\S+/.exec(
      output.slice(output.lastIndexOf("@@ ", output.length - 40)),
    )?.[0];
    expect(setupLink).toContain(`https://${PANEL_DOMAIN}/setup?token=`);

    machine.run("! command -v systemd-analyze || systemd-analyze verify /etc/systemd/system/tellal*");
    const token = new URL(setupLink!).searchParams.get("token");
    const { checks } = await visitors.call(
      "GET",
      `/api/setup?token=${token}&browser_time=${new Date().toISOString()}`,
    );
    expect(checks.filter(({ light }: { light: string }) => light === "red")).toEqual([]);
    const customerToken = await createFirstSite(visitors, smtpServer, token!);
    const releases = await upgrade(machine, visitors, { source, token: customerToken });
    await checkPortal(machine, visitors);
    await rollBack(machine, visitors, { ...releases, token: customerToken });
  } finally {
    await visitors.close();
    await machine.dispose();
    await smtpServer.stop();
  }
});

function printDurations(output: string): void {
  const marks = [...output.matchAll(/^@@ (\S+) (.*)$/gm)];
  for (const [index, [, startedAt, title]] of marks.slice(0, -1).entries())
    process.stdout.write(
      `  ${title!.padEnd(40)} ${(Number(marks[index + 1]![1]) - Number(startedAt)).toFixed(1).padStart(6)} s\n`,
    );
}

async function createFirstSite(
  visitors: Visitors,
  smtpServer: Awaited<ReturnType<typeof openFakeSmtpServer>>,
  token: string,
): Promise<string> {
  const startedAt = performance.now();
  const passwords = { password: PASSWORD, password_confirmation: PASSWORD };
  const administrator = { name: "Deniz Yılmaz", email: "boss@example.com", ...passwords };
  const { token: adminToken } = await visitors.call("POST", "/api/setup", {
    body: { token, ...administrator },
  });
  const bank = { holder: "Tellal A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" };
  await visitors.call("PUT", "/api/admin/settings", { token: adminToken, body: { bank } });

  const person = { name: "Ayşe Kaya", email: "ayse@example.com", phone: "+905321112233", ...passwords };
  const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
  const registration = await visitors.call("POST", "/api/auth/register", { body: { ...person, consents } });
  const link = /https:\S+/.exec((await smtpServer.waitForMails(person.email)).at(-1)!.text!)![0];
  await visitors.call("POST", "/api/auth/verify-email", {
    body: { token: new URL(link).searchParams.get("token") },
  });
  const customerOptions = { token: registration.token };
  const { data: plans } = await visitors.call("GET", "/api/subscription-plans", customerOptions);
  const { order } = await visitors.call("POST", "/api/billing/orders", {
    ...customerOptions,
    body: { plan_id: plans[0].id },
  });
  const payment = {
    user_id: registration.user.id,
    plan_id: plans[0].id,
    order_id: order.id,
    bank_reference: order.reference,
  };
  await visitors.call("POST", "/api/admin/subscriptions/manual-activate/preview", {
    token: adminToken,
    body: payment,
  });
  await visitors.call("POST", "/api/admin/subscriptions/manual-activate", {
    token: adminToken,
    body: payment,
  });
  const body = { name: "Kaya Kahve", domain: "kahve.example.com" };
  expect((await visitors.call("POST", "/api/sites", { ...customerOptions, body })).site.is_active).toBe(true);
  process.stdout.write(
    `  administrator, customer, payment, site ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s\n`,
  );
  return registration.token;
}

/** Expects that the timer's service gets the certificate of a verified portal and nginx uses it. */
async function checkPortal(machine: Machine, visitors: Visitors): Promise<void> {
  const sql = `insert into reseller_portals (reseller_id, domain, proof, verified_at, checks)
    select id, '${PORTAL_DOMAIN}', 'proof', now(), '[]' from users where email = 'ayse@example.com'`;
  machine.run(
    `cd / && runuser -u postgres -- psql --quiet tellal -c "${sql}"\nsystemctl start tellal-portals.service`,
  );
  const { status } = await visitors.fetch(`https://${PORTAL_DOMAIN}/api/health/live`);
  expect(status).toBe(200);
}

const NGINX_FAILURE_LOG = `map $status $is_failed { ~^[23] 0; default 1; }
log_format failed '$time_iso8601 $status $request: $upstream_addr $upstream_status $upstream_connect_time $upstream_response_time';
access_log /var/log/nginx/failed.log failed if=$is_failed;
`;

async function upgrade(
  machine: Machine,
  visitors: Visitors,
  { source, token }: { source: string; token: string },
): Promise<{ former: string; next: string }> {
  const openedPage = await visitors.viewPage("/sign-in", "127.0.0.1");
  expect(openedPage.failures).toEqual([]);
  expect(openedPage.files.length).toBeGreaterThan(3);
  const commit = git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "The next release");
  git("push", "--quiet", source, `${commit}:refs/heads/main`);
  const next = commit.slice(0, 8);
  const former = machine.run("basename $(readlink /srv/tellal/current)").trim();
  const lines = parseSections("docs/operating.md").find(({ title }) => title === "Upgrade")!.lines;
  machine.write("/etc/nginx/conf.d/failed.conf", NGINX_FAILURE_LOG);
  machine.run("nginx -s reload");

  await runUnderTraffic("upgrade", machine, visitors, { token, lines });
  const query = "select distinct version from process_beats";
  const versions = machine.run(`cd / && runuser -u postgres -- psql -At tellal -c "${query}"`).trim();
  expect(versions).toBe(`0.1.0+${next}`);
  for (const file of openedPage.files) expect((await visitors.fetch(file)).status, file).toBe(200);
  return { former, next };
}

async function rollBack(
  machine: Machine,
  visitors: Visitors,
  { former, next, token }: { former: string; next: string; token: string },
): Promise<void> {
  await runUnderTraffic("rollback", machine, visitors, { token, lines: `tellal-release ${former}` });

  machine.run(`echo 'process.exit(1)' > /srv/tellal/releases/${next}/dist/main.js`);
  const output = await runUnderTraffic("broken release", machine, visitors, {
    token,
    lines: `! tellal-release ${next}`,
    // One server alone gets all calls for two minutes; more would exceed the token's rate limit.
    callsPerSecond: 10,
  });
  expect(output).toContain(`The release in use is releases/${former} again.`);
}

/** Expects that no call fails. Returns the output of the lines. */
async function runUnderTraffic(
  label: string,
  machine: Machine,
  visitors: Visitors,
  { token, lines, callsPerSecond = 25 }: { token: string; lines: string; callsPerSecond?: number },
): Promise<string> {
  const traffic = new Traffic(visitors, { token, callsPerSecond, viewsPerSecond: 2 });
  const output = await machine.runAsync(lines);
  await traffic.stop();
  const { callCount, viewCount, fileCount, failures } = traffic;
  process.stdout.write(
    `  ${label} under ${callCount} calls and ${viewCount} page views with ${fileCount} files: ${failures.length} failed\n`,
  );
  if (failures.length > 0)
    process.stdout.write(
      output + machine.run("tail -n 100 /var/log/nginx/failed.log /var/log/nginx/error.log"),
    );
  expect(failures).toEqual([]);
  expect(callCount).toBeGreaterThan(200);
  return output;
}
