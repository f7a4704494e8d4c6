import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";

/* Baseline for files: node:http without sign-in. servers.ts runs it with PORT and DATA_DIR. */

const directory = process.env.DATA_DIR!;
const textByName = new Map<string, Buffer>();
let uploadCount = 0;

createServer((req, res) => {
  respond(req, res).catch(() => res.destroy());
}).listen(Number(process.env.PORT), "127.0.0.1");

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === "POST") {
    await pipeline(req, createWriteStream(join(directory, `${++uploadCount}.part`), { flush: true }));
    res.writeHead(201, { "content-type": "application/json" }).end('{"success":true}');
    return;
  }
  const name = basename(req.url!);
  if (name.endsWith(".json")) return sendText(name, res);
  if (name !== "picture") return void res.writeHead(401, { "content-length": 0 }).end();
  const path = join(directory, name);
  const { size } = await stat(path);
  res.writeHead(200, { "content-type": "image/jpeg", "content-length": size });
  await pipeline(createReadStream(path), res);
}

function sendText(name: string, res: ServerResponse): void {
  const bytes = textByName.get(name) ?? readFileSync(join(directory, name));
  textByName.set(name, bytes);
  const headers = { "content-type": "application/json; charset=utf-8", "content-encoding": "gzip" };
  res.writeHead(200, { ...headers, "content-length": bytes.length }).end(bytes);
}
