import { broken, type Judged, readAt, type Spooled } from "./judge-bytes";
import { endWithoutPadding } from "./padding";

/** Readers look for the end within the last 1,024 bytes, apart from padding. */
const END_WITHIN = 1024;

/** Judges a PDF: it must not be cut off. */
export async function judgePdf(spooled: Spooled): Promise<Judged> {
  const end = await endWithoutPadding(spooled);
  const from = Math.max(0, end - END_WITHIN);
  const tail = await readAt(spooled, from, end - from);
  if (!tail.includes("%%EOF")) throw broken("pdf");
  return { format: "pdf" };
}
