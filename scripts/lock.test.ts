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
  // The other entries are the project itself and its client.
  const installed = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
  const without = installed.filter(([, { integrity, link, inBundle }]) => !link && !inBundle && !integrity);
  expect(without.map(([path]) => path)).toEqual([]);
});
