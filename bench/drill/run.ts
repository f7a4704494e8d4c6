import { setTimeout as sleep } from "node:timers/promises";
import { checkSharedLimit, checkSharedSessions, runMainPath } from "./checks";
import { ADMINISTRATOR_EMAIL, type Installation, startInstallation } from "./installation";
import { type CallKind, DrillLoad, sendApiRequest } from "./load";
import { type Part, queryRows } from "./parts";

const MODES = ["transaction", "session"] as const;

/** Runs the main path through two servers (docs/operating-servers.md), then kills each part under load. */
export default async function runDrill([name, formerFolder]: string[]): Promise<undefined> {
  const modes = MODES.filter((mode) => !name || name === mode);
  if (name === "upgrade" && formerFolder) await runUpgrade(formerFolder);
  else if (modes.length === 0)
    throw new Error(`${name} is neither ${MODES.join(" nor ")} nor upgrade <folder>`);
  else for (const mode of modes) await runMode(mode);
  printLine(failedCheckCount === 0 ? "\nAll checks passed." : `\nFailed checks: ${failedCheckCount}`);
  if (failedCheckCount > 0) process.exitCode = 1;
}

const printLine = (text: string) => process.stdout.write(`${text}\n`);
const RECOVERY_LIMIT_MS = 120_000;
let failedCheckCount = 0;

function reportCheck(isOk: boolean, text: string): void {
  if (!isOk) failedCheckCount += 1;
  printLine(`  ${isOk ? "ok  " : "FAIL"} ${text}`);
}

async function withInstallation(
  options: Parameters<typeof startInstallation>[0],
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const installation = await startInstallation(options);
  const closeAndExit = () => void installation.close().finally(() => process.exit(1));
  process.once("SIGINT", closeAndExit).once("SIGTERM", closeAndExit);
  try {
    await work(installation);
  } finally {
    process.off("SIGINT", closeAndExit).off("SIGTERM", closeAndExit);
    await installation.close();
  }
}

const runMode = (mode: "transaction" | "session") =>
  withInstallation({ poolMode: mode }, async (installation) => {
    const { version, urls, tokens, mail, appProcesses, killableParts } = installation;
    printLine(`\n${version}, PgBouncer pools by ${mode}`);
    await runMainPath(urls, { mail, administratorEmail: ADMINISTRATOR_EMAIL, reportCheck });
    await checkSharedLimit(urls, tokens.at(-1)!, reportCheck);
    await checkSharedSessions(urls, reportCheck);

    const load = await startLoad(installation);
    for (const part of appProcesses) {
      await part.stop();
      await part.start();
    }
    await checkNoFailures(load, "restarted one after the other");
    for (const part of killableParts) await killPart(part, load);
    await load.stop();

    await checkAcknowledgedWrites(load, installation);
    for (const [index, url] of urls.entries()) {
      const isHealthy = async () => (await sendApiRequest(`${url}/api/health`)).status === 200;
      const isRecovered = await waitUntil("", isHealthy).catch(() => false);
      reportCheck(isRecovered, `server ${index + 1} reports that it is healthy`);
    }
  });

const runUpgrade = (formerFolder: string) =>
  withInstallation({ poolMode: "session", formerFolder }, async (installation) => {
    printLine(`\n${installation.version}, from the release in ${formerFolder}`);
    const load = await startLoad(installation);
    const startedAt = performance.now();
    await installation.migrate();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    await checkNoFailures(load, `the former release, during the migration of ${seconds} s and afterwards`);
    load.resetCounts();
    await installation.replaceProcesses();
    await checkNoFailures(load, "the former release replaced by this one");
    await load.stop();
    await checkAcknowledgedWrites(load, installation);
  });

async function startLoad({ proxyUrl, tokens, supportsUploads }: Installation): Promise<DrillLoad> {
  const load = new DrillLoad(proxyUrl, tokens.slice(0, 5000));
  load.start({ includesUploads: supportsUploads });
  await waitUntil("the load is steady", () => load.requestCount > 300);
  printLine(`  under load: ${formatTally(load)}`);
  load.resetCounts();
  return load;
}

async function checkNoFailures(load: DrillLoad, event: string): Promise<void> {
  await waitUntil("2,000 calls are answered", () => load.requestCount >= 2000);
  const longest = `the longest took ${(load.slowestMs / 1000).toFixed(1)} s`;
  const counts = `${load.failedCount} of ${load.requestCount} failed`;
  reportCheck(load.failedCount === 0, `${event}: ${counts}, ${longest}; ${formatTally(load)}`);
  for (const failure of load.failures) printLine(`       ${failure}`);
}

async function killPart(part: Part, load: DrillLoad): Promise<void> {
  load.resetCounts();
  const { startCount } = part;
  const killedAt = Date.now();
  part.kill();
  const listOutcomes = () =>
    Object.entries(load.lastOutcomes) as Array<[CallKind, { good: number; bad: number }]>;
  const getLastFailureAt = () => Math.max(killedAt, ...listOutcomes().map(([, { bad }]) => bad));
  let readyAt = 0;
  const isRecovered = await waitUntil("", async () => {
    if (part.startCount === startCount) return false;
    readyAt ||= await part.waitUntilReady().then(() => Date.now());
    return Date.now() - getLastFailureAt() > 5000 && listOutcomes().every(([, { good }]) => good > readyAt);
  }).catch(() => false);
  const seconds = ((getLastFailureAt() - killedAt) / 1000).toFixed(1);
  reportCheck(
    isRecovered,
    `${part.name} killed: ${load.failedCount} of ${load.requestCount} failed, the last ${seconds} s later; ${formatTally(load)}`,
  );
  for (const failure of load.failures.slice(0, isRecovered ? 1 : 5)) printLine(`       ${failure}`);
}

async function checkAcknowledgedWrites(
  { acknowledgedWrites }: DrillLoad,
  { directUrl, proxyUrl, mail }: Installation,
): Promise<void> {
  const { siteDomains, addresses, mediaUrls } = acknowledgedWrites;
  const storedSites = await queryRows<{ domain: string }>(
    directUrl,
    "select domain from sites where domain = any($1)",
    [siteDomains],
  );
  reportCheck(
    storedSites.length === siteDomains.length,
    `${storedSites.length} of ${siteDomains.length} sites exist`,
  );
  const [slotCheck] = await queryRows<{ wrong: number }>(
    directUrl,
    `select count(*)::int as wrong from subscriptions s where used_slots <>
       (select count(*) from sites where subscription_id = s.id and deleted_at is null)`,
  );
  reportCheck(slotCheck?.wrong === 0, `${slotCheck?.wrong} subscriptions with a wrong number of used slots`);
  const accounts = await queryRows(directUrl, "select 1 from users where email = any($1)", [addresses]);
  reportCheck(
    accounts.length === addresses.length,
    `${accounts.length} of ${addresses.length} accounts exist`,
  );
  const statuses = [];
  for (const url of mediaUrls) statuses.push((await fetch(proxyUrl + new URL(url).pathname)).status);
  const fileCount = statuses.filter((status) => status === 200).length;
  reportCheck(fileCount === mediaUrls.length, `${fileCount} of ${mediaUrls.length} files exist`);
  const countMailed = () =>
    addresses.filter((address) => mail.mails.some(({ recipients }) => recipients.includes(address))).length;
  await waitUntil("", () => countMailed() === addresses.length).catch(() => false);
  reportCheck(
    countMailed() === addresses.length,
    `${countMailed()} of ${addresses.length} accounts received their mail`,
  );
}

const formatTally = ({ tally }: DrillLoad) =>
  Object.entries(tally)
    .map(
      ([kind, counts]) =>
        `${kind} ${Object.entries(counts)
          .map(([status, count]) => `${status} × ${count}`)
          .join(", ")}`,
    )
    .join("; ");

async function waitUntil(condition: string, isTrue: () => boolean | Promise<boolean>): Promise<true> {
  const deadline = Date.now() + RECOVERY_LIMIT_MS;
  for (; Date.now() < deadline; await sleep(200)) if (await isTrue()) return true;
  throw new Error(`timed out waiting until ${condition}`);
}
