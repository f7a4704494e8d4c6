import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { copyWithSites, fillAccounts } from "./data";
import { start, startDatabase } from "./environment";
import { measureLatency, measureRecovery, measureSignInLatency } from "./latency";
import {
  memory,
  secondFactorStep,
  signIn,
  signIns,
  siteCreation,
  siteList,
  siteListGrowth,
  tokenRead,
  tokenReads,
} from "./scenarios";
import { isPinned, moveToLoadCore } from "./servers";
import { formatTable } from "./table";

const say = (text: string) => process.stdout.write(`${text}\n`);
const startedAt = performance.now();
/** CPU ratios of the last recorded run. */
const BASELINE = new URL("baseline.json", import.meta.url);
const TOLERANCE = 0.15;
const baselineFlag = ["--check", "--record"].find((flag) => process.argv.includes(flag));

/** Compares the HTTP server, bare `next start` and a hand-written server on one data set. */
export default async function main(): Promise<undefined> {
  say(`${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`);
  say(
    `${process.platform} ${release()}, Node.js ${process.version}, embedded PostgreSQL 18 (durability off)`,
  );
  say(isPinned ? "server on core 0, load on core 1" : "processes are not pinned here: figures are rough");

  const postgres = await startDatabase();
  const tokens = await fillAccounts(postgres.url);
  const copies = { usual: 30_000, small: 10_000, large: 1_000_000 };
  const usual = await copyWithSites(postgres, copies.usual);
  const small = await copyWithSites(postgres, copies.small);
  const large = await copyWithSites(postgres, copies.large);
  moveToLoadCore();
  say(`data set ready after ${seconds()} s\n`);

  const servers = {
    httpServer: await start("HTTP server", usual),
    next: await start("next start", usual),
    handWritten: await start("hand-written", usual),
    tokens,
  };
  const rows = [
    ["call", "server", "requests/s", "CPU µs", "against", "ratio", "CPU ratio", "target", "holds"],
  ];
  for (const scenario of [tokenRead, siteList, siteCreation, signIn]) {
    say(`${scenario.name} …`);
    rows.push(...(await scenario(servers)));
  }
  say("second step …");
  rows.push(...(await secondFactorStep(servers.httpServer, usual)));
  const grown = { small: await start("HTTP server", small), large: await start("HTTP server", large) };
  rows.push(...(await siteListGrowth({ ...grown, tokens })));
  say("latency …");
  // Their jobs and garbage collection would take time on the same core.
  for (const server of [servers.next, servers.handWritten, grown.small, grown.large]) await server.stop();
  rows.push(...(await measureLatency(servers.httpServer, tokenReads(tokens))));
  rows.push(...(await measureRecovery(servers.httpServer, tokenReads(tokens))));
  rows.push(...(await measureSignInLatency(servers.httpServer, signIns())));
  rows.push(...(await memory(servers.httpServer, postgres.pid)));
  say(`\n${formatTable(rows)}\n\ntook ${seconds()} s`);
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
    writeFileSync(BASELINE, `${JSON.stringify(ratios, null, 2)}\n`);
    return;
  }
  if (!existsSync(BASELINE)) {
    say("nothing is recorded yet: npm run bench -- --record, on a machine without other work");
    process.exitCode = 1;
    return;
  }
  const recorded = JSON.parse(readFileSync(BASELINE, "utf8")) as Record<string, number>;
  for (const [name, before] of Object.entries(recorded)) {
    const now = ratios[name];
    if (now !== undefined && now >= before * (1 - TOLERANCE)) continue;
    say(`worse: ${name} is ${now ?? "missing"}, recorded ${before}`);
    process.exitCode = 1;
  }
}

function seconds(): number {
  return Math.round((performance.now() - startedAt) / 1000);
}
