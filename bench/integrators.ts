import { mkdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { loadavg } from "node:os";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { call } from "./load";
import { compare, type Figures, median, ratio } from "./measure";
import { ownThings } from "./own";
import { moveToLoadCore, type Server, serverEnv } from "./servers";
import { short, table } from "./table";

/*
 * npm run bench:integrators
 *
 * Compares the OpenAPI document and the Postman collection, compressed by gzip, with a node:http server that has the same
 * bytes in memory, and times the first call after a start. Needs `npm run build`. Only measures: always exits with 0.
 */

const TEXTS = ["/api/openapi.json", "/api/postman.json"];
const PLAN = { rounds: 5, seconds: 2, connections: 8 };
const TARGET = 0.9;

process.env.APP_SECRET = serverEnv().APP_SECRET;
const { dir, cleanUp, startDatabase, start } = await ownThings();
const rows = [["text", "server", "per second", "CPU µs", "ratio", "CPU ratio", "target", "holds"]];
try {
  const database = await startDatabase();
  moveToLoadCore();
  const ours = await start("front door", database.url);
  const theirs = await start("hand-written bytes", database.url);
  await mkdir(join(dir, String(theirs.port)), { recursive: true });
  for (const path of TEXTS) rows.push(...(await text(path, ours, theirs)));
} catch (error) {
  process.stdout.write(`The bench could not finish: ${(error as Error).message}\n`);
} finally {
  await cleanUp();
}
process.stdout.write(`${table(rows)}\n\nload of this machine: ${loadavg()[0]!.toFixed(1)}\n`);
process.exit(0);

async function text(path: string, ours: Server, theirs: Server): Promise<string[][]> {
  const startedAt = performance.now();
  const bytes = await packed(ours, path);
  const waited = performance.now() - startedAt;
  await writeFile(join(dir, String(theirs.port), basename(path)), bytes);
  const next = () => call("GET", path, { gzip: true });
  const [mine, others] = await compare(
    [ours, theirs].map((server) => ({ server, next })),
    PLAN,
  );
  const faster = ratio(mine!.perSecond, others!.perSecond);
  const cheaper = mine!.cpu.length > 0 ? short(ratio(others!.cpu, mine!.cpu)) : "";
  const holds = faster >= TARGET ? "yes" : "no";
  const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`;
  return [
    [path, "front door", ...cells(mine!), short(faster), cheaper, String(TARGET), holds],
    [path, "hand-written", ...cells(others!), "", "", "", ""],
    ["its bytes", "", kB(bytes.length), "", `of ${kB(gunzipSync(bytes).length)}`, "", "", ""],
    ["its first caller", "", `${short(waited)} ms`, "", "", "", "", ""],
  ];
}

function cells({ perSecond, cpu }: Figures): string[] {
  return [short(median(perSecond)), cpu.length > 0 ? short(median(cpu)) : ""];
}

/** A text as it is sent. */
function packed({ port }: Server, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get({ port, path, host: "127.0.0.1", headers: { "accept-encoding": "gzip" } }, (response) => {
      if (response.statusCode === 200) buffer(response).then(resolve, reject);
      else reject(new Error(`${path}: ${response.statusCode}`));
    }).on("error", reject);
  });
}
