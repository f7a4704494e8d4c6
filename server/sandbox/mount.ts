import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "./failures";
import { encoded, type SandboxAnswer, type SandboxCall, type SandboxStore } from "./kit";
import { PARTIES, type Party } from "./parties";

/** A call that a sandbox got: none of `status` when no answer was sent. */
export interface SeenCall {
  party: Party;
  call: string;
  status: number | null;
  failure: Failure | null;
}

/** Where sandboxes stand: what they remember, what goes wrong there, and who is told. */
export interface Mount {
  store(party: Party): SandboxStore;
  /** What goes wrong with this call, taken once; `call` is its method and path. */
  failure(party: Party, call: string): Promise<Failure | SandboxAnswer | undefined>;
  /** Told before the answer is sent. */
  seen(call: SeenCall): Promise<void>;
}

const HUGE = 10 * 1024 * 1024;
/** How late a slow answer is: longer than a dry run waits, shorter than a clean-up does. */
const SLOW = 5000;

const ANSWERS: Partial<Record<Failure, SandboxAnswer>> = {
  unavailable: { status: 503, body: {} },
  too_many: { status: 429, body: {} },
};

/** Plays a party: the answer of its protocol, or the failure that was scripted for this call. */
export async function play(
  party: Party,
  call: SandboxCall,
  { mount, res }: { mount: Mount; res: ServerResponse },
): Promise<void> {
  const line = `${call.method} ${call.path}`;
  const scripted = await mount.failure(party, line);
  const failure = typeof scripted === "string" ? scripted : null;
  const seen = (status: number | null) => mount.seen({ party, call: line, status, failure });
  const instead = failure ? ANSWERS[failure] : (scripted as SandboxAnswer | undefined);
  if (instead) {
    await seen(instead.status);
    return send(res, instead);
  }
  switch (failure) {
    case "html":
      await seen(200);
      return void res.writeHead(200).end("<!doctype html><p>Welcome</p>");
    case "huge":
      await seen(200);
      return void res.writeHead(200).end(Buffer.alloc(HUGE, "x"));
    case "hang":
      return seen(null);
    case "drip":
      await seen(200);
      return drip(res);
    case "reset":
      await seen(null);
      return void res.socket?.destroy();
  }
  const found = await PARTIES[party](call, mount.store(party), Date.now());
  if (failure === "commit_then_reset") {
    await seen(null);
    return void res.socket?.destroy();
  }
  if (failure === "slow") await sleep(SLOW);
  await seen(found.status);
  send(res, found);
}

/** One space five times a second, for as long as anybody listens. */
function drip(res: ServerResponse): void {
  res.writeHead(200);
  const drops = setInterval(() => res.write(" "), 200);
  res.on("close", () => clearInterval(drops));
}

function send(res: ServerResponse, answer: SandboxAnswer): void {
  const { type, bytes } = encoded(answer);
  res.writeHead(answer.status, {
    "content-type": type,
    ...(answer.status !== 204 && { "content-length": bytes.length }),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...answer.headers,
  });
  res.end(answer.status === 204 ? undefined : bytes);
}
