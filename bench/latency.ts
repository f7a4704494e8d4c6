import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildRequest, Connection, type RequestText, sendRequest } from "./load";
import { findPagesProcess } from "./processes";
import { movePagesToLoadCore, type Server } from "./servers";
import { formatNumber } from "./table";

const READS_PER_SECOND = 400;
const DEFAULT_SECONDS = 15;
const CONNECTION_COUNT = 64;
const VISITOR_COUNT = 4;
const P99_TARGET_MS = 30;

/** Measures token reads at a steady rate. A read's time starts when it is due, so stalls count. */
export async function measureLatency(server: Server, nextRequest: () => RequestText): Promise<string[][]> {
  const rows = [];
  for (const visitorCount of [0, VISITOR_COUNT]) {
    const visitorProcess = startVisitors(server, visitorCount);
    // Skips the first pages of the process, which are slow.
    if (visitorCount > 0) await sleep(5000);
    const { times, failures } = await sendAtRate(server.port, nextRequest, READS_PER_SECOND);
    await visitorProcess.end();
    if (failures.length > 0) throw new Error(`a read failed: ${failures[0]}`);
    const [p50, p99] = [0.5, 0.99].map((fraction) => times[Math.floor(times.length * fraction)]!);
    const name = visitorCount === 0 ? "token read, 400/s" : "the same beside 4 loops over pages";
    const targetCells =
      visitorCount === 0 ? ["", ""] : [`p99 ${P99_TARGET_MS} ms`, p99! <= P99_TARGET_MS ? "yes" : "no"];
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

const RECOVERY_TARGET_SECONDS = 5;

/** Kills the pages process during token reads. Measures when pages are served again. */
export async function measureRecovery(server: Server, nextRequest: () => RequestText): Promise<string[][]> {
  const pagesPid = findPagesProcess(server.pid);
  if (!pagesPid) return [];
  const readsPromise = sendAtRate(server.port, nextRequest, READS_PER_SECOND);
  await sleep(1000);
  process.kill(pagesPid, "SIGKILL");
  const killedAt = performance.now();
  while ([undefined, pagesPid].includes(findPagesProcess(server.pid))) await sleep(10);
  movePagesToLoadCore(server);
  const { status } = await sendRequest(server.port, buildRequest("GET", "/sign-in", {}));
  const seconds = (performance.now() - killedAt) / 1000;
  const { times, failures } = await readsPromise;
  const p99 = times[Math.floor(times.length * 0.99)]!;
  return [
    [
      ...[
        "pages killed beside 400/s",
        "HTTP server",
        `back in ${formatNumber(seconds)} s`,
        `p99 ${formatNumber(p99)} ms`,
      ],
      ...["", "", `${failures.length} reads not`, `${RECOVERY_TARGET_SECONDS} s`],
      status === 200 && failures.length === 0 && seconds <= RECOVERY_TARGET_SECONDS ? "yes" : "no",
    ],
  ];
}

/** Sign-ins per second: the capacity of two cores without a queue, and twice as many. */
const SIGN_IN_RATES = [15, 30];
const SIGN_IN_TARGET_MS = 250;

/** Measures sign-ins. Above its capacity, the server may only refuse with 503 and `Retry-After`. */
export async function measureSignInLatency(
  server: Server,
  nextRequest: () => RequestText,
): Promise<string[][]> {
  const rows = [];
  for (const [index, rate] of SIGN_IN_RATES.entries()) {
    const { times, failures } = await sendAtRate(server.port, nextRequest, rate);
    const refusedCount = failures.filter((head) =>
      /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: \d+/i.test(head),
    ).length;
    const [p50, p99] = [0.5, 0.99].map((fraction) => times[Math.floor(times.length * fraction)] ?? 0);
    const isMet =
      index === 0 ? p99! <= SIGN_IN_TARGET_MS && failures.length === 0 : refusedCount === failures.length;
    rows.push([
      ...[
        `sign-in, ${rate}/s`,
        "HTTP server",
        `p50 ${formatNumber(p50!)} ms`,
        `p99 ${formatNumber(p99!)} ms`,
      ],
      ...["", "", `${times.length} in, ${failures.length} not`],
      index === 0 ? `p99 ${SIGN_IN_TARGET_MS} ms` : "200 or 503",
      isMet ? "yes" : "no",
    ]);
  }
  return rows;
}

function startVisitors({ port }: Server, visitorCount: number): { end(): Promise<void> } {
  if (visitorCount === 0) return { end: async () => {} };
  const child = fork(fileURLToPath(new URL("visitors.ts", import.meta.url)), [`${port}`, `${visitorCount}`]);
  const exitPromise = once(child, "exit");
  return {
    end: async () => {
      child.kill();
      const [code] = await exitPromise;
      if (code !== null) throw new Error("a page failed: see above");
    },
  };
}

interface RateResult {
  /** Milliseconds of successful calls, in ascending order. */
  times: number[];
  failures: string[];
}

/** Sends `rate` calls per second. Slow responses do not lower the rate. */
export async function sendAtRate(
  port: number,
  nextRequest: () => RequestText,
  rate: number,
  seconds = DEFAULT_SECONDS,
): Promise<RateResult> {
  const times: number[] = [];
  const failures: string[] = [];
  const idleConnections = Array.from({ length: CONNECTION_COUNT }, () => new Connection(port));
  const dueTimes: number[] = [];
  const sendNext = (connection: Connection) => {
    const dueAt = dueTimes.shift();
    if (dueAt === undefined) return void idleConnections.push(connection);
    connection.sendRequest(nextRequest()).then((bytes) => {
      const response = bytes.toString("latin1");
      if (response.startsWith("HTTP/1.1 2")) times.push(performance.now() - dueAt);
      else failures.push(response);
      sendNext(connection);
    });
  };
  const startedAt = performance.now();
  const count = Math.round(rate * seconds);
  for (let sentCount = 0; sentCount < count; await sleep(1)) {
    for (; startedAt + (sentCount * 1000) / rate <= performance.now() && sentCount < count; sentCount++) {
      dueTimes.push(startedAt + (sentCount * 1000) / rate);
      const connection = idleConnections.pop();
      if (connection) sendNext(connection);
    }
  }
  while (times.length + failures.length < count) await sleep(10);
  for (const connection of idleConnections) connection.end();
  return { times: times.toSorted((a, b) => a - b), failures };
}
