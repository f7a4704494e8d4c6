import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Entry {
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

it("every package of the lock file is pinned with its digest, also those of other platforms", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, Entry>;
  };
  const without = Object.entries(packages).filter(
    ([path, { integrity, link, inBundle }]) => path && !link && !inBundle && !integrity,
  );
  expect(without.map(([path]) => path)).toEqual([]);
});
