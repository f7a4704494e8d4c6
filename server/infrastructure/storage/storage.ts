import { env } from "@/server/core/env";
import type { Driver } from "./driver";
import { localStorage } from "./local";
import { s3Storage } from "./s3";

export function storage(): Driver {
  return env().s3 ? s3Storage : localStorage;
}
