import type { Driver } from "./driver";
import { localStorage } from "./local";

/** Where this installation keeps its files. The one place that knows a driver: the data directory, so far. */
export function storage(): Driver {
  return localStorage;
}
