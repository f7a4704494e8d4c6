import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Call, call, isWhole, load } from "./load";
import type { Server } from "./servers";
import { short } from "./table";

/** Reads a second; well below what the server can do. */
const RATE = 400;
const SECONDS = 15;
const CONNECTIONS = 64;
/** Connections that load pages in a loop. */
const VISITORS = 4;
const TARGET = 30;

/**
 * Token reads at a steady rate, alone and beside visitors who load pages without a pause. The time of a read begins when
 * it was due, so that a server that stands still is not asked less.
 */
export async function latency(server: Server, next: () => Call): Promise<string[][]> {
  const rows = [];
  for (const visitors of [0, VISITORS]) {
    const pages = visit(server, visitors);
    // The first pages of a process are slow, and not what is asked here.
    if (visitors > 0) await sleep(5000);
    const times = await steadily(server.port, next);
    await pages.end();
    const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)]!);
    const name = visitors === 0 ? "token read, 400/s" : "the same beside 4 loops over pages";
    const held = visitors === 0 ? ["", ""] : [`p99 ${TARGET} ms`, p99! <= TARGET ? "yes" : "no"];
    rows.push([name, "front door", `p50 ${short(p50)} ms`, `p99 ${short(p99)} ms`, "", "", "", ...held]);
  }
  return rows;
}

/** Loads the API reference and the sign-in page, in turns, until it is told to end. */
function visit({ port }: Server, visitors: number): { end(): Promise<void> } {
  let going = true;
  let turn = 0;
  const next = () => call("GET", turn++ % 2 ? "/sign-in" : "/docs", {});
  const visits = (async () => {
    while (going && visitors > 0) {
      const { failures, failure } = await load({ port, connections: visitors, seconds: 1, next });
      if (failures > 0) throw new Error(`a page failed: ${failure?.slice(0, 300)}`);
    }
  })();
  return {
    end: async () => {
      going = false;
      await visits;
    },
  };
}

/** Sends calls at the rate and returns how many milliseconds each took, in ascending order. */
async function steadily(port: number, next: () => Call): Promise<number[]> {
  const times: number[] = [];
  const idle = Array.from({ length: CONNECTIONS }, () => new Line(port));
  const waiting: number[] = [];
  const give = (line: Line) => {
    const due = waiting.shift();
    if (due === undefined) return void idle.push(line);
    line.ask(next()).then(() => {
      times.push(performance.now() - due);
      give(line);
    });
  };
  const startedAt = performance.now();
  for (let sent = 0; sent < RATE * SECONDS; await sleep(1)) {
    for (; startedAt + (sent * 1000) / RATE <= performance.now() && sent < RATE * SECONDS; sent++) {
      waiting.push(startedAt + (sent * 1000) / RATE);
      const line = idle.pop();
      if (line) give(line);
    }
  }
  while (times.length < RATE * SECONDS) await sleep(10);
  for (const line of idle) line.end();
  return times.toSorted((a, b) => a - b);
}

/** One connection, with one request at a time. */
class Line {
  private readonly socket;
  private received = Buffer.alloc(0);
  private done: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.socket.on("data", (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      if (!isWhole(this.received)) return;
      if (this.received[9] !== "2".charCodeAt(0)) throw new Error(`a read failed: ${this.received}`);
      this.received = Buffer.alloc(0);
      this.done?.();
    });
  }

  ask(request: Call): Promise<void> {
    return new Promise((resolve) => {
      this.done = resolve;
      this.socket.write(request);
    });
  }

  end(): void {
    this.socket.destroy();
  }
}
