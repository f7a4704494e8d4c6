import { readTracks, type Track } from "../tracks.provider";
import { boxAt, boxesOf } from "./boxes";
import { type DetectedFile, damagedFile, readAt, refusedFormat, type Spooled } from "./judge-bytes";
import { videoDuration } from "./video-duration";

const BRANDS_MAX = 4096;
const MOOV_MAX = 16 * 1_048_576;

const MP4 = /^(isom|iso[2-9a-c]|mp4[12]|mp71|avc1|dash|mmp4|MSNV|XAVC|M4V |M4VH|M4VP)$/;
const SOUND_ALONE = /^(M4A |M4B )$/;
const THREE_GP = /^3g[eghprst][1-9]$/;
const REFUSED: ReadonlyArray<[RegExp, string]> = [
  [/^qt {2}$/, "QuickTime (MOV)"],
  [/^(heic|heix|heim|heis|mif1|msf1|hevc|hevx)$/, "HEIC"],
  [/^avi[fs]$/, "AVIF"],
  [/^M4P $/, "M4P (DRM)"],
  [/^3g2[a-c]$/, "3GPP2"],
  [/^[fF]4[vVpPaAbB] $/, "F4V"],
];

const ENCRYPTED = /^(enc[avst]|drm[is])$/;
const AMR = /^(samr|sawb|sawp)$/;
/** Codecs of pictures: covers and chapter images of recordings. */
const PICTURES = /^(jpeg|mjp[ab]|png )$/;

/** Validates MP4, M4A and 3GPP. The brand gives the family, the tracks decide between video and audio. */
export async function judgeVideo(spooled: Spooled): Promise<DetectedFile> {
  const brands = brandsOf(spooled);
  const major = brands[0]!;
  const refusedBrand = REFUSED.find(([brand]) => brand.test(major));
  if (refusedBrand) throw refusedFormat(refusedBrand[1]);
  if (!brands.some((brand) => MP4.test(brand) || SOUND_ALONE.test(brand) || THREE_GP.test(brand)))
    throw refusedFormat(`ISO (${major.replace(/[^\x20-\x7E]/g, "?")})`);
  const contents = await contentsOf(spooled);
  const { tracks } = await readTracks(spooled).catch(() => {
    throw damagedFile("mp4");
  });
  const hasVideo = tracks.some(({ type }) => type === "video");
  // mediabunny hides tracks with a damaged header.
  if (tracks.length === 0 || (!hasVideo && contents.includes("vmhd"))) throw damagedFile("mp4");
  if (tracks.some(({ sampleEntry }) => ENCRYPTED.test(sampleEntry))) throw refusedFormat("MP4 (DRM)");
  const durationMs = await videoDuration(spooled, contents);
  const video = videoTrackOf(tracks, major);
  if (video) {
    const { width, height } = video;
    const sides = width && height ? { width, height } : {};
    return { format: THREE_GP.test(major) ? "3gp" : "mp4", ...sides, durationMs };
  }
  if (tracks.some(({ sampleEntry }) => AMR.test(sampleEntry))) throw refusedFormat("3GPP (AMR)");
  return { format: "m4a", durationMs };
}

function videoTrackOf(tracks: readonly Track[], major: string): Track | undefined {
  const hasSound = tracks.some(({ type }) => type === "audio");
  const isPicture = ({ sampleEntry, codec }: Track) =>
    hasSound && (PICTURES.test(sampleEntry) || (SOUND_ALONE.test(major) && codec === null));
  return tracks.find((track) => track.type === "video" && !isPicture(track));
}

function brandsOf({ head, size }: Spooled): string[] {
  const box = boxAt(head.subarray(0, 16), { at: 0, end: size });
  if (box?.start !== 8 || box.end < 16 || box.end > BRANDS_MAX) throw damagedFile("mp4");
  const brands = [head.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= box.end; at += 4) brands.push(head.toString("latin1", at, at + 4));
  return brands;
}

async function contentsOf(spooled: Spooled): Promise<Buffer> {
  let contents: Buffer | undefined;
  let hasFrames = false;
  for await (const { type, start, end } of boxesOf(spooled)) {
    if (type === "mdat") hasFrames ||= end > start;
    if (type !== "moov") continue;
    if (contents || end - start > MOOV_MAX) throw damagedFile("mp4");
    contents = await readAt(spooled, start, end - start);
  }
  if (!contents || !hasFrames) throw damagedFile("mp4");
  return contents;
}
