import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Entry {
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

it("the lock file has a digest for every package, including other platforms", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, Entry>;
  };
  // The other entries are the project itself and its client.
  const installedPackages = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
  const unpinnedPackages = installedPackages.filter(
    ([, { integrity, link, inBundle }]) => !link && !inBundle && !integrity,
  );
  expect(unpinnedPackages.map(([path]) => path)).toEqual([]);
});
