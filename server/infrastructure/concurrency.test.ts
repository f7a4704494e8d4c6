import { expect, test } from "vitest";
import { createTaskQueue } from "./concurrency";

test("limits concurrency, queues in order and rejects the rest", async () => {
  const queue = createTaskQueue({ running: 2, waiting: 3 });
  const started: number[] = [];
  const finishers: Array<(failed: boolean) => void> = [];
  let maxRunning = 0;
  let running = 0;
  const createTask = (taskNumber: number) => async () => {
    started.push(taskNumber);
    maxRunning = Math.max(maxRunning, ++running);
    const failed = await new Promise<boolean>((finish) => finishers.push(finish));
    running--;
    if (failed) throw new Error(`failed ${taskNumber}`);
    return taskNumber;
  };
  const results = [1, 2, 3, 4, 5, 6].map((taskNumber) =>
    queue(createTask(taskNumber)).catch((error: Error) => error.message),
  );
  expect(await results[5]).toBe("busy");
  expect(started).toEqual([1, 2]);
  for (let index = 0; index < 5; index++) {
    // A failed task frees its slot, too.
    finishers[index]!(index === 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(results.slice(0, 5))).toEqual([1, "failed 2", 3, 4, 5]);
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(maxRunning).toBe(2);

  const laterTask = queue(async () => "free");
  expect(await laterTask).toBe("free");
});
