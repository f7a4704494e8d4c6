import { mkdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { folderOf, start, startDatabase } from "./environment";
import { call } from "./load";
import { compare, type Figures, median, ratio } from "./measure";
import { moveToLoadCore, type Server } from "./servers";
import { holds, short } from "./table";

const TEXTS = ["/api/openapi.json", "/api/postman.json"];
const PLAN = { rounds: 5, seconds: 2, connections: 8 };
const TARGET = 0.9;

/**
 * Compares the OpenAPI document and the Postman collection, compressed by gzip, with a node:http server that has the same
 * bytes in memory, and times the first call after a start.
 */
export default async function integrators(): Promise<string[][]> {
  const { url } = await startDatabase();
  moveToLoadCore();
  const ours = await start("front door", url);
  const theirs = await start("hand-written files", url);
  await mkdir(folderOf(theirs), { recursive: true });
  const rows = [["text", "server", "per second", "CPU µs", "ratio", "CPU ratio", "target", "holds"]];
  for (const path of TEXTS) rows.push(...(await text(path, ours, theirs)));
  return rows;
}

async function text(path: string, ours: Server, theirs: Server): Promise<string[][]> {
  const startedAt = performance.now();
  const bytes = await packed(ours, path);
  const waited = performance.now() - startedAt;
  await writeFile(join(folderOf(theirs), basename(path)), bytes);
  const next = () => call("GET", path, { gzip: true });
  const [mine, others] = await compare(
    [ours, theirs].map((server) => ({ server, next })),
    PLAN,
  );
  const faster = ratio(mine!.perSecond, others!.perSecond);
  const cheaper = mine!.cpu.length > 0 ? short(ratio(others!.cpu, mine!.cpu)) : "";
  const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`;
  return [
    [path, "front door", ...cells(mine!), short(faster), cheaper, String(TARGET), holds(faster >= TARGET)],
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
