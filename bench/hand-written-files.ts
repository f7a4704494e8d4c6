import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/*
 * The baseline of files: node:http alone. What is sent becomes a file that survives a power cut, as it came; what is
 * asked for is streamed. Nobody is asked who they are. Run by servers.ts with PORT and DATA_DIR.
 */

const folder = process.env.DATA_DIR!;
let count = 0;

createServer((req, res) => {
  respond(req, res).catch(() => res.destroy());
}).listen(Number(process.env.PORT), "127.0.0.1");

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === "POST") {
    await pipeline(req, createWriteStream(join(folder, `${++count}.part`), { flush: true }));
    res.writeHead(201, { "content-type": "application/json" }).end('{"success":true}');
    return;
  }
  if (req.url !== "/picture") return void res.writeHead(401, { "content-length": 0 }).end();
  const path = join(folder, "picture");
  const { size } = await stat(path);
  res.writeHead(200, { "content-type": "image/jpeg", "content-length": size });
  await pipeline(createReadStream(path), res);
}
