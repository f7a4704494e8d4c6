import { describe, expect, it } from "vitest";
import { chooseLabelIndexes, createScale, toBars, toLinePath } from "./geometry";

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
  const bars = toBars(
    [
      [10, 0],
      [30, 20],
    ],
    "stack",
    createScale([40]),
  );
  expect(bars.map(({ line, index, y, height }) => [line, index, y, height])).toEqual([
    [0, 0, 75, 25],
    [1, 0, 0, 75],
    [1, 1, 50, 50],
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
