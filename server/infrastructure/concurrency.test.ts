import { expect, test } from "vitest";
import { limitConcurrency } from "./concurrency";

test("limits concurrency, queues in order and rejects the rest", async () => {
  const queued = limitConcurrency({ running: 2, waiting: 3 });
  const started: number[] = [];
  const ends: Array<(failed: boolean) => void> = [];
  let most = 0;
  let running = 0;
  const work = (name: number) => async () => {
    started.push(name);
    most = Math.max(most, ++running);
    const failed = await new Promise<boolean>((end) => ends.push(end));
    running--;
    if (failed) throw new Error(`failed ${name}`);
    return name;
  };
  const all = [1, 2, 3, 4, 5, 6].map((name) => queued(work(name)).catch((error: Error) => error.message));
  expect(await all[5]).toBe("busy");
  expect(started).toEqual([1, 2]);
  for (let at = 0; at < 5; at++) {
    // A failed task frees its slot, too.
    ends[at]!(at === 1);
    await new Promise((turn) => setImmediate(turn));
  }
  expect(await Promise.all(all.slice(0, 5))).toEqual([1, "failed 2", 3, 4, 5]);
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);

  const again = queued(async () => "free");
  expect(await again).toBe("free");
});
