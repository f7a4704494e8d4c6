import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";

/*
 * The baseline of texts that are made once: node:http alone, which sends bytes from memory as they are. They are what lies
 * in its folder under the last part of the address. Run by servers.ts with PORT and DATA_DIR.
 */

const kept = new Map<string, Buffer>();

createServer((req, res) => {
  const name = basename(req.url!);
  if (!name.endsWith(".json")) return void res.writeHead(401, { "content-length": 0 }).end();
  const bytes = kept.get(name) ?? readFileSync(join(process.env.DATA_DIR!, name));
  kept.set(name, bytes);
  res
    .writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-encoding": "gzip",
      "content-length": bytes.length,
    })
    .end(bytes);
}).listen(Number(process.env.PORT), "127.0.0.1");
