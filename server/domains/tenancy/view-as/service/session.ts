import type * as z from "zod";
import { ViewJson } from "../statements";

/** Read with a session in one statement, see `transports/actor.ts`. */
export { VIEW_OF_SESSION } from "../statements";

/** A view as another person, and whether it may go on. */
export type FoundView = z.output<typeof ViewJson>;

export function readView(json: string): FoundView {
  return ViewJson.parse(JSON.parse(json));
}
