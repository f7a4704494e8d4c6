import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import { fillAccounts } from "./data";
import { dataDirOf, runSql, start, startDatabase } from "./environment";
import { call, sendRequest } from "./load";
import { compare, median, ratio } from "./measure";
import { cpuTime, residentMemory } from "./processes";
import { moveToLoadCore, type Server } from "./servers";
import { formatNumber, yesOrNo } from "./table";

const MB = 1_048_576;
const UPLOADS = 20;
const ROUNDS = 3;
const READING = { rounds: 5, seconds: 2, connections: 8 };

/** Compares uploads and a picture with a node:http server, and pages of libraries of 500 and 50,000 files. */
export default async function media([megabytes = "20"]: string[]): Promise<string[][]> {
  const { url } = await startDatabase();
  const tokens = await fillAccounts(url);
  await fillLibraries(url);
  moveToLoadCore();
  const ours = await start("HTTP server", url);
  const theirs = await start("hand-written files", url);
  await mkdir(dataDirOf(theirs), { recursive: true });
  return [
    ["row", "server", "per second", "CPU ms", "ratio", "CPU ratio", "target", "holds"],
    ...(await measureUploads(ours, theirs, { tokens, size: Number(megabytes) * MB })),
    ...(await measurePicture(ours, theirs, tokens[UPLOADS]!)),
    ...(await measureLists(ours, tokens)),
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

function* form(size: number): Generator<Buffer> {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n');
  const chunk = Buffer.alloc(MB, 32);
  for (let left = size - 15; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
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
  ours: Server,
  theirs: Server,
  { tokens, size }: { tokens: string[]; size: number },
): Promise<string[][]> {
  const servers = [ours, theirs];
  const all = (server: Server, bytes: number) =>
    Promise.all(tokens.slice(0, UPLOADS).map((token) => upload(server, token, form(bytes))));
  for (const server of servers) await all(server, MB);
  const figures = servers.map(() => ({ perSecond: [] as number[], cpu: [] as number[] }));
  const idle = servers.map(({ pid }) => residentMemory(pid) ?? Number.NaN);
  const peak = [...idle];
  for (let round = 0; round < ROUNDS; round++)
    for (const index of round % 2 ? [1, 0] : [0, 1]) {
      const server = servers[index]!;
      const timer = setInterval(() => {
        peak[index] = Math.max(peak[index]!, residentMemory(server.pid) ?? 0);
      }, 50);
      const [cpu, startedAt] = [cpuTime(server.pid), performance.now()];
      await all(server, size).finally(() => clearInterval(timer));
      const seconds = (performance.now() - startedAt) / 1000;
      figures[index]!.perSecond.push((UPLOADS * size) / MB / seconds);
      if (cpu !== undefined) figures[index]!.cpu.push((cpuTime(server.pid)! - cpu) / 1000 / UPLOADS);
      for (const folder of ["media/files", "spool"])
        await rm(join(dataDirOf(server), folder), { recursive: true, force: true });
      if (server === theirs) await emptyFolder(dataDirOf(server));
    }
  const name = `${UPLOADS} uploads of ${size / MB} MB at once`;
  const growth = peak.map((value, index) => value - idle[index]!);
  return [
    ...comparisonRows(name, "MB", figures, 0.8),
    [
      "memory above idle",
      ours.name,
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

async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
}

/** Requests an uploaded picture, as the product has encoded it, at its public address. */
async function measurePicture(ours: Server, theirs: Server, token: string): Promise<string[][]> {
  const side = 1200;
  const photo = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const uploaded = await upload(ours, token, [Buffer.from(head), photo, Buffer.from("\r\n--b--\r\n")]);
  const { pathname } = new URL((JSON.parse(String(uploaded)) as { url: string }).url);
  const response = await fetch(`http://127.0.0.1:${ours.port}${pathname}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(join(dataDirOf(theirs), "picture"), bytes);
  const figures = await compare(
    [
      { server: ours, next: () => call("GET", pathname, {}) },
      { server: theirs, next: () => call("GET", "/picture", {}) },
    ],
    READING,
  );
  return comparisonRows(`a picture of ${(bytes.length / MB).toFixed(1)} MB`, "", inMs(figures), 0.6);
}

/** Requests the first page of a library sequentially, because an account is limited to 600 calls a minute. */
async function measureLists(server: Server, tokens: string[]): Promise<string[][]> {
  const [many, few] = [102, 101].map((account) => ({
    account,
    perSecond: [] as number[],
    cpu: [] as number[],
  }));
  for (let round = 0; round <= 8; round++)
    for (const { account, perSecond, cpu } of round % 2 ? [many!, few!] : [few!, many!]) {
      const [before, startedAt] = [cpuTime(server.pid), performance.now()];
      for (let turn = 0; turn < 60; turn++) {
        const { status } = await sendRequest(
          server.port,
          call("GET", "/api/media", { token: tokens[account - 1]! }),
        );
        if (status !== 200) throw new Error(`a page: ${status}`);
      }
      if (round === 0) continue;
      perSecond.push(60_000 / (performance.now() - startedAt));
      if (before !== undefined) cpu.push((cpuTime(server.pid)! - before) / 1000 / 60);
    }
  const rateRatio = ratio(few!.perSecond, many!.perSecond);
  const cpuRatio = ratio(many!.cpu, few!.cpu);
  return [
    [
      "page of 50,000 files",
      server.name,
      ...figureCells(many!),
      formatNumber(rateRatio),
      formatNumber(cpuRatio),
      "1.2",
      yesOrNo(rateRatio <= 1.2),
    ],
    ["page of 500 files", server.name, ...figureCells(few!), "", "", "", ""],
  ];
}

interface Series {
  perSecond: number[];
  cpu: number[];
}

function inMs(figures: Series[]): Series[] {
  return figures.map(({ perSecond, cpu }) => ({ perSecond, cpu: cpu.map((value) => value / 1000) }));
}

function figureCells({ perSecond, cpu }: Series, unit = ""): string[] {
  return [`${formatNumber(median(perSecond))} ${unit}`.trim(), cpu.length ? formatNumber(median(cpu)) : ""];
}

function comparisonRows(name: string, unit: string, figures: Series[], target: number): string[][] {
  const [ours, theirs] = [figures[0]!, figures[1]!];
  const rateRatio = ratio(ours.perSecond, theirs.perSecond);
  const cpuRatio = ours.cpu.length ? formatNumber(ratio(theirs.cpu, ours.cpu)) : "";
  return [
    [
      name,
      "HTTP server",
      ...figureCells(ours, unit),
      formatNumber(rateRatio),
      cpuRatio,
      String(target),
      yesOrNo(rateRatio >= target),
    ],
    [name, "hand-written", ...figureCells(theirs, unit), "", "", "", ""],
  ];
}
