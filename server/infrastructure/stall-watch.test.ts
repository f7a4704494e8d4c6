import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { trackOperation, watchStalls } from "./stall-watch";

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it("logs a stall with the operations that ran during it", async () => {
  const warn = vi.spyOn(log, "warn");
  const stalls = () => warn.mock.calls.map(([line]) => line as unknown as Record<string, unknown>);
  watchStalls();
  await trackOperation("before", async () => {});
  await sleep(300);
  const waiting = trackOperation("listSites", () => sleep(700));
  await trackOperation("listSnippets", async () => {
    await sleep(1);
    block(600);
  });
  await waiting;
  const [stall] = stalls().filter(({ operations }) =>
    (operations as string[] | undefined)?.includes("listSnippets"),
  );
  expect(stall).toMatchObject({ event: "event_loop.stalled", operations: ["listSites", "listSnippets"] });
  expect(stall!.ms).toBeGreaterThan(400);
});
