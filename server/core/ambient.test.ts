import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Ambient } from "./ambient";

const ambient = new Ambient<string>();
const slowly = async (milliseconds: number) => {
  await sleep(milliseconds);
  return ambient.get();
};

it("keeps the values of concurrent runs apart", async () => {
  const long = ambient.run("long", async () => [await slowly(10), await slowly(40)]);
  const short = ambient.run("short", () => slowly(5));
  expect(ambient.get()).toBeUndefined();
  expect(await short).toBe("short");
  expect(await long).toEqual(["long", "long"]);
  expect(await ambient.run("again", () => slowly(1))).toBe("again");
  expect(ambient.get()).toBeUndefined();
});

it("restores the outer value after a nested run", async () => {
  const values = await ambient.run("outer", async () => {
    const inner = await ambient.run("inner", () => slowly(1));
    return [inner, await slowly(1)];
  });
  expect(values).toEqual(["inner", "outer"]);
});

it("rethrows errors and works again afterwards", async () => {
  const failing = ambient.run("failing", async () => {
    await slowly(1);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await ambient.run("next", () => slowly(1))).toBe("next");
});
