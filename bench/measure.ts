import { type Call, load } from "./load";
import { cpuTime } from "./processes";
import type { Server } from "./servers";

/** A server with the calls it gets. */
export interface Contender {
  server: Server;
  next: () => Call;
}

/** The results of one contender, round by round. */
export interface Figures {
  perSecond: number[];
  /** Processor time of the server for one request, in microseconds. */
  cpu: number[];
}

/** Turns that are not counted: until then engines still compile what they will run. */
const WARM_UP = 3;

interface Plan {
  rounds: number;
  seconds: number;
  connections: number;
}

/**
 * Measures contenders in turns: machines are noisy, so only figures of the same round are compared. Throws when a
 * server returns anything but success.
 */
export async function compare(contenders: Contender[], plan: Plan): Promise<Figures[]> {
  const figures = contenders.map((): Figures => ({ perSecond: [], cpu: [] }));
  for (let round = -WARM_UP; round < plan.rounds; round++) {
    for (const index of turns(contenders.length)) {
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

/** In random order, so that none always runs after the same neighbour. */
function turns(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let left = count - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1));
    [order[left], order[other]] = [order[other]!, order[left]!];
  }
  return order;
}

/** Milliseconds of each of so many runs of some work, one after the other, after some that are not counted. */
export async function times(
  work: () => Promise<unknown>,
  { rounds, warmUp }: { rounds: number; warmUp: number },
): Promise<number[]> {
  const taken: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const startedAt = performance.now();
    await work();
    if (round >= 0) taken.push(performance.now() - startedAt);
  }
  return taken;
}

/** The value below which this part of the values is. */
export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median of the ratios within each round. */
export function ratio(a: number[], b: number[]): number {
  return median(a.map((value, round) => value / b[round]!));
}
