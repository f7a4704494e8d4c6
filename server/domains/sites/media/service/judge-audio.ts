import { readTracks } from "../tracks.provider";
import { type DetectedFile, damagedFile, refusedFormat, type Spooled } from "./judge-bytes";
import { ADTS } from "./recognise";

export async function judgeFrames(spooled: Spooled): Promise<DetectedFile> {
  const isAac = ADTS.test(spooled.head.toString("latin1", 0, 2));
  const format = isAac ? "aac" : "mp3";
  const { container, durationMs, firstFrame } = await readTracks(spooled).catch(() => {
    throw damagedFile(format);
  });
  if (container === "AAC") return { format: "aac", durationMs };
  if (container !== "MP3") throw refusedFormat(container);
  const bits = firstFrame?.[1];
  const isReserved = bits === undefined || ((bits >> 3) & 3) === 1;
  if (isReserved) throw damagedFile(format);
  const layer = 4 - ((bits >> 1) & 3);
  if (layer !== 3) throw refusedFormat(`MPEG audio layer ${layer}`);
  return { format: "mp3", durationMs };
}
