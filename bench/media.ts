import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import { fillAccounts } from "./data";
import { folderOf, sqlAt, start, startDatabase } from "./environment";
import { ask, call } from "./load";
import { compare, median, ratio } from "./measure";
import { cpuTime, residentMemory } from "./processes";
import { moveToLoadCore, type Server } from "./servers";
import { holds, short } from "./table";

const MB = 1_048_576;
const AT_ONCE = 20;
const ROUNDS = 3;
const READING = { rounds: 5, seconds: 2, connections: 8 };

/**
 * Compares twenty uploads at the same time and a picture of 1 MB with a node:http server that streams, and a page of a
 * library of 50,000 files with one of 500. Files have 20 MB, or as many as the argument says.
 */
export default async function media([megabytes = "20"]: string[]): Promise<string[][]> {
  const { url } = await startDatabase();
  const tokens = await fillAccounts(url);
  await fillLibraries(url);
  moveToLoadCore();
  const ours = await start("front door", url);
  const theirs = await start("hand-written files", url);
  await mkdir(folderOf(theirs), { recursive: true });
  return [
    ["row", "server", "per second", "CPU ms", "ratio", "CPU ratio", "target", "holds"],
    ...(await uploading(ours, theirs, { tokens, size: Number(megabytes) * MB })),
    ...(await serving(ours, theirs, tokens[AT_ONCE]!)),
    ...(await listing(ours, tokens)),
  ];
}

/** Accounts 101 and 102 have libraries of 500 and 50,000 files. */
async function fillLibraries(url: string): Promise<void> {
  await sqlAt(
    url,
    `insert into media_files (user_id, uploaded_by_id, kind, mime_type, name, name_folded, size, file_key)
       select owner, owner, 'document', 'application/pdf', 'belge ' || i || '.pdf', 'belge ' || i || '.pdf', 1000,
              'media/files/0f/' || owner || 'x' || i || '.pdf'
         from (values (101, 500), (102, 50000)) as library (owner, files), generate_series(1, files) i;
     insert into media_usage (user_id, bytes, files) values (101, 500000, 500), (102, 50000000, 50000)`,
  );
  await sqlAt(url, "vacuum (analyze)");
}

/** A form with one document of that many bytes, piece by piece. */
function* form(size: number): Generator<Buffer> {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n');
  const piece = Buffer.alloc(MB, 32);
  for (let left = size - 15; left > 0; left -= piece.length) yield piece.subarray(0, left);
  yield Buffer.from("%%EOF\n\r\n--b--\r\n");
}

/** Sends a form; returns the body of a 201, and throws for anything else. */
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

/** Twenty files at once, each by an account of its own. */
async function uploading(
  ours: Server,
  theirs: Server,
  { tokens, size }: { tokens: string[]; size: number },
): Promise<string[][]> {
  const both = [ours, theirs];
  const all = (server: Server, bytes: number) =>
    Promise.all(tokens.slice(0, AT_ONCE).map((token) => upload(server, token, form(bytes))));
  for (const server of both) await all(server, MB);
  const figures = both.map(() => ({ perSecond: [] as number[], cpu: [] as number[] }));
  const idle = both.map(({ pid }) => residentMemory(pid) ?? Number.NaN);
  const most = [...idle];
  for (let round = 0; round < ROUNDS; round++)
    for (const index of round % 2 ? [1, 0] : [0, 1]) {
      const server = both[index]!;
      const watch = setInterval(() => {
        most[index] = Math.max(most[index]!, residentMemory(server.pid) ?? 0);
      }, 50);
      const [cpu, startedAt] = [cpuTime(server.pid), performance.now()];
      await all(server, size).finally(() => clearInterval(watch));
      const seconds = (performance.now() - startedAt) / 1000;
      figures[index]!.perSecond.push((AT_ONCE * size) / MB / seconds);
      if (cpu !== undefined) figures[index]!.cpu.push((cpuTime(server.pid)! - cpu) / 1000 / AT_ONCE);
      for (const left of ["media/files", "spool"])
        await rm(join(folderOf(server), left), { recursive: true, force: true });
      if (server === theirs) await emptied(folderOf(server));
    }
  const what = `${AT_ONCE} uploads of ${size / MB} MB at once`;
  const above = most.map((value, index) => value - idle[index]!);
  return [
    ...against(what, "MB", figures, 0.8),
    ["memory above idle", ours.name, "", "", `${short(above[0])} MB`, "", "150 MB", holds(above[0]! <= 150)],
    ["memory above idle", "hand-written", "", "", `${short(above[1])} MB`, "", "", ""],
  ];
}

async function emptied(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
}

/** A picture that the product drew, at its public address. */
async function serving(ours: Server, theirs: Server, token: string): Promise<string[][]> {
  const side = 1200;
  const photo = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const sent = await upload(ours, token, [Buffer.from(head), photo, Buffer.from("\r\n--b--\r\n")]);
  const { pathname } = new URL((JSON.parse(String(sent)) as { url: string }).url);
  const drawn = await fetch(`http://127.0.0.1:${ours.port}${pathname}`);
  const bytes = Buffer.from(await drawn.arrayBuffer());
  await writeFile(join(folderOf(theirs), "picture"), bytes);
  const figures = await compare(
    [
      { server: ours, next: () => call("GET", pathname, {}) },
      { server: theirs, next: () => call("GET", "/picture", {}) },
    ],
    READING,
  );
  return against(`a picture of ${(bytes.length / MB).toFixed(1)} MB`, "", inMs(figures), 0.6);
}

/** The first page of a library, one call after another: an account may make 600 a minute. */
async function listing(server: Server, tokens: string[]): Promise<string[][]> {
  const [many, few] = [102, 101].map((account) => ({
    account,
    perSecond: [] as number[],
    cpu: [] as number[],
  }));
  for (let round = 0; round <= 8; round++)
    for (const { account, perSecond, cpu } of round % 2 ? [many!, few!] : [few!, many!]) {
      const [before, startedAt] = [cpuTime(server.pid), performance.now()];
      for (let turn = 0; turn < 60; turn++) {
        const { status } = await ask(server.port, call("GET", "/api/media", { token: tokens[account - 1]! }));
        if (status !== 200) throw new Error(`a page: ${status}`);
      }
      // The first round warms up.
      if (round === 0) continue;
      perSecond.push(60_000 / (performance.now() - startedAt));
      if (before !== undefined) cpu.push((cpuTime(server.pid)! - before) / 1000 / 60);
    }
  const slower = ratio(few!.perSecond, many!.perSecond);
  const costlier = ratio(many!.cpu, few!.cpu);
  return [
    [
      "page of 50,000 files",
      server.name,
      ...cells(many!),
      short(slower),
      short(costlier),
      "1.2",
      holds(slower <= 1.2),
    ],
    ["page of 500 files", server.name, ...cells(few!), "", "", "", ""],
  ];
}

interface Series {
  perSecond: number[];
  cpu: number[];
}

/** Of one request, in milliseconds instead of microseconds. */
function inMs(figures: Series[]): Series[] {
  return figures.map(({ perSecond, cpu }) => ({ perSecond, cpu: cpu.map((value) => value / 1000) }));
}

function cells({ perSecond, cpu }: Series, unit = ""): string[] {
  return [`${short(median(perSecond))} ${unit}`.trim(), cpu.length ? short(median(cpu)) : ""];
}

function against(what: string, unit: string, figures: Series[], target: number): string[][] {
  const [ours, theirs] = [figures[0]!, figures[1]!];
  const faster = ratio(ours.perSecond, theirs.perSecond);
  const cheaper = ours.cpu.length ? short(ratio(theirs.cpu, ours.cpu)) : "";
  return [
    [
      what,
      "front door",
      ...cells(ours, unit),
      short(faster),
      cheaper,
      String(target),
      holds(faster >= target),
    ],
    [what, "hand-written", ...cells(theirs, unit), "", "", "", ""],
  ];
}
