import { expect, it } from "vitest";
import { countRequest, metricsRegistry } from "./metrics";

it("starts the failure series of an operation at zero", async () => {
  const readSeries = async (operation: string) =>
    (await metricsRegistry.metrics())
      .split("\n")
      .filter((line) => line.includes(`{operation="${operation}",status=`));
  expect(await readSeries("readOnce")).toEqual([]);
  countRequest("readOnce", 200, 3);
  countRequest("readOnce", 503, 3);
  countRequest("readOnce", 503, 3);
  const line = (status: number, times: number) =>
    `tellal_requests_total{operation="readOnce",status="${status}"} ${times}`;
  expect((await readSeries("readOnce")).toSorted()).toEqual([line(200, 1), line(500, 0), line(503, 2)]);
});
