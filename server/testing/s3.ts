import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type S3Bucket, type S3Response, sendS3Response, serveS3 } from "@/server/sandbox/s3";

interface Fault {
  match: RegExp;
  times?: number;
  /**
   * `cut` sends half of the body, `lost` performs the call without a response, a number responds with that
   * status, a function changes the response.
   */
  response: "reset" | "hang" | "cut" | "lost" | number | ((response: S3Response) => S3Response);
}

export interface FakeS3 {
  bucket: S3Bucket;
  env: Record<string, string>;
  calls: string[];
  faults: Fault[];
  /** Awaited before a call is performed. */
  beforeCall?: (call: string) => Promise<void>;
  /** Awaited after a call is performed, before the response. */
  beforeResponse?: (call: string) => Promise<void>;
  close(): Promise<void>;
}

export async function openFakeS3(): Promise<FakeS3> {
  const bucket: S3Bucket = {
    name: "tellal-files",
    region: "us-east-1",
    accessKeyId: "AKIDSANDBOX",
    secretAccessKey: "a+secret/of=the.sandbox",
    files: new Map(),
    uploads: new Map(),
  };
  const peer: FakeS3 = { bucket, env: {}, calls: [], faults: [], close };
  const server = createServer((req, res) => void respond(req, res, peer).catch(() => req.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  async function close() {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  peer.env = {
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    S3_BUCKET: bucket.name,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
  return peer;
}

async function respond(req: IncomingMessage, res: ServerResponse, peer: FakeS3): Promise<void> {
  const line = `${req.method} ${req.url}`;
  peer.calls.push(line);
  const fault = peer.faults.find(({ match }) => match.test(line));
  if (fault) {
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) peer.faults.splice(peer.faults.indexOf(fault), 1);
  }
  const scripted = fault?.response;
  if (scripted === "reset") return void req.socket.destroy();
  if (scripted === "hang") return;
  await peer.beforeCall?.(line);
  const response =
    typeof scripted === "number"
      ? { status: scripted, body: "<Error><Code>Scripted</Code></Error>" }
      : await serveS3(req, peer.bucket);
  await peer.beforeResponse?.(line);
  if (scripted === "lost") return void req.socket.destroy();
  if (typeof scripted === "function") return sendS3Response(res, scripted(response));
  if (scripted === "cut") {
    const body = Buffer.from(response.body ?? "");
    res.writeHead(response.status, { ...response.headers, "content-length": body.length });
    res.write(body.subarray(0, Math.ceil(body.length / 2)), () => res.destroy());
    return;
  }
  sendS3Response(res, response);
}
