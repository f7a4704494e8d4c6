import type { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Locale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { platformBrand } from "@/server/infrastructure/mail/brand";
import { EXPORT_FILES } from "../contract";
import { readOneMoment } from "../statements";
import { READERS } from "./collect";
import { toCsv, toJson } from "./write";

/**
 * The archive of one person as a stream: README first, then each file as JSON and as CSV, all from one moment of the
 * database. `onProgress` is told the share that is done, in per cent, and waited for.
 */
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
  zip.addBuffer(Buffer.from(readme(locale, madeAt)), "README.txt", options);
  const read = async (tx: Work) => {
    await readOneMoment(tx);
    for (const [index, file] of EXPORT_FILES.entries()) {
      const rows = await READERS[file](tx.db, userId);
      zip.addBuffer(Buffer.from(toJson(rows)), `${file}.json`, options);
      zip.addBuffer(Buffer.from(toCsv(rows)), `${file}.csv`, options);
      await onProgress(Math.round(((index + 1) / EXPORT_FILES.length) * 99));
    }
  };
  inTransaction(read, { seconds: 600 }).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  return output;
}

/** What each file is, in the person's language. */
function readme(locale: Locale, madeAt: Date): string {
  const say = (key: string, params?: Record<string, string | Date>) =>
    text(locale, `data_export.${key}`, params);
  const files = EXPORT_FILES.map((file) => `${file}.json, ${file}.csv\r\n    ${say(`files.${file}`)}`);
  return [
    say("readme.title", { brand: platformBrand().name }),
    say("readme.text", { time: madeAt.toISOString() }),
    ...files,
    say("readme.secrets"),
    "",
  ].join("\r\n\r\n");
}
