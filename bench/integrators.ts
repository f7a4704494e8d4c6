import { mkdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { getDataDirectory, startDatabase, startTrackedServer } from "./environment";
import { buildRequest } from "./load";
import { compareContenders, type Figures, median, medianRatio } from "./measure";
import { moveSelfToLoadCore, type Server } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const TEXT_PATHS = ["/api/openapi.json", "/api/postman.json"];
const MEASUREMENT_PLAN = { rounds: 5, seconds: 2, connections: 8 };
const RATIO_TARGET = 0.9;

/** Compares the OpenAPI document and Postman collection with a server that has the same bytes in memory. */
export default async function measureIntegrators(): Promise<string[][]> {
  const { url } = await startDatabase();
  moveSelfToLoadCore();
  const httpServer = await startTrackedServer("HTTP server", url);
  const baselineServer = await startTrackedServer("hand-written files", url);
  await mkdir(getDataDirectory(baselineServer), { recursive: true });
  const rows = [["text", "server", "per second", "CPU µs", "ratio", "CPU ratio", "target", "holds"]];
  for (const path of TEXT_PATHS) rows.push(...(await measureText(path, httpServer, baselineServer)));
  return rows;
}

async function measureText(path: string, httpServer: Server, baselineServer: Server): Promise<string[][]> {
  const startedAt = performance.now();
  const bytes = await fetchGzipped(httpServer, path);
  const firstCallMs = performance.now() - startedAt;
  await writeFile(join(getDataDirectory(baselineServer), basename(path)), bytes);
  const nextRequest = () => buildRequest("GET", path, { gzip: true });
  const [ourFigures, baseline] = await compareContenders(
    [httpServer, baselineServer].map((server) => ({ server, nextRequest })),
    MEASUREMENT_PLAN,
  );
  const rateRatio = medianRatio(ourFigures!.perSecond, baseline!.perSecond);
  const cpuRatio =
    ourFigures!.cpu.length > 0 ? formatNumber(medianRatio(baseline!.cpu, ourFigures!.cpu)) : "";
  const formatKilobytes = (size: number) => `${(size / 1000).toFixed(1)} kB`;
  return [
    [
      path,
      "HTTP server",
      ...formatFigures(ourFigures!),
      formatNumber(rateRatio),
      cpuRatio,
      String(RATIO_TARGET),
      yesOrNo(rateRatio >= RATIO_TARGET),
    ],
    [path, "hand-written", ...formatFigures(baseline!), "", "", "", ""],
    [
      "its size",
      "",
      formatKilobytes(bytes.length),
      "",
      `of ${formatKilobytes(gunzipSync(bytes).length)}`,
      "",
      "",
      "",
    ],
    ["its first call", "", `${formatNumber(firstCallMs)} ms`, "", "", "", "", ""],
  ];
}

function formatFigures({ perSecond, cpu }: Figures): string[] {
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
