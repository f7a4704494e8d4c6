import { env } from "@/server/core/env";
import type { StorageDriver } from "./driver";
import { localStorage } from "./local";
import { s3Storage } from "./s3";

export function storage(): StorageDriver {
  return env().s3 ? s3Storage : localStorage;
}
