import { type DetectedFile, damagedFile, readAt, type Spooled } from "./judge-bytes";
import { endWithoutPadding } from "./padding";

/** Readers search for `%%EOF` in the last 1,024 bytes, ignoring padding. */
const END_WITHIN = 1024;

export async function judgePdf(spooled: Spooled): Promise<DetectedFile> {
  const end = await endWithoutPadding(spooled);
  const from = Math.max(0, end - END_WITHIN);
  const tail = await readAt(spooled, from, end - from);
  if (!tail.includes("%%EOF")) throw damagedFile("pdf");
  return { format: "pdf" };
}
