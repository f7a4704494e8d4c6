import { broken, type Judged, otherFormat, readAt, type Spooled } from "./judge-bytes";

/** Limits of what is walked through: a file beyond them is refused as broken. */
export const BOXES_MAX = 10_000;
export const DEPTH_MAX = 8;
const MOOV_MAX = 16 * 1_048_576;
const HOLDERS = new Set(["moov", "trak", "mdia", "minf", "dinf", "stbl", "edts", "mvex"]);

const MP4 = /^(isom|iso[2-9]|mp4[12]|avc1|dash|mmp4|MSNV|M4V |M4VH|M4VP)$/;
const M4A = /^(M4A |M4B )$/;
const THREE_GP = /^(3gp[1-9]|3ge\d|3gg\d|3gr\d|3gs\d)$/;
const REFUSED: ReadonlyArray<[RegExp, string]> = [
  [/^qt {2}$/, "QuickTime (MOV)"],
  [/^(heic|heix|mif1|msf1|hevc|hevx)$/, "HEIC"],
  [/^avi[fs]$/, "AVIF"],
  [/^M4P $/, "M4P (DRM)"],
  [/^3g2[a-c]$/, "3GPP2"],
  [/^[fF]4[vV] $/, "F4V"],
];

export interface Box {
  type: string;
  /** Position of its type in the file. */
  typeAt: number;
  /** Where its content begins and ends. */
  start: number;
  end: number;
}

/** Reads a box's head; undefined when its size does not fit into what it is in. */
export function boxAt(head: Buffer, { at, end }: { at: number; end: number }): Box | undefined {
  if (head.length < 8) return undefined;
  const type = head.toString("latin1", 4, 8);
  const short = head.readUInt32BE(0);
  let [size, skip] = [short, 8];
  if (short === 1) {
    if (head.length < 16) return undefined;
    [size, skip] = [Number(head.readBigUInt64BE(8)), 16];
  } else if (short === 0) size = end - at;
  return size >= skip && at + size <= end
    ? { type, typeAt: at + 4, start: at + skip, end: at + size }
    : undefined;
}

interface Track {
  handler?: string;
  width?: number;
  height?: number;
}

interface Movie {
  tracks: Track[];
  durationMs?: number;
  boxes: number;
}

/**
 * Judges MP4, M4A and 3GPP by walking its boxes: the tracks decide between picture and sound, not the brand. Throws
 * `validation` for other brands and for boxes that do not fit into one another.
 */
export async function judgeIso(spooled: Spooled): Promise<Judged> {
  const { head, size } = spooled;
  const brandBox = boxAt(head.subarray(0, 16), { at: 0, end: size });
  if (brandBox?.start !== 8 || brandBox.end < 16 || brandBox.end > 4096) throw broken("mp4");
  const brands = brandsOf(head.subarray(8, brandBox.end));
  const major = brands[0]!;
  const refused = REFUSED.find(([brand]) => brand.test(major));
  if (refused) throw otherFormat(refused[1]);
  const movie = await readMovie(spooled);
  if (!movie || movie.tracks.length === 0) throw broken("mp4");
  const { durationMs } = movie;
  const picture = movie.tracks.find(({ handler }) => handler === "vide");
  if (THREE_GP.test(major)) {
    if (!picture) throw otherFormat("3GPP (AMR)");
    return { format: "3gp", ...sideOf(picture), durationMs };
  }
  if (![...brands].some((brand) => MP4.test(brand) || M4A.test(brand)))
    throw otherFormat(`ISO (${printable(major)})`);
  if (picture) return { format: "mp4", ...sideOf(picture), durationMs };
  if (!movie.tracks.every(({ handler }) => handler === "soun")) throw broken("m4a");
  return { format: "m4a", durationMs };
}

const printable = (brand: string) => brand.replace(/[^\x20-\x7E]/g, "?");

function brandsOf(content: Buffer): string[] {
  const brands = [content.toString("latin1", 0, 4)];
  for (let at = 8; at + 4 <= content.length; at += 4) brands.push(content.toString("latin1", at, at + 4));
  return brands;
}

/** Walks the boxes of the file; undefined when they do not fit, or there is no film among them. */
async function readMovie(spooled: Spooled): Promise<Movie | undefined> {
  const end = spooled.size;
  let movie: Movie | undefined;
  let boxes = 0;
  for (let at = 0; at < end; ) {
    if (++boxes > BOXES_MAX) return undefined;
    const box = boxAt(await readAt(spooled, at, 16), { at, end });
    if (!box) return undefined;
    if (box.type === "moov") {
      if (movie || box.end - box.start > MOOV_MAX) return undefined;
      const content = await readAt(spooled, box.start, box.end - box.start);
      movie = { tracks: [], boxes };
      if (!walk(content, { from: 0, to: content.length, depth: 1, movie })) return undefined;
      boxes = movie.boxes;
    }
    at = box.end;
  }
  return movie;
}

/** Walks the boxes within a box; false when one does not fit. */
function walk(
  content: Buffer,
  { from, to, depth, movie, track }: { from: number; to: number; depth: number; movie: Movie; track?: Track },
): boolean {
  if (depth > DEPTH_MAX) return false;
  for (let at = from; at < to; ) {
    if (++movie.boxes > BOXES_MAX) return false;
    const box = boxAt(content.subarray(at, at + 16), { at, end: to });
    if (!box) return false;
    const within = content.subarray(box.start, box.end);
    const own: Track | undefined = box.type === "trak" ? {} : track;
    if (own && own !== track) movie.tracks.push(own);
    if (box.type === "mvhd") movie.durationMs = durationOf(within);
    if (own && box.type === "tkhd" && within.length >= 8) {
      own.width = within.readUInt16BE(within.length - 8);
      own.height = within.readUInt16BE(within.length - 4);
    }
    // Only that of the media: a track's metadata has handlers of their own.
    if (own && box.type === "hdlr" && within.length >= 12) own.handler ??= within.toString("latin1", 8, 12);
    if (HOLDERS.has(box.type)) {
      if (!walk(content, { from: box.start, to: box.end, depth: depth + 1, movie, track: own })) return false;
    }
    at = box.end;
  }
  return true;
}

function durationOf(mvhd: Buffer): number | undefined {
  const long = mvhd[0] === 1;
  if (mvhd.length < (long ? 32 : 20)) return undefined;
  const scale = mvhd.readUInt32BE(long ? 20 : 12);
  const units = long ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  const ms = Math.round((units / scale) * 1000);
  // Streams say "unknown" by the largest number.
  return scale > 0 && ms > 0 && ms < 2 ** 31 ? ms : undefined;
}

function sideOf({ width, height }: Track): Pick<Judged, "width" | "height"> {
  return width && height ? { width, height } : {};
}
