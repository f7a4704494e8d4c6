import { mkdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { dataDirOf, start, startDatabase } from "./environment";
import { call } from "./load";
import { compare, type Figures, median, ratio } from "./measure";
import { moveToLoadCore, type Server } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const TEXTS = ["/api/openapi.json", "/api/postman.json"];
const PLAN = { rounds: 5, seconds: 2, connections: 8 };
const TARGET = 0.9;

/** Compares the OpenAPI document and Postman collection with a server that has the same bytes in memory. */
export default async function integrators(): Promise<string[][]> {
  const { url } = await startDatabase();
  moveToLoadCore();
  const ours = await start("HTTP server", url);
  const theirs = await start("hand-written files", url);
  await mkdir(dataDirOf(theirs), { recursive: true });
  const rows = [["text", "server", "per second", "CPU µs", "ratio", "CPU ratio", "target", "holds"]];
  for (const path of TEXTS) rows.push(...(await measureText(path, ours, theirs)));
  return rows;
}

async function measureText(path: string, ours: Server, theirs: Server): Promise<string[][]> {
  const startedAt = performance.now();
  const bytes = await fetchGzipped(ours, path);
  const firstCallMs = performance.now() - startedAt;
  await writeFile(join(dataDirOf(theirs), basename(path)), bytes);
  const next = () => call("GET", path, { gzip: true });
  const [own, baseline] = await compare(
    [ours, theirs].map((server) => ({ server, next })),
    PLAN,
  );
  const rateRatio = ratio(own!.perSecond, baseline!.perSecond);
  const cpuRatio = own!.cpu.length > 0 ? formatNumber(ratio(baseline!.cpu, own!.cpu)) : "";
  const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`;
  return [
    [
      path,
      "HTTP server",
      ...figureCells(own!),
      formatNumber(rateRatio),
      cpuRatio,
      String(TARGET),
      yesOrNo(rateRatio >= TARGET),
    ],
    [path, "hand-written", ...figureCells(baseline!), "", "", "", ""],
    ["its size", "", kB(bytes.length), "", `of ${kB(gunzipSync(bytes).length)}`, "", "", ""],
    ["its first call", "", `${formatNumber(firstCallMs)} ms`, "", "", "", "", ""],
  ];
}

function figureCells({ perSecond, cpu }: Figures): string[] {
  return [formatNumber(median(perSecond)), cpu.length > 0 ? formatNumber(median(cpu)) : ""];
}

function fetchGzipped({ port }: Server, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get({ port, path, host: "127.0.0.1", headers: { "accept-encoding": "gzip" } }, (response) => {
      if (response.statusCode === 200) buffer(response).then(resolve, reject);
      else reject(new Error(`${path}: ${response.statusCode}`));
    }).on("error", reject);
  });
}
