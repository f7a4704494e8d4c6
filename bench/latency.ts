import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Call, Connection, call, sendRequest } from "./load";
import { findPagesProcess } from "./processes";
import { movePagesToLoadCore, type Server } from "./servers";
import { formatNumber } from "./table";

/** Reads per second; well below the server's capacity. */
const READS = 400;
const SECONDS = 15;
const CONNECTIONS = 64;
const VISITORS = 4;
const TARGET = 30;

/**
 * Measures token reads at a steady rate, alone and beside visitors who load pages in a loop. The time of a
 * read starts when it is due, so that a stalled server does not lower the load.
 */
export async function measureLatency(server: Server, next: () => Call): Promise<string[][]> {
  const rows = [];
  for (const visitors of [0, VISITORS]) {
    const pages = startVisitors(server, visitors);
    // Skips the first pages of the process, which are slow.
    if (visitors > 0) await sleep(5000);
    const { times, failures } = await sendAtRate(server.port, next, READS);
    await pages.end();
    if (failures.length > 0) throw new Error(`a read failed: ${failures[0]}`);
    const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)]!);
    const name = visitors === 0 ? "token read, 400/s" : "the same beside 4 loops over pages";
    const targetCells = visitors === 0 ? ["", ""] : [`p99 ${TARGET} ms`, p99! <= TARGET ? "yes" : "no"];
    rows.push([
      name,
      "HTTP server",
      `p50 ${formatNumber(p50)} ms`,
      `p99 ${formatNumber(p99)} ms`,
      "",
      "",
      "",
      ...targetCells,
    ]);
  }
  return rows;
}

/** Seconds. */
const RECOVERY_TARGET = 5;

/** Kills the pages process during token reads. Measures when pages are served again. */
export async function measureRecovery(server: Server, next: () => Call): Promise<string[][]> {
  const pagesPid = findPagesProcess(server.pid);
  if (!pagesPid) return [];
  const reading = sendAtRate(server.port, next, READS);
  await sleep(1000);
  process.kill(pagesPid, "SIGKILL");
  const killedAt = performance.now();
  while ([undefined, pagesPid].includes(findPagesProcess(server.pid))) await sleep(10);
  movePagesToLoadCore(server);
  const { status } = await sendRequest(server.port, call("GET", "/sign-in", {}));
  const seconds = (performance.now() - killedAt) / 1000;
  const { times, failures } = await reading;
  const p99 = times[Math.floor(times.length * 0.99)]!;
  return [
    [
      ...[
        "pages killed beside 400/s",
        "HTTP server",
        `back in ${formatNumber(seconds)} s`,
        `p99 ${formatNumber(p99)} ms`,
      ],
      ...["", "", `${failures.length} reads not`, `${RECOVERY_TARGET} s`],
      status === 200 && failures.length === 0 && seconds <= RECOVERY_TARGET ? "yes" : "no",
    ],
  ];
}

/** Sign-ins per second: the capacity of two cores without a queue, and twice as many. */
const SIGN_INS = [15, 30];
const SIGN_IN_TARGET = 250;

/** Above its capacity, the server may only refuse sign-ins with 503 and `Retry-After`. */
export async function measureSignInLatency(server: Server, next: () => Call): Promise<string[][]> {
  const rows = [];
  for (const [index, rate] of SIGN_INS.entries()) {
    const { times, failures } = await sendAtRate(server.port, next, rate);
    const refused = failures.filter((head) =>
      /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: \d+/i.test(head),
    ).length;
    const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)] ?? 0);
    const isMet = index === 0 ? p99! <= SIGN_IN_TARGET && failures.length === 0 : refused === failures.length;
    rows.push([
      ...[
        `sign-in, ${rate}/s`,
        "HTTP server",
        `p50 ${formatNumber(p50!)} ms`,
        `p99 ${formatNumber(p99!)} ms`,
      ],
      ...["", "", `${times.length} in, ${failures.length} not`],
      index === 0 ? `p99 ${SIGN_IN_TARGET} ms` : "200 or 503",
      isMet ? "yes" : "no",
    ]);
  }
  return rows;
}

function startVisitors({ port }: Server, visitors: number): { end(): Promise<void> } {
  if (visitors === 0) return { end: async () => {} };
  const child = fork(fileURLToPath(new URL("visitors.ts", import.meta.url)), [`${port}`, `${visitors}`]);
  const ended = once(child, "exit");
  return {
    end: async () => {
      child.kill();
      const [code] = await ended;
      if (code !== null) throw new Error("a page failed: see above");
    },
  };
}

interface RateResult {
  /** Milliseconds that each call took, in ascending order. */
  times: number[];
  /** Responses other than 2xx. */
  failures: string[];
}

/** Sends `rate` calls per second, however slow the responses are. */
export async function sendAtRate(
  port: number,
  next: () => Call,
  rate: number,
  seconds = SECONDS,
): Promise<RateResult> {
  const times: number[] = [];
  const failures: string[] = [];
  const idle = Array.from({ length: CONNECTIONS }, () => new Connection(port));
  const dueTimes: number[] = [];
  const sendNext = (connection: Connection) => {
    const due = dueTimes.shift();
    if (due === undefined) return void idle.push(connection);
    connection.sendRequest(next()).then((bytes) => {
      const response = bytes.toString("latin1");
      if (response.startsWith("HTTP/1.1 2")) times.push(performance.now() - due);
      else failures.push(response);
      sendNext(connection);
    });
  };
  const startedAt = performance.now();
  const count = Math.round(rate * seconds);
  for (let sent = 0; sent < count; await sleep(1)) {
    for (; startedAt + (sent * 1000) / rate <= performance.now() && sent < count; sent++) {
      dueTimes.push(startedAt + (sent * 1000) / rate);
      const connection = idle.pop();
      if (connection) sendNext(connection);
    }
  }
  while (times.length + failures.length < count) await sleep(10);
  for (const connection of idle) connection.end();
  return { times: times.toSorted((a, b) => a - b), failures };
}
