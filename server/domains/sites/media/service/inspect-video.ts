import { readTracks, type Track } from "../tracks.provider";
import { parseBoxHeader, readTopLevelBoxes } from "./boxes";
import {
  type DetectedFile,
  damagedFileError,
  readBytesAt,
  refusedFormatError,
  type SpooledUpload,
} from "./detected-file";
import { readVideoDuration } from "./video-duration";

const BRANDS_BOX_END_MAX = 4096;
const MOOV_BYTES_MAX = 16 * 1_048_576;

const MP4_BRAND = /^(isom|iso[2-9a-c]|mp4[12]|mp71|avc1|dash|mmp4|MSNV|XAVC|M4V |M4VH|M4VP)$/;
const AUDIO_BRAND = /^(M4A |M4B )$/;
const THREE_GP_BRAND = /^3g[eghprst][1-9]$/;
const REFUSED_BRANDS: ReadonlyArray<[RegExp, string]> = [
  [/^qt {2}$/, "QuickTime (MOV)"],
  [/^(heic|heix|heim|heis|mif1|msf1|hevc|hevx)$/, "HEIC"],
  [/^avi[fs]$/, "AVIF"],
  [/^M4P $/, "M4P (DRM)"],
  [/^3g2[a-c]$/, "3GPP2"],
  [/^[fF]4[vVpPaAbB] $/, "F4V"],
];

const ENCRYPTED_ENTRY = /^(enc[avst]|drm[is])$/;
const AMR_ENTRY = /^(samr|sawb|sawp)$/;
const PICTURE_ENTRY = /^(jpeg|mjp[ab]|png )$/;

/** Validates MP4, M4A and 3GPP. The brand decides the format, the tracks decide between video and audio. */
export async function inspectVideo(spooled: SpooledUpload): Promise<DetectedFile> {
  const brands = readBrands(spooled);
  const majorBrand = brands[0]!;
  const refusedBrand = REFUSED_BRANDS.find(([brand]) => brand.test(majorBrand));
  if (refusedBrand) throw refusedFormatError(refusedBrand[1]);
  if (!brands.some((brand) => MP4_BRAND.test(brand) || AUDIO_BRAND.test(brand) || THREE_GP_BRAND.test(brand)))
    throw refusedFormatError(`ISO (${majorBrand.replace(/[^\x20-\x7E]/g, "?")})`);
  const moov = await readMoov(spooled);
  const { tracks } = await readTracks(spooled).catch(() => {
    throw damagedFileError("mp4");
  });
  const hasVideo = tracks.some(({ type }) => type === "video");
  // mediabunny hides tracks with a damaged header.
  if (tracks.length === 0 || (!hasVideo && moov.includes("vmhd"))) throw damagedFileError("mp4");
  if (tracks.some(({ sampleEntry }) => ENCRYPTED_ENTRY.test(sampleEntry)))
    throw refusedFormatError("MP4 (DRM)");
  const durationMs = await readVideoDuration(spooled, moov);
  const videoTrack = findVideoTrack(tracks, majorBrand);
  if (videoTrack) {
    const { width, height } = videoTrack;
    const sides = width && height ? { width, height } : {};
    return { format: THREE_GP_BRAND.test(majorBrand) ? "3gp" : "mp4", ...sides, durationMs };
  }
  if (tracks.some(({ sampleEntry }) => AMR_ENTRY.test(sampleEntry))) throw refusedFormatError("3GPP (AMR)");
  return { format: "m4a", durationMs };
}

/** Finds the video track. In a file with sound, a track of cover pictures does not count. */
function findVideoTrack(tracks: readonly Track[], majorBrand: string): Track | undefined {
  const hasSound = tracks.some(({ type }) => type === "audio");
  const isPicture = ({ sampleEntry, codec }: Track) =>
    hasSound && (PICTURE_ENTRY.test(sampleEntry) || (AUDIO_BRAND.test(majorBrand) && codec === null));
  return tracks.find((track) => track.type === "video" && !isPicture(track));
}

function readBrands({ head, size }: SpooledUpload): string[] {
  const box = parseBoxHeader(head.subarray(0, 16), { at: 0, end: size });
  if (box?.start !== 8 || box.end < 16 || box.end > BRANDS_BOX_END_MAX) throw damagedFileError("mp4");
  const brands = [head.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= box.end; at += 4) brands.push(head.toString("latin1", at, at + 4));
  return brands;
}

async function readMoov(spooled: SpooledUpload): Promise<Buffer> {
  let moov: Buffer | undefined;
  let hasFrames = false;
  for await (const { type, start, end } of readTopLevelBoxes(spooled)) {
    if (type === "mdat") hasFrames ||= end > start;
    if (type !== "moov") continue;
    if (moov || end - start > MOOV_BYTES_MAX) throw damagedFileError("mp4");
    moov = await readBytesAt(spooled, start, end - start);
  }
  if (!moov || !hasFrames) throw damagedFileError("mp4");
  return moov;
}
