import type { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";
import { type Judged, otherFormat } from "./judge-bytes";
import { refusal } from "./open-archive";

/** Bytes of a part that are read. */
const PART_MAX = 1_048_576;

/** The parts of an Office file that say what it is, by their names in lower case: the names of parts have no case. */
export const TYPES_PART = "[content_types].xml";
export const RELATIONS_PART = "_rels/.rels";

export interface OfficeParts {
  [TYPES_PART]?: Entry;
  [RELATIONS_PART]?: Entry;
  /** Names of all parts that may be the main one, in lower case. */
  names: Set<string>;
}

/** Content types of a main part, by what follows the vendor's prefix. Only two are stored. */
const FORMATS: ReadonlyArray<[RegExp, "docx" | "pptx"]> = [
  [/\bwordprocessingml\.document\.main\+xml$/, "docx"],
  [/\bpresentationml\.presentation\.main\+xml$/, "pptx"],
];
const OTHERS: ReadonlyArray<[RegExp, string]> = [
  [/\bspreadsheetml\.sheet\.main\+xml$/, "XLSX"],
  [/\bspreadsheetml\.template\.main\+xml$/, "XLTX"],
  [/\bsheet\.binary\./, "XLSB"],
  [/\bwordprocessingml\.template\.main\+xml$/, "DOTX"],
  [/\bpresentationml\.slideshow\.main\+xml$/, "PPSX"],
  [/\bpresentationml\.template\.main\+xml$/, "POTX"],
  [/\bvisio\.drawing\.main\+xml$/, "VSDX"],
];
const MACROS = /macroEnabled|vnd\.ms-office\.vbaProject/i;
const MAIN_RELATION = /\/relationships\/officeDocument$/;

/** Judges a file with content types by the type of its main part, which its relations name. */
export async function judgeOffice(zip: ZipFile, parts: OfficeParts): Promise<Judged> {
  const types = await textOf(zip, parts[TYPES_PART]!);
  if (MACROS.test(types)) throw refusal("media_macros");
  const declared = elementsOf(types, "Override").map(({ PartName, ContentType }) => ({
    part: partName(PartName),
    type: ContentType ?? "",
  }));
  const relations = parts[RELATIONS_PART] ? await textOf(zip, parts[RELATIONS_PART]) : undefined;
  const main = relations && mainPartOf(relations);
  const candidates = declared.filter(({ part }) => parts.names.has(part) && (!main || part === main));
  for (const { type } of candidates) {
    const format = FORMATS.find(([name]) => name.test(type));
    if (format) return { format: format[1] };
  }
  const other = OTHERS.find(([name]) => candidates.some(({ type }) => name.test(type)));
  throw otherFormat(other?.[1] ?? "Office Open XML");
}

function mainPartOf(relations: string): string | undefined {
  const main = elementsOf(relations, "Relationship").find(({ Type }) => MAIN_RELATION.test(Type ?? ""));
  return main && partName(main.Target);
}

/** Parts are named from the root, with or without a slash, and have no case. */
const partName = (name = "") => name.replace(/^\//, "").toLowerCase();

/** Attributes of every element with that name. These parts are flat lists of elements without content. */
function elementsOf(xml: string, name: string): Array<Record<string, string>> {
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

const ATTRIBUTE = /\b(PartName|ContentType|Type|Target)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, key, double, single]) => [key, double ?? single ?? ""]),
  );
}

/** The beginning of a part, in the encoding that its first bytes declare. */
async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
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
  const mark = bytes.toString("latin1", 0, 2);
  const encoding = mark === "\xFE\xFF" ? "utf-16be" : mark === "\xFF\xFE" ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
