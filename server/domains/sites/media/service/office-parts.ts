import type { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";

const PART_BYTES_MAX = 1_048_576;

/** Normalises a part name, which is case-insensitive and may be relative or percent-encoded. */
export function normalisePartName(name = ""): string {
  const segments: string[] = [];
  for (const segment of decodePercent(name).replaceAll("\\", "/").split("/"))
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  return segments.join("/").toLowerCase();
}

function decodePercent(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the attributes of every element with this name. Expects a flat list of empty elements. */
export function parseElements(xml: string, elementName: string): Array<Record<string, string>> {
  const elements = removeComments(xml).matchAll(/<(?:[\w.-]{1,60}:)?(\w{1,60})\s([^<>]{0,4000})>/g);
  return [...elements].flatMap(([, element, attributes = ""]) =>
    element === elementName ? [parseAttributes(attributes)] : [],
  );
}

function removeComments(xml: string): string {
  const [beforeComments = "", ...commentSegments] = xml.split("<!--");
  return (
    beforeComments +
    commentSegments
      .map((segment) => (segment.includes("-->") ? segment.slice(segment.indexOf("-->") + 3) : ""))
      .join("")
  );
}

const ATTRIBUTE = /\b(PartName|Extension|ContentType|Type|Target)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function parseAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, key, doubleQuoted, singleQuoted]) => [
      key,
      unescapeXml(doubleQuoted ?? singleQuoted ?? ""),
    ]),
  );
}

const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED_ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function unescapeXml(xml: string): string {
  return xml.replace(ENTITY, (match, hex?: string, decimal?: string, name?: string) => {
    if (name) return NAMED_ENTITIES[name.toLowerCase()]!;
    const code = Number.parseInt(hex ?? decimal!, hex ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : match;
  });
}

/** Reads at most 1 MB of a part. The first two bytes (byte order mark or "<") give the encoding. */
export async function readPartText(zip: ZipFile, entry: Entry): Promise<string> {
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, readable) => (readable ? resolve(readable) : reject(error))),
  );
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= PART_BYTES_MAX) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, PART_BYTES_MAX);
  const encoding = ENCODINGS.find(([start]) => start.test(bytes.toString("latin1", 0, 2)))?.[1];
  return new TextDecoder(encoding).decode(bytes);
}

const ENCODINGS: ReadonlyArray<[RegExp, string]> = [
  [/^(\xFE\xFF|\0<)/, "utf-16be"],
  [/^(\xFF\xFE|<\0)/, "utf-16le"],
];
