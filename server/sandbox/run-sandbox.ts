import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "./failures";
import { encodeBody, type SandboxCall, type SandboxResponse, type SandboxStore } from "./kit";
import { SANDBOXES, type SandboxName } from "./services";

/** `status` is null when no response was sent. */
export interface ReceivedCall {
  party: SandboxName;
  call: string;
  status: number | null;
  failure: Failure | null;
}

export interface SandboxHost {
  store(party: SandboxName): SandboxStore;
  /** Takes the failure scripted for this call, if any. `call` is method and path. */
  failure(party: SandboxName, call: string): Promise<Failure | SandboxResponse | undefined>;
  report(call: ReceivedCall): Promise<void>;
}

const HUGE = 10 * 1024 * 1024;
/** Delay of a slow response in milliseconds: longer than a dry run waits, shorter than a clean-up does. */
const SLOW = 5000;

const ANSWERS: Partial<Record<Failure, SandboxResponse>> = {
  unavailable: { status: 503, body: {} },
  too_many: { status: 429, body: {} },
};

export async function runSandbox(
  party: SandboxName,
  call: SandboxCall,
  { mount, res }: { mount: SandboxHost; res: ServerResponse },
): Promise<void> {
  const line = `${call.method} ${call.path}`;
  const scripted = await mount.failure(party, line);
  const failure = typeof scripted === "string" ? scripted : null;
  const report = (status: number | null) => mount.report({ party, call: line, status, failure });
  const scriptedResponse = failure ? ANSWERS[failure] : (scripted as SandboxResponse | undefined);
  if (scriptedResponse) {
    await report(scriptedResponse.status);
    return send(res, scriptedResponse);
  }
  switch (failure) {
    case "html":
      await report(200);
      return void res.writeHead(200).end("<!doctype html><p>Welcome</p>");
    case "huge":
      await report(200);
      return void res.writeHead(200).end(Buffer.alloc(HUGE, "x"));
    case "hang":
      return report(null);
    case "drip":
      await report(200);
      return drip(res);
    case "reset":
      await report(null);
      return void res.socket?.destroy();
  }
  const response = await SANDBOXES[party](call, mount.store(party), Date.now());
  if (failure === "commit_then_reset") {
    await report(null);
    return void res.socket?.destroy();
  }
  if (failure === "slow") await sleep(SLOW);
  await report(response.status);
  send(res, response);
}

function drip(res: ServerResponse): void {
  res.writeHead(200);
  const drops = setInterval(() => res.write(" "), 200);
  res.on("close", () => clearInterval(drops));
}

function send(res: ServerResponse, answer: SandboxResponse): void {
  const { type, bytes } = encodeBody(answer);
  res.writeHead(answer.status, {
    "content-type": type,
    ...(answer.status !== 204 && { "content-length": bytes.length }),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...answer.headers,
  });
  res.end(answer.status === 204 ? undefined : bytes);
}
