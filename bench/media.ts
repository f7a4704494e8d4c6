import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import { fillAccounts } from "./data";
import { getDataDirectory, runSql, startDatabase, startTrackedServer } from "./environment";
import { buildRequest, sendRequest } from "./load";
import { compareContenders, median, medianRatio } from "./measure";
import { readCpuMicroseconds, readResidentMegabytes } from "./processes";
import { moveSelfToLoadCore, type Server } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const BYTES_PER_MB = 1_048_576;
const UPLOAD_COUNT = 20;
const ROUNDS = 3;
const READ_PLAN = { rounds: 5, seconds: 2, connections: 8 };

/** Compares uploads and a picture with a node:http server, and pages of libraries of 500 and 50,000 files. */
export default async function measureMedia([megabytes = "20"]: string[]): Promise<string[][]> {
  const { url } = await startDatabase();
  const tokens = await fillAccounts(url);
  await fillLibraries(url);
  moveSelfToLoadCore();
  const httpServer = await startTrackedServer("HTTP server", url);
  const baselineServer = await startTrackedServer("hand-written files", url);
  await mkdir(getDataDirectory(baselineServer), { recursive: true });
  return [
    ["row", "server", "per second", "CPU ms", "ratio", "CPU ratio", "target", "holds"],
    ...(await measureUploads(httpServer, baselineServer, { tokens, size: Number(megabytes) * BYTES_PER_MB })),
    ...(await measurePicture(httpServer, baselineServer, tokens[UPLOAD_COUNT]!)),
    ...(await measureLists(httpServer, tokens)),
  ];
}

async function fillLibraries(url: string): Promise<void> {
  await runSql(
    url,
    `insert into media_files (user_id, uploaded_by_id, kind, mime_type, name, name_folded, size, file_key)
       select owner, owner, 'document', 'application/pdf', 'belge ' || i || '.pdf', 'belge ' || i || '.pdf', 1000,
              'media/files/0f/' || owner || 'x' || i || '.pdf'
         from (values (101, 500), (102, 50000)) as library (owner, files), generate_series(1, files) i;
     insert into media_usage (user_id, bytes, files) values (101, 500000, 500), (102, 50000000, 50000)`,
  );
  await runSql(url, "vacuum (analyze)");
}

function* buildForm(size: number): Generator<Buffer> {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n');
  const chunk = Buffer.alloc(BYTES_PER_MB, 32);
  // The first and the last line of the PDF have 15 bytes.
  for (let remaining = size - 15; remaining > 0; remaining -= chunk.length)
    yield chunk.subarray(0, remaining);
  yield Buffer.from("%%EOF\n\r\n--b--\r\n");
}

/** Sends a form. Returns the body of a 201; throws for any other status. */
function upload({ name, port }: Server, token: string, content: Iterable<Buffer>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "multipart/form-data; boundary=b",
      "x-forwarded-for": "10.0.0.1",
    };
    const req = request({ port, host: "127.0.0.1", method: "POST", path: "/api/media/upload", headers });
    req.on("response", async (res) => {
      const body = await buffer(res);
      if (res.statusCode === 201) resolve(body);
      else reject(new Error(`${name}: ${res.statusCode} ${body}`));
    });
    pipeline(Readable.from(content), req).catch(reject);
  });
}

async function measureUploads(
  httpServer: Server,
  baselineServer: Server,
  { tokens, size }: { tokens: string[]; size: number },
): Promise<string[][]> {
  const servers = [httpServer, baselineServer];
  const uploadAll = (server: Server, bytes: number) =>
    Promise.all(tokens.slice(0, UPLOAD_COUNT).map((token) => upload(server, token, buildForm(bytes))));
  for (const server of servers) await uploadAll(server, BYTES_PER_MB);
  const figures = servers.map(() => ({ perSecond: [] as number[], cpu: [] as number[] }));
  const idleMemory = servers.map(({ pid }) => readResidentMegabytes(pid) ?? Number.NaN);
  const peakMemory = [...idleMemory];
  for (let round = 0; round < ROUNDS; round++)
    for (const index of round % 2 ? [1, 0] : [0, 1]) {
      const server = servers[index]!;
      const timer = setInterval(() => {
        peakMemory[index] = Math.max(peakMemory[index]!, readResidentMegabytes(server.pid) ?? 0);
      }, 50);
      const [cpuBefore, startedAt] = [readCpuMicroseconds(server.pid), performance.now()];
      await uploadAll(server, size).finally(() => clearInterval(timer));
      const seconds = (performance.now() - startedAt) / 1000;
      figures[index]!.perSecond.push((UPLOAD_COUNT * size) / BYTES_PER_MB / seconds);
      if (cpuBefore !== undefined)
        figures[index]!.cpu.push((readCpuMicroseconds(server.pid)! - cpuBefore) / 1000 / UPLOAD_COUNT);
      for (const folder of ["media/files", "spool"])
        await rm(join(getDataDirectory(server), folder), { recursive: true, force: true });
      if (server === baselineServer) await clearDirectory(getDataDirectory(server));
    }
  const name = `${UPLOAD_COUNT} uploads of ${size / BYTES_PER_MB} MB at once`;
  const growth = peakMemory.map((value, index) => value - idleMemory[index]!);
  return [
    ...buildComparisonRows(name, "MB", figures, 0.8),
    [
      "memory above idle",
      httpServer.name,
      "",
      "",
      `${formatNumber(growth[0])} MB`,
      "",
      "150 MB",
      yesOrNo(growth[0]! <= 150),
    ],
    ["memory above idle", "hand-written", "", "", `${formatNumber(growth[1])} MB`, "", "", ""],
  ];
}

async function clearDirectory(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
}

async function measurePicture(
  httpServer: Server,
  baselineServer: Server,
  token: string,
): Promise<string[][]> {
  const side = 1200;
  const photo = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
  const formHead = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const uploadBody = await upload(httpServer, token, [
    Buffer.from(formHead),
    photo,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const { pathname } = new URL((JSON.parse(String(uploadBody)) as { url: string }).url);
  const response = await fetch(`http://127.0.0.1:${httpServer.port}${pathname}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(join(getDataDirectory(baselineServer), "picture"), bytes);
  const figures = await compareContenders(
    [
      { server: httpServer, nextRequest: () => buildRequest("GET", pathname, {}) },
      { server: baselineServer, nextRequest: () => buildRequest("GET", "/picture", {}) },
    ],
    READ_PLAN,
  );
  return buildComparisonRows(
    `a picture of ${(bytes.length / BYTES_PER_MB).toFixed(1)} MB`,
    "",
    toMilliseconds(figures),
    0.6,
  );
}

/** Requests the first page of a library sequentially, because an account is limited to 600 calls a minute. */
async function measureLists(server: Server, tokens: string[]): Promise<string[][]> {
  const [largeLibrary, smallLibrary] = [102, 101].map((account) => ({
    account,
    perSecond: [] as number[],
    cpu: [] as number[],
  }));
  for (let round = 0; round <= 8; round++)
    for (const { account, perSecond, cpu } of round % 2
      ? [largeLibrary!, smallLibrary!]
      : [smallLibrary!, largeLibrary!]) {
      const [cpuBefore, startedAt] = [readCpuMicroseconds(server.pid), performance.now()];
      for (let turn = 0; turn < 60; turn++) {
        const { status } = await sendRequest(
          server.port,
          buildRequest("GET", "/api/media", { token: tokens[account - 1]! }),
        );
        if (status !== 200) throw new Error(`a page: ${status}`);
      }
      if (round === 0) continue;
      perSecond.push(60_000 / (performance.now() - startedAt));
      if (cpuBefore !== undefined) cpu.push((readCpuMicroseconds(server.pid)! - cpuBefore) / 1000 / 60);
    }
  const rateRatio = medianRatio(smallLibrary!.perSecond, largeLibrary!.perSecond);
  const cpuRatio = medianRatio(largeLibrary!.cpu, smallLibrary!.cpu);
  return [
    [
      "page of 50,000 files",
      server.name,
      ...formatSeries(largeLibrary!),
      formatNumber(rateRatio),
      formatNumber(cpuRatio),
      "1.2",
      yesOrNo(rateRatio <= 1.2),
    ],
    ["page of 500 files", server.name, ...formatSeries(smallLibrary!), "", "", "", ""],
  ];
}

interface Series {
  perSecond: number[];
  cpu: number[];
}

function toMilliseconds(figures: Series[]): Series[] {
  return figures.map(({ perSecond, cpu }) => ({ perSecond, cpu: cpu.map((value) => value / 1000) }));
}

function formatSeries({ perSecond, cpu }: Series, unit = ""): string[] {
  return [`${formatNumber(median(perSecond))} ${unit}`.trim(), cpu.length ? formatNumber(median(cpu)) : ""];
}

function buildComparisonRows(name: string, unit: string, figures: Series[], target: number): string[][] {
  const [ourSeries, baselineSeries] = [figures[0]!, figures[1]!];
  const rateRatio = medianRatio(ourSeries.perSecond, baselineSeries.perSecond);
  const cpuRatio = ourSeries.cpu.length ? formatNumber(medianRatio(baselineSeries.cpu, ourSeries.cpu)) : "";
  return [
    [
      name,
      "HTTP server",
      ...formatSeries(ourSeries, unit),
      formatNumber(rateRatio),
      cpuRatio,
      String(target),
      yesOrNo(rateRatio >= target),
    ],
    [name, "hand-written", ...formatSeries(baselineSeries, unit), "", "", "", ""],
  ];
}
