import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { AsyncContext } from "./async-context";

const context = new AsyncContext<string>();
const getAfter = async (milliseconds: number) => {
  await sleep(milliseconds);
  return context.get();
};

it("keeps the values of concurrent runs apart", async () => {
  const longRun = context.run("long", async () => [await getAfter(10), await getAfter(40)]);
  const shortRun = context.run("short", () => getAfter(5));
  expect(context.get()).toBeUndefined();
  expect(await shortRun).toBe("short");
  expect(await longRun).toEqual(["long", "long"]);
  expect(await context.run("again", () => getAfter(1))).toBe("again");
  expect(context.get()).toBeUndefined();
});

it("restores the outer value after a nested run", async () => {
  const values = await context.run("outer", async () => {
    const inner = await context.run("inner", () => getAfter(1));
    return [inner, await getAfter(1)];
  });
  expect(values).toEqual(["inner", "outer"]);
});

it("rethrows errors and works again afterwards", async () => {
  const failing = context.run("failing", async () => {
    await getAfter(1);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await context.run("next", () => getAfter(1))).toBe("next");
});
