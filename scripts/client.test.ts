import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { operationsSource } from "./lib/client-source";

it("the client is that of the description: otherwise run `npm run client`", () => {
  expect(readFileSync("client/operations.ts", "utf8")).toBe(operationsSource());
});
