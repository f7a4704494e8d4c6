/** Names of formats that users do not know by their extension. */
const FORMAT_TITLES: Readonly<Record<string, string>> = {
  "3g2": "3GPP2",
  asf: "ASF (WMA, WMV)",
  cfb: "DOC / XLS / PPT",
  f4v: "F4V",
  gz: "GZIP",
  heic: "HEIC",
  jp2: "JPEG 2000",
  jxl: "JPEG XL",
  m4p: "M4P (DRM)",
  mkv: "Matroska (MKV)",
  mov: "QuickTime (MOV)",
  mp2: "MPEG audio layer 2",
  mp1: "MPEG audio layer 1",
  mpg: "MPEG",
  mts: "MPEG-TS",
  ps: "PostScript",
  tif: "TIFF",
};

/** Formats that the library does not detect: markup, by the tags that browsers sniff, and damaged ASF. */
const UNDETECTED_FORMATS: ReadonlyArray<[RegExp, string]> = [
  [/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?(<!doctype svg[^>]*>\s*)?<svg[\s/>]/i, "SVG"],
  [/^(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body|script|iframe)[\s>]/i, "HTML"],
  [/^0&\xB2u\x8Ef\xCF/, "ASF (WMA, WMV)"],
];

export interface FileType {
  /** Empty for a format with several extensions. */
  extension: string;
  title: string;
}

/** Detects the type of a file by its first bytes; undefined for an unknown type. */
export async function detectFileType(firstBytes: Uint8Array): Promise<FileType | undefined> {
  const headText = Buffer.from(
    firstBytes.buffer,
    firstBytes.byteOffset,
    Math.min(firstBytes.byteLength, 1024),
  ).toString("latin1");
  const matchedFormat = UNDETECTED_FORMATS.find(([pattern]) =>
    pattern.test(headText.replace("\xEF\xBB\xBF", "").trimStart()),
  );
  if (matchedFormat) return { extension: "", title: matchedFormat[1] };
  const { fileTypeFromBuffer } = await import("file-type");
  const detectedType = await fileTypeFromBuffer(firstBytes).catch(() => undefined);
  // The library detects the byte order mark of UTF-16 as MP1.
  if (detectedType?.ext === "mp1" && headText.startsWith("\xFF\xFE")) return undefined;
  return (
    detectedType && {
      extension: detectedType.ext,
      title: FORMAT_TITLES[detectedType.ext] ?? detectedType.ext.toUpperCase(),
    }
  );
}
