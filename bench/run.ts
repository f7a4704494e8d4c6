import { mkdtemp, rm } from "node:fs/promises";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { copyWithSites, fillAccounts } from "./data";
import { memory, secondStep, signIn, siteCreation, siteList, sitesGrow, tokenRead } from "./scenarios";
import { moveToLoadCore, pinned, type Server, serverEnv, startServer } from "./servers";
import { table } from "./table";

/*
 * `npm run bench`: starts the production server, bare `next start` and a hand-written server on one data set, and
 * prints how they compare. It measures and does not judge: it always exits with 0. Needs `npm run build`.
 */

// The servers must be able to decrypt what is sealed here.
process.env.APP_SECRET = serverEnv().APP_SECRET;

const say = (text: string) => process.stdout.write(`${text}\n`);
const startedAt = performance.now();
const dir = await mkdtemp(join(tmpdir(), "tellal-bench-"));
const servers: Server[] = [];
let database: EmbeddedPostgres | undefined;
let cleaning: Promise<void> | undefined;

/** Ends what we started, each by its process. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database?.stop();
    await rm(dir, { recursive: true, force: true });
  })();
  return cleaning;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void cleanUp().finally(() => process.exit(0)));

try {
  await bench();
} catch (error) {
  say(`\nThe bench could not finish: ${(error as Error).message}`);
} finally {
  await cleanUp();
}
process.exit(0);

async function bench(): Promise<void> {
  say(`${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`);
  say(
    `${process.platform} ${release()}, Node.js ${process.version}, embedded PostgreSQL 18 (durability off)`,
  );
  say(pinned ? "server on core 0, load on core 1" : "processes are not pinned here: figures are rough");

  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, "database"), ephemeral: true });
  database = postgres;
  const tokens = await fillAccounts(postgres.url);
  const copies = { usual: 30_000, small: 10_000, large: 1_000_000 };
  const usual = await copyWithSites(postgres, copies.usual);
  const small = await copyWithSites(postgres, copies.small);
  const large = await copyWithSites(postgres, copies.large);
  moveToLoadCore();
  say(`data set ready after ${seconds()} s\n`);

  const start = async (kind: Parameters<typeof startServer>[0], url: string) => {
    const server = await startServer(kind, url, dir);
    servers.push(server);
    return server;
  };
  const three = {
    frontDoor: await start("front door", usual),
    next: await start("next start", usual),
    handWritten: await start("hand-written", usual),
    tokens,
  };
  const rows = [
    ["call", "server", "requests/s", "CPU µs", "against", "ratio", "CPU ratio", "target", "holds"],
  ];
  for (const scenario of [tokenRead, siteList, siteCreation, signIn]) {
    say(`${scenario.name} …`);
    rows.push(...(await scenario(three)));
  }
  say("second step …");
  rows.push(...(await secondStep(three.frontDoor, usual)));
  rows.push(
    ...(await sitesGrow({
      small: await start("front door", small),
      large: await start("front door", large),
      tokens,
    })),
  );
  rows.push(...memory(three.frontDoor, postgres.pid));
  say(`\n${table(rows)}\n\ntook ${seconds()} s`);
}

function seconds(): number {
  return Math.round((performance.now() - startedAt) / 1000);
}
