import { generate } from "./prepare.mjs";

/** Runs before every other setup, so that single test files use current messages and descriptions. */
export default async function setup() {
  await generate();
}
