import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FailureKind } from "./failures";
import { encodeBody, type SandboxCall, type SandboxResponse, type SandboxStore } from "./sandbox";
import { SANDBOXES, type SandboxName } from "./services";

export interface ReceivedCall {
  party: SandboxName;
  call: string;
  /** Null if no response was sent. */
  status: number | null;
  failure: FailureKind | null;
}

export interface SandboxHost {
  getStore(party: SandboxName): SandboxStore;
  /** Takes the failure scripted for this call, if any. `call` is method and path. */
  takeFailure(party: SandboxName, call: string): Promise<FailureKind | SandboxResponse | undefined>;
  reportCall(call: ReceivedCall): Promise<void>;
}

const HUGE_BODY_BYTES = 10 * 1024 * 1024;
/** Longer than the timeout of a dry run, shorter than that of a clean-up. */
const SLOW_DELAY_MS = 5000;

const FAILURE_RESPONSES: Partial<Record<FailureKind, SandboxResponse>> = {
  unavailable: { status: 503, body: {} },
  too_many: { status: 429, body: {} },
};

export async function runSandbox(
  party: SandboxName,
  call: SandboxCall,
  { host, res }: { host: SandboxHost; res: ServerResponse },
): Promise<void> {
  const callLine = `${call.method} ${call.path}`;
  const scriptedFailure = await host.takeFailure(party, callLine);
  const failure = typeof scriptedFailure === "string" ? scriptedFailure : null;
  const report = (status: number | null) => host.reportCall({ party, call: callLine, status, failure });
  const scriptedResponse = failure
    ? FAILURE_RESPONSES[failure]
    : (scriptedFailure as SandboxResponse | undefined);
  if (scriptedResponse) {
    await report(scriptedResponse.status);
    return sendResponse(res, scriptedResponse);
  }
  switch (failure) {
    case "html":
      await report(200);
      return void res.writeHead(200).end("<!doctype html><p>Welcome</p>");
    case "huge":
      await report(200);
      return void res.writeHead(200).end(Buffer.alloc(HUGE_BODY_BYTES, "x"));
    case "hang":
      return report(null);
    case "drip":
      await report(200);
      return sendDrip(res);
    case "reset":
      await report(null);
      return void res.socket?.destroy();
  }
  const response = await SANDBOXES[party](call, host.getStore(party), Date.now());
  if (failure === "commit_then_reset") {
    await report(null);
    return void res.socket?.destroy();
  }
  if (failure === "slow") await sleep(SLOW_DELAY_MS);
  await report(response.status);
  sendResponse(res, response);
}

function sendDrip(res: ServerResponse): void {
  res.writeHead(200);
  const timer = setInterval(() => res.write(" "), 200);
  res.on("close", () => clearInterval(timer));
}

function sendResponse(res: ServerResponse, response: SandboxResponse): void {
  const { type, bytes } = encodeBody(response);
  res.writeHead(response.status, {
    "content-type": type,
    ...(response.status !== 204 && { "content-length": bytes.length }),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...response.headers,
  });
  res.end(response.status === 204 ? undefined : bytes);
}
