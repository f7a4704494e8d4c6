import type { Entry, ZipFile } from "yauzl";
import { type DetectedFile, refusedFormat } from "./judge-bytes";
import { elementsOf, partName, textOf, withoutEscapes } from "./office-parts";
import { archiveError } from "./open-archive";

export const TYPES_PART = "[content_types].xml";
export const RELATIONS_PART = "_rels/.rels";

export interface OfficeParts {
  [TYPES_PART]?: Entry;
  [RELATIONS_PART]?: Entry;
  names: Set<string>;
}

/** Content types of a main part, by the suffix after the vendor's prefix. Only these two are accepted. */
const FORMATS: ReadonlyArray<[RegExp, "docx" | "pptx"]> = [
  [/\bwordprocessingml\.document\.main\+xml$/i, "docx"],
  [/\bpresentationml\.presentation\.main\+xml$/i, "pptx"],
];
const OTHERS: ReadonlyArray<[RegExp, string]> = [
  [/\bspreadsheetml\.sheet\.main\+xml$/i, "XLSX"],
  [/\bspreadsheetml\.template\.main\+xml$/i, "XLTX"],
  [/\bsheet\.binary\./i, "XLSB"],
  [/\bwordprocessingml\.template\.main\+xml$/i, "DOTX"],
  [/\bpresentationml\.slideshow\.main\+xml$/i, "PPSX"],
  [/\bpresentationml\.template\.main\+xml$/i, "POTX"],
  [/\bvisio\.drawing\.main\+xml$/i, "VSDX"],
];
const MACROS = /macroEnabled|vnd\.ms-office\.vbaProject/i;
const MAIN_RELATION = /\/relationships\/officeDocument$/;

/** Detects the format by the content type of the main part, which the relations name. */
export async function judgeOffice(zip: ZipFile, parts: OfficeParts): Promise<DetectedFile> {
  const types = await textOf(zip, parts[TYPES_PART]!);
  if (MACROS.test(withoutEscapes(types))) throw archiveError("media_macros");
  const relations = parts[RELATIONS_PART] ? await textOf(zip, parts[RELATIONS_PART]) : undefined;
  const main = relations && mainPartOf(relations);
  const typeOf = typesBy(types);
  const candidates = (main ? [main] : [...parts.names]).filter((part) => parts.names.has(part)).map(typeOf);
  for (const type of candidates) {
    const format = FORMATS.find(([name]) => name.test(type));
    if (format) return { format: format[1] };
  }
  const other = OTHERS.find(([name]) => candidates.some((type) => name.test(type)));
  throw refusedFormat(other?.[1] ?? "Office Open XML");
}

/** Maps a part to its declared type, else to its extension's: the Open XML SDK declares only the latter. */
function typesBy(types: string): (part: string) => string {
  const byPart = new Map(
    elementsOf(types, "Override").map((each) => [partName(each.PartName), mediaType(each.ContentType)]),
  );
  const byExtension = new Map(
    elementsOf(types, "Default").map((each) => [each.Extension?.toLowerCase(), mediaType(each.ContentType)]),
  );
  return (part) => byPart.get(part) ?? byExtension.get(/\.([^./]*)$/.exec(part)?.[1]) ?? "";
}

const mediaType = (contentType = "") => contentType.split(";", 1)[0]!.trim();

function mainPartOf(relations: string): string | undefined {
  const main = elementsOf(relations, "Relationship").find(({ Type }) => MAIN_RELATION.test(Type ?? ""));
  return main && partName(main.Target);
}
