import { generate } from "./prepare.mjs";

/** Runs before every other setup, so that tests run by hand use the current texts and descriptions. */
export default async function setup() {
  await generate();
}
