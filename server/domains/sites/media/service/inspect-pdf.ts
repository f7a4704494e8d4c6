import { type DetectedFile, damagedFileError, readBytesAt, type SpooledUpload } from "./detected-file";
import { findContentEnd } from "./padding";

/** Readers search for `%%EOF` in the last 1,024 bytes before the padding. */
const END_MARKER_WINDOW_BYTES = 1024;

export async function inspectPdf(spooled: SpooledUpload): Promise<DetectedFile> {
  const end = await findContentEnd(spooled);
  const tailStart = Math.max(0, end - END_MARKER_WINDOW_BYTES);
  const tail = await readBytesAt(spooled, tailStart, end - tailStart);
  if (!tail.includes("%%EOF")) throw damagedFileError("pdf");
  return { format: "pdf" };
}
