import type * as z from "zod";
import { ViewJson } from "../statements";

/** Joined to the session's statement, see `transports/actor.ts`. */
export { VIEW_OF_SESSION } from "../statements";

export type StoredView = z.output<typeof ViewJson>;

export function readView(json: string): StoredView {
  return ViewJson.parse(JSON.parse(json));
}
