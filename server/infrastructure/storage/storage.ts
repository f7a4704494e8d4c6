import { env } from "@/server/core/env";
import type { Driver } from "./driver";
import { localStorage } from "./local";
import { s3Storage } from "./s3";

/** Where this installation keeps its files: the bucket of the settings, or the data directory. */
export function storage(): Driver {
  return env().s3 ? s3Storage : localStorage;
}
