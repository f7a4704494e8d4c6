import { readTracks } from "../tracks.provider";
import { ADTS_SIGNATURE } from "./detect-family";
import { type DetectedFile, damagedFileError, refusedFormatError, type SpooledUpload } from "./detected-file";

export async function inspectAudioFrames(spooled: SpooledUpload): Promise<DetectedFile> {
  const isAac = ADTS_SIGNATURE.test(spooled.head.toString("latin1", 0, 2));
  const format = isAac ? "aac" : "mp3";
  const { container, durationMs, firstFrame } = await readTracks(spooled).catch(() => {
    throw damagedFileError(format);
  });
  if (container === "AAC") return { format: "aac", durationMs };
  if (container !== "MP3") throw refusedFormatError(container);
  const headerBits = firstFrame?.[1];
  // Bits of an MPEG frame header: version (01 is reserved), then layer.
  const isReserved = headerBits === undefined || ((headerBits >> 3) & 3) === 1;
  if (isReserved) throw damagedFileError(format);
  const layer = 4 - ((headerBits >> 1) & 3);
  if (layer !== 3) throw refusedFormatError(`MPEG audio layer ${layer}`);
  return { format: "mp3", durationMs };
}
