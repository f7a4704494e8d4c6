import { describe, expect, it } from "vitest";
import { chooseLabelIndexes, createScale, toBarPaths, toLinePath } from "./geometry";

describe("the scale of a chart", () => {
  it("starts at zero, ends at a round number and has at most five lines", () => {
    expect(createScale([3, 97])).toMatchObject({ top: 100, ticks: [0, 20, 40, 60, 80, 100] });
    expect(createScale([0, 0, null]).ticks).toEqual([0, 1]);
  });
  it("shows no fractions of whole numbers", () => {
    for (const max of [1, 2, 3, 4]) expect(createScale([max]).ticks.every(Number.isInteger)).toBe(true);
  });
  it("includes negative levels", () => {
    expect(createScale([-20, 40]).ticks).toContain(0);
    expect(createScale([-20, 40]).bottom).toBeLessThanOrEqual(-20);
  });
});

it("stacks bars without a gap, and leaves out zeros", () => {
  const values = [
    [10, 0],
    [30, 20],
  ];
  const [lower, upper] = toBarPaths(values, "stack", createScale([40])).map((path) =>
    [...path.matchAll(/M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g)].map(([, from, to]) => [Number(from), Number(to)]),
  );
  expect(lower).toEqual([[100, 75]]);
  expect(upper).toEqual([
    [75, 0],
    [100, 50],
  ]);
});

it("interrupts a line where a value is unknown", () => {
  expect(toLinePath([1, null, 1], createScale([1])).match(/M/g)).toHaveLength(2);
});

it("labels first and last interval and at most six in total", () => {
  for (const count of [1, 2, 7, 24, 30, 365]) {
    const indexes = chooseLabelIndexes(count);
    expect(indexes.length).toBeLessThanOrEqual(6);
    expect(indexes[0]).toBe(0);
  }
});
