import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { trackOperation, watchStalls } from "./stall-watch";

function blockEventLoop(ms: number): void {
  for (const endAt = performance.now() + ms; performance.now() < endAt; );
}

it("logs a stall with the operations that ran during it", async () => {
  const warn = vi.spyOn(log, "warn");
  const listWarnings = () => warn.mock.calls.map(([line]) => line as unknown as Record<string, unknown>);
  watchStalls();
  // stall-watch.ts checks every 100 ms and logs stalls from 200 ms. `before` ends in an earlier interval.
  await trackOperation("before", async () => {});
  await sleep(300);
  const slowOperation = trackOperation("listSites", () => sleep(700));
  await trackOperation("listSnippets", async () => {
    await sleep(1);
    blockEventLoop(600);
  });
  await slowOperation;
  const [stall] = listWarnings().filter(({ operations }) =>
    (operations as string[] | undefined)?.includes("listSnippets"),
  );
  expect(stall).toMatchObject({ event: "event_loop.stalled", operations: ["listSites", "listSnippets"] });
  expect(stall!.ms).toBeGreaterThan(400);
});
