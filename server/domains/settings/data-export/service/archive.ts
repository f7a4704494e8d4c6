import type { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type ExportFile, type ExportReader, getRegisteredDomains } from "@/server/core/domain";
import type { Locale } from "@/server/core/locale";
import { formatText, listChildKeys } from "@/server/core/texts";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { storage } from "@/server/infrastructure/storage/storage";
import { startReadOnlySnapshot } from "../statements";
import { toCsv, toJson, toSnakeCase } from "./format";

/** Streams an account's data as ZIP: README, tables as JSON and CSV from one snapshot, then stored files. */
export function createArchive(
  userId: number,
  {
    locale,
    createdAt,
    onProgress,
  }: { locale: Locale; createdAt: Date; onProgress: (percent: number) => Promise<void> },
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const entryOptions = { mtime: createdAt, mode: 0o100600 };
  zip.on("error", (error: Error) => output.destroy(error));
  const addFiles = async (tx: DbAccess) => {
    await startReadOnlySnapshot(tx);
    const { name: brandName } = await getAccountBrand(tx, userId);
    zip.addBuffer(Buffer.from(buildReadme(locale, createdAt, brandName)), "README.txt", entryOptions);
    const files = listExportReaders();
    for (const [index, [file, reader]] of files.entries()) {
      const rows = (await reader(tx.db, userId)).map(toSnakeCase);
      zip.addBuffer(Buffer.from(toJson(rows)), `${file}.json`, entryOptions);
      zip.addBuffer(Buffer.from(toCsv(rows)), `${file}.csv`, entryOptions);
      // 100 is stored once the archive is complete.
      await onProgress(Math.round(((index + 1) / files.length) * 99));
    }
    for (const { attachments } of getRegisteredDomains())
      for (const { name, key } of (await attachments?.(tx.db, userId)) ?? []) {
        // Opens one file at a time.
        const storedFile = await storage().read(key);
        if (storedFile)
          zip.addReadStreamLazy(name, entryOptions, (callback) => callback(null, storedFile.open()));
      }
  };
  inTransaction(addFiles, { seconds: 600 }).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  return output;
}

function listExportReaders(): Array<[ExportFile, ExportReader]> {
  const fileOrder = listChildKeys("dataExport.files");
  return getRegisteredDomains()
    .flatMap(({ exports = {} }) => Object.entries(exports) as Array<[ExportFile, ExportReader]>)
    .sort(([a], [b]) => fileOrder.indexOf(a) - fileOrder.indexOf(b));
}

function buildReadme(locale: Locale, createdAt: Date, brand: string): string {
  const translate = (key: string, params?: Record<string, string | Date>) =>
    formatText(locale, `dataExport.${key}`, params);
  const files = listExportReaders().map(
    ([file]) => `${file}.json, ${file}.csv\r\n    ${translate(`files.${file}`)}`,
  );
  return [
    translate("readme.title", { brand }),
    translate("readme.text", { time: createdAt.toISOString() }),
    ...files,
    translate("readme.secrets"),
    "",
  ].join("\r\n\r\n");
}
