import { type RequestText, runLoad } from "./load";
import { readCpuMicroseconds } from "./processes";
import type { Server } from "./servers";

export interface Contender {
  server: Server;
  nextRequest: () => RequestText;
}

export interface Figures {
  perSecond: number[];
  /** CPU time of the server per request, in microseconds. */
  cpu: number[];
}

/** Uncounted rounds, in which V8 compiles the code. */
const WARM_UP_ROUNDS = 3;

interface MeasurementPlan {
  rounds: number;
  seconds: number;
  connections: number;
}

/** Measures contenders alternately, because machines are noisy. Throws on any response but 2xx. */
export async function compareContenders(contenders: Contender[], plan: MeasurementPlan): Promise<Figures[]> {
  const figures = contenders.map((): Figures => ({ perSecond: [], cpu: [] }));
  for (let round = -WARM_UP_ROUNDS; round < plan.rounds; round++) {
    for (const index of randomOrder(contenders.length)) {
      const { server, nextRequest } = contenders[index]!;
      const cpuBefore = readCpuMicroseconds(server.pid);
      const outcome = await runLoad({ ...plan, port: server.port, nextRequest });
      if (outcome.failureCount > 0)
        throw new Error(`${server.name}: ${outcome.failureCount} failures; ${outcome.firstFailure}`);
      if (round < 0) continue;
      figures[index]!.perSecond.push(outcome.perSecond);
      if (cpuBefore !== undefined)
        figures[index]!.cpu.push((readCpuMicroseconds(server.pid)! - cpuBefore) / outcome.requestCount);
    }
  }
  return figures;
}

/** Returns the indexes in random order, so that no contender always follows the same one. */
function randomOrder(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let remaining = count - 1; remaining > 0; remaining--) {
    const swapIndex = Math.floor(Math.random() * (remaining + 1));
    [order[remaining], order[swapIndex]] = [order[swapIndex]!, order[remaining]!];
  }
  return order;
}

/** Returns the milliseconds of `rounds` sequential runs, after `warmUp` uncounted ones. */
export async function measureDurations(
  work: () => Promise<unknown>,
  { rounds, warmUp }: { rounds: number; warmUp: number },
): Promise<number[]> {
  const durations: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const startedAt = performance.now();
    await work();
    if (round >= 0) durations.push(performance.now() - startedAt);
  }
  return durations;
}

export function percentile(values: number[], fraction: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * fraction)]!;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function medianRatio(numerators: number[], denominators: number[]): number {
  return median(numerators.map((value, round) => value / denominators[round]!));
}
