import { type Env, SettingsError } from "@/server/core/env";
import { printLine, printStep } from "@/server/core/log";
import { StorageError } from "./driver";
import { storage } from "./storage";

/** Throws {@link SettingsError} if the bucket denies access; only reports an unreachable one. */
export async function checkBucket({ s3, S3_BUCKET }: Env): Promise<void> {
  if (!s3) return;
  const startedAt = performance.now();
  try {
    await storage().checkAccess();
    printStep(`bucket ${S3_BUCKET} is up`, startedAt);
  } catch (error) {
    if (error instanceof StorageError && error.isPermanent)
      throw new SettingsError(
        `S3_BUCKET: ${S3_BUCKET} cannot be used. ${error.message}. Check the settings that begin with S3_.`,
      );
    printLine(
      `The bucket ${S3_BUCKET} cannot be reached yet; files cannot be stored or read until it answers.`,
    );
  }
}
