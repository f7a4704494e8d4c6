import type { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type ExportFile, type ExportReader, registeredDomains } from "@/server/core/domain";
import type { Locale } from "@/server/core/locale";
import { childKeys, text } from "@/server/core/texts";
import { brandFor } from "@/server/infrastructure/brand/brand";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { storage } from "@/server/infrastructure/storage/storage";
import { useReadOnlySnapshot } from "../statements";
import { toCsv, toJson, toSnakeCase } from "./write";

/** Streams an account's data as ZIP: README, tables as JSON and CSV from one snapshot, then stored files. */
export function archiveOf(
  userId: number,
  {
    locale,
    madeAt,
    onProgress,
  }: { locale: Locale; madeAt: Date; onProgress: (percent: number) => Promise<void> },
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const options = { mtime: madeAt, mode: 0o100600 };
  zip.on("error", (error: Error) => output.destroy(error));
  const read = async (tx: DbAccess) => {
    await useReadOnlySnapshot(tx);
    const { name } = await brandFor(tx, userId);
    zip.addBuffer(Buffer.from(readme(locale, madeAt, name)), "README.txt", options);
    const files = exportFiles();
    for (const [index, [file, reader]] of files.entries()) {
      const rows = (await reader(tx.db, userId)).map(toSnakeCase);
      zip.addBuffer(Buffer.from(toJson(rows)), `${file}.json`, options);
      zip.addBuffer(Buffer.from(toCsv(rows)), `${file}.csv`, options);
      await onProgress(Math.round(((index + 1) / files.length) * 99));
    }
    for (const { attachments } of registeredDomains())
      for (const { name, key } of (await attachments?.(tx.db, userId)) ?? []) {
        // Lazy: only one file is open at a time.
        const file = await storage().read(key);
        if (file) zip.addReadStreamLazy(name, options, (callback) => callback(null, file.open()));
      }
  };
  inTransaction(read, { seconds: 600 }).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  return output;
}

function exportFiles(): Array<[ExportFile, ExportReader]> {
  const order = childKeys("dataExport.files");
  return registeredDomains()
    .flatMap(({ exports = {} }) => Object.entries(exports) as Array<[ExportFile, ExportReader]>)
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

function readme(locale: Locale, madeAt: Date, brand: string): string {
  const translate = (key: string, params?: Record<string, string | Date>) =>
    text(locale, `dataExport.${key}`, params);
  const files = exportFiles().map(
    ([file]) => `${file}.json, ${file}.csv\r\n    ${translate(`files.${file}`)}`,
  );
  return [
    translate("readme.title", { brand }),
    translate("readme.text", { time: madeAt.toISOString() }),
    ...files,
    translate("readme.secrets"),
    "",
  ].join("\r\n\r\n");
}
