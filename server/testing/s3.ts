import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type S3Bucket, type S3Response, sendS3Response, serveS3 } from "@/server/sandbox/s3";

interface Fault {
  match: RegExp;
  times?: number;
  /** `cut` sends half of the body; `lost` performs the call without a response; a number is a status. */
  response: "reset" | "hang" | "cut" | "lost" | number | ((response: S3Response) => S3Response);
}

export interface FakeS3 {
  bucket: S3Bucket;
  env: Record<string, string>;
  calls: string[];
  faults: Fault[];
  beforeCall?: (call: string) => Promise<void>;
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
  const fakeS3: FakeS3 = { bucket, env: {}, calls: [], faults: [], close };
  const server = createServer((req, res) => void respond(req, res, fakeS3).catch(() => req.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  async function close() {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  fakeS3.env = {
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    S3_BUCKET: bucket.name,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
  return fakeS3;
}

async function respond(req: IncomingMessage, res: ServerResponse, fakeS3: FakeS3): Promise<void> {
  const requestLine = `${req.method} ${req.url}`;
  fakeS3.calls.push(requestLine);
  const fault = fakeS3.faults.find(({ match }) => match.test(requestLine));
  if (fault) {
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) fakeS3.faults.splice(fakeS3.faults.indexOf(fault), 1);
  }
  const scriptedResponse = fault?.response;
  if (scriptedResponse === "reset") return void req.socket.destroy();
  if (scriptedResponse === "hang") return;
  await fakeS3.beforeCall?.(requestLine);
  const response =
    typeof scriptedResponse === "number"
      ? { status: scriptedResponse, body: "<Error><Code>Scripted</Code></Error>" }
      : await serveS3(req, fakeS3.bucket);
  await fakeS3.beforeResponse?.(requestLine);
  if (scriptedResponse === "lost") return void req.socket.destroy();
  if (typeof scriptedResponse === "function") return sendS3Response(res, scriptedResponse(response));
  if (scriptedResponse === "cut") {
    const body = Buffer.from(response.body ?? "");
    res.writeHead(response.status, { ...response.headers, "content-length": body.length });
    res.write(body.subarray(0, Math.ceil(body.length / 2)), () => res.destroy());
    return;
  }
  sendS3Response(res, response);
}
