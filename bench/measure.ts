import { type Call, load } from "./load";
import { cpuTime } from "./processes";
import type { Server } from "./servers";

export interface Contender {
  server: Server;
  next: () => Call;
}

/** Results of one contender, by round. */
export interface Figures {
  perSecond: number[];
  /** CPU time of the server per request, in microseconds. */
  cpu: number[];
}

/** Uncounted rounds, in which the engines compile the code. */
const WARM_UP = 3;

interface Plan {
  rounds: number;
  seconds: number;
  connections: number;
}

/** Measures contenders alternately, because machines are noisy. Throws on any response but 2xx. */
export async function compare(contenders: Contender[], plan: Plan): Promise<Figures[]> {
  const figures = contenders.map((): Figures => ({ perSecond: [], cpu: [] }));
  for (let round = -WARM_UP; round < plan.rounds; round++) {
    for (const index of randomOrder(contenders.length)) {
      const { server, next } = contenders[index]!;
      const before = cpuTime(server.pid);
      const outcome = await load({ ...plan, port: server.port, next });
      if (outcome.failures > 0)
        throw new Error(`${server.name}: ${outcome.failures} failures; ${outcome.failure}`);
      if (round < 0) continue;
      figures[index]!.perSecond.push(outcome.perSecond);
      if (before !== undefined) figures[index]!.cpu.push((cpuTime(server.pid)! - before) / outcome.requests);
    }
  }
  return figures;
}

/** Random, so that no contender always follows the same one. */
function randomOrder(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let left = count - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1));
    [order[left], order[other]] = [order[other]!, order[left]!];
  }
  return order;
}

/** Returns the milliseconds of `rounds` sequential runs, after `warmUp` uncounted ones. */
export async function measureTimes(
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

export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the median of the ratios of each round. */
export function ratio(a: number[], b: number[]): number {
  return median(a.map((value, round) => value / b[round]!));
}
