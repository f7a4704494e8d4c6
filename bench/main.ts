import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { copyWithSites, fillAccounts } from "./data";
import { startDatabase, startTrackedServer } from "./environment";
import { measureLatency, measureRecovery, measureSignInLatency } from "./latency";
import {
  createSignIns,
  createTokenReads,
  measureMemory,
  measureSecondFactorStep,
  measureSignIn,
  measureSiteCreation,
  measureSiteList,
  measureSiteListGrowth,
  measureTokenRead,
} from "./scenarios";
import { isPinned, moveSelfToLoadCore } from "./servers";
import { formatTable } from "./table";

const printLine = (text: string) => process.stdout.write(`${text}\n`);
const startedAt = performance.now();
const BASELINE_FILE = new URL("baseline.json", import.meta.url);
const RATIO_TOLERANCE = 0.15;
const baselineFlag = ["--check", "--record"].find((flag) => process.argv.includes(flag));

/** Compares the HTTP server, bare `next start` and a hand-written server on one data set. */
export default async function compareServers(): Promise<undefined> {
  printLine(`${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`);
  printLine(
    `${process.platform} ${release()}, Node.js ${process.version}, embedded PostgreSQL 18 (durability off)`,
  );
  printLine(
    isPinned ? "server on core 0, load on core 1" : "processes are not pinned here: figures are rough",
  );

  const postgres = await startDatabase();
  const tokens = await fillAccounts(postgres.url);
  const siteCounts = { usual: 30_000, small: 10_000, large: 1_000_000 };
  const usualUrl = await copyWithSites(postgres, siteCounts.usual);
  const smallUrl = await copyWithSites(postgres, siteCounts.small);
  const largeUrl = await copyWithSites(postgres, siteCounts.large);
  moveSelfToLoadCore();
  printLine(`data set ready after ${elapsedSeconds()} s\n`);

  const servers = {
    httpServer: await startTrackedServer("HTTP server", usualUrl),
    next: await startTrackedServer("next start", usualUrl),
    handWritten: await startTrackedServer("hand-written", usualUrl),
    tokens,
  };
  const rows = [
    ["call", "server", "requests/s", "CPU µs", "against", "ratio", "CPU ratio", "target", "holds"],
  ];
  for (const scenario of [measureTokenRead, measureSiteList, measureSiteCreation, measureSignIn]) {
    printLine(`${scenario.name} …`);
    rows.push(...(await scenario(servers)));
  }
  printLine("second step …");
  rows.push(...(await measureSecondFactorStep(servers.httpServer, usualUrl)));
  const growthServers = {
    small: await startTrackedServer("HTTP server", smallUrl),
    large: await startTrackedServer("HTTP server", largeUrl),
  };
  rows.push(...(await measureSiteListGrowth({ ...growthServers, tokens })));
  printLine("latency …");
  // Jobs and garbage collection of idle servers would use the same core.
  for (const server of [servers.next, servers.handWritten, growthServers.small, growthServers.large])
    await server.stop();
  rows.push(...(await measureLatency(servers.httpServer, createTokenReads(tokens))));
  rows.push(...(await measureRecovery(servers.httpServer, createTokenReads(tokens))));
  rows.push(...(await measureSignInLatency(servers.httpServer, createSignIns())));
  rows.push(...(await measureMemory(servers.httpServer, postgres.pid)));
  printLine(`\n${formatTable(rows)}\n\ntook ${elapsedSeconds()} s`);
  if (baselineFlag) checkBaseline(rows);
}

function checkBaseline(rows: string[][]): void {
  const ratios = Object.fromEntries(
    rows
      .slice(1)
      // Ratios between the other servers have no baseline.
      .filter((row) => row[1] !== "next start" && row[4] && row[6])
      .map((row) => [`${row[0]} / ${row[4]}`, Number(row[6])]),
  );
  if (baselineFlag === "--record") {
    writeFileSync(BASELINE_FILE, `${JSON.stringify(ratios, null, 2)}\n`);
    return;
  }
  if (!existsSync(BASELINE_FILE)) {
    printLine("nothing is recorded yet: npm run bench -- --record, on a machine without other work");
    process.exitCode = 1;
    return;
  }
  const recorded = JSON.parse(readFileSync(BASELINE_FILE, "utf8")) as Record<string, number>;
  for (const [name, recordedRatio] of Object.entries(recorded)) {
    const currentRatio = ratios[name];
    if (currentRatio !== undefined && currentRatio >= recordedRatio * (1 - RATIO_TOLERANCE)) continue;
    printLine(`worse: ${name} is ${currentRatio ?? "missing"}, recorded ${recordedRatio}`);
    process.exitCode = 1;
  }
}

function elapsedSeconds(): number {
  return Math.round((performance.now() - startedAt) / 1000);
}
