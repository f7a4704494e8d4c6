import { type Options, open, type ZipFile } from "yauzl";
import { type AppError, countedInvalidField } from "@/server/core/errors";

export const archiveError = (key: string): AppError => countedInvalidField("file", key);

/** Opens an archive. Accepts backslashes in names, which older Windows programs write. */
export function openArchive(path: string): Promise<ZipFile> {
  const options: Options = {
    lazyEntries: true,
    autoClose: false,
    validateEntrySizes: true,
    strictFileNames: false,
  };
  return new Promise((resolve, reject) =>
    open(path, options, (error, zip) => (zip ? resolve(zip) : reject(error))),
  );
}
