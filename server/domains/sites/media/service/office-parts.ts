import type { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";

const PART_MAX = 1_048_576;

/** Normalises a part name. Parts are case-insensitive. */
export function partName(name = ""): string {
  const segments: string[] = [];
  for (const segment of percentDecoded(name).replaceAll("\\", "/").split("/"))
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  return segments.join("/").toLowerCase();
}

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the attributes of every element of this name. These parts are flat lists of empty elements. */
export function elementsOf(xml: string, name: string): Array<Record<string, string>> {
  const elements = withoutComments(xml).matchAll(/<(?:[\w.-]{1,60}:)?(\w{1,60})\s([^<>]{0,4000})>/g);
  return [...elements].flatMap(([, element, attributes = ""]) =>
    element === name ? [attributesOf(attributes)] : [],
  );
}

function withoutComments(xml: string): string {
  const [first = "", ...others] = xml.split("<!--");
  return (
    first + others.map((each) => (each.includes("-->") ? each.slice(each.indexOf("-->") + 3) : "")).join("")
  );
}

const ATTRIBUTE = /\b(PartName|Extension|ContentType|Type|Target)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, key, double, single]) => [
      key,
      withoutEscapes(double ?? single ?? ""),
    ]),
  );
}

const ESCAPE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function withoutEscapes(xml: string): string {
  return xml.replace(ESCAPE, (match, hex?: string, decimal?: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()]!;
    const code = Number.parseInt(hex ?? decimal!, hex ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : match;
  });
}

/** Reads the start of a part. The first two bytes give the encoding: a byte order mark or an encoded "<". */
export async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, readable) => (readable ? resolve(readable) : reject(error))),
  );
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= PART_MAX) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, PART_MAX);
  const encoding = ENCODINGS.find(([start]) => start.test(bytes.toString("latin1", 0, 2)))?.[1];
  return new TextDecoder(encoding).decode(bytes);
}

const ENCODINGS: ReadonlyArray<[RegExp, string]> = [
  [/^(\xFE\xFF|\0<)/, "utf-16be"],
  [/^(\xFF\xFE|<\0)/, "utf-16le"],
];
