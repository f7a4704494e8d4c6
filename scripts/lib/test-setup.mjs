import { joinFieldWords } from "./field-words.mjs";
import { joinMessages } from "./messages.mjs";

/** Generates what the tests read, so that a run by hand uses the current texts. */
export default async function setup() {
  await joinMessages();
  joinFieldWords();
}
