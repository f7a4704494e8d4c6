import type * as z from "zod";
import { ViewJson } from "../statements";

export { VIEW_OF_SESSION } from "../statements";

export type StoredView = z.output<typeof ViewJson>;

export function parseStoredView(json: string): StoredView {
  return ViewJson.parse(JSON.parse(json));
}
