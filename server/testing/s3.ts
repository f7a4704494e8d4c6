import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, type S3Bucket, sendAnswer, serveS3 } from "@/server/sandbox/s3";

/** What happens instead of the answer, to the next calls that match. */
interface Fault {
  match: RegExp;
  /** Once, unless told. */
  times?: number;
  /**
   * `cut` sends half of the body, `lost` performs the call and sends nothing; a number is a refusal with that status. A
   * function changes what the call was answered.
   */
  instead: "reset" | "hang" | "cut" | "lost" | number | ((answer: Answer) => Answer);
}

export interface S3Peer {
  bucket: S3Bucket;
  /** The settings that lead a server to it. */
  env: Record<string, string>;
  /** Method and address of every call, in order. */
  calls: string[];
  faults: Fault[];
  /** Waits before a call is performed, when given. */
  pause?: (call: string) => Promise<void>;
  /** Waits once it is, before the answer. */
  hold?: (call: string) => Promise<void>;
  close(): Promise<void>;
}

/** Opens a bucket on loopback. */
export async function openS3(): Promise<S3Peer> {
  const bucket: S3Bucket = {
    name: "tellal-files",
    region: "us-east-1",
    accessKeyId: "AKIDSANDBOX",
    secretAccessKey: "a+secret/of=the.sandbox",
    files: new Map(),
    uploads: new Map(),
  };
  const peer: S3Peer = { bucket, env: {}, calls: [], faults: [], close };
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

async function respond(req: IncomingMessage, res: ServerResponse, peer: S3Peer): Promise<void> {
  const line = `${req.method} ${req.url}`;
  peer.calls.push(line);
  const fault = peer.faults.find(({ match }) => match.test(line));
  if (fault) {
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) peer.faults.splice(peer.faults.indexOf(fault), 1);
  }
  const instead = fault?.instead;
  if (instead === "reset") return void req.socket.destroy();
  if (instead === "hang") return;
  await peer.pause?.(line);
  const answer =
    typeof instead === "number"
      ? { status: instead, body: "<Error><Code>Scripted</Code></Error>" }
      : await serveS3(req, peer.bucket);
  await peer.hold?.(line);
  if (instead === "lost") return void req.socket.destroy();
  if (typeof instead === "function") return sendAnswer(res, instead(answer));
  if (instead === "cut") {
    const body = Buffer.from(answer.body ?? "");
    res.writeHead(answer.status, { ...answer.headers, "content-length": body.length });
    res.write(body.subarray(0, Math.ceil(body.length / 2)), () => res.destroy());
    return;
  }
  sendAnswer(res, answer);
}
