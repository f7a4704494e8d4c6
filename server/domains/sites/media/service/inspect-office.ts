import type { Entry, ZipFile } from "yauzl";
import { type DetectedFile, refusedFormatError } from "./detected-file";
import { normalisePartName, parseElements, readPartText, unescapeXml } from "./office-parts";
import { archiveError } from "./open-archive";

export const TYPES_PART = "[content_types].xml";
export const RELATIONS_PART = "_rels/.rels";

export interface OfficeParts {
  [TYPES_PART]?: Entry;
  [RELATIONS_PART]?: Entry;
  names: Set<string>;
}

const ACCEPTED_TYPES: ReadonlyArray<[RegExp, "docx" | "pptx"]> = [
  [/\bwordprocessingml\.document\.main\+xml$/i, "docx"],
  [/\bpresentationml\.presentation\.main\+xml$/i, "pptx"],
];
const REFUSED_TYPES: ReadonlyArray<[RegExp, string]> = [
  [/\bspreadsheetml\.sheet\.main\+xml$/i, "XLSX"],
  [/\bspreadsheetml\.template\.main\+xml$/i, "XLTX"],
  [/\bsheet\.binary\./i, "XLSB"],
  [/\bwordprocessingml\.template\.main\+xml$/i, "DOTX"],
  [/\bpresentationml\.slideshow\.main\+xml$/i, "PPSX"],
  [/\bpresentationml\.template\.main\+xml$/i, "POTX"],
  [/\bvisio\.drawing\.main\+xml$/i, "VSDX"],
];
const MACRO_TYPE = /macroEnabled|vnd\.ms-office\.vbaProject/i;
const MAIN_RELATION_TYPE = /\/relationships\/officeDocument$/;

/** Detects the format by the content type of the main part, which the relations part names. */
export async function inspectOffice(zip: ZipFile, parts: OfficeParts): Promise<DetectedFile> {
  const typesXml = await readPartText(zip, parts[TYPES_PART]!);
  if (MACRO_TYPE.test(unescapeXml(typesXml))) throw archiveError("media_macros");
  const relationsXml = parts[RELATIONS_PART] ? await readPartText(zip, parts[RELATIONS_PART]) : undefined;
  const mainPart = relationsXml && findMainPart(relationsXml);
  const getPartContentType = createTypeLookup(typesXml);
  const candidateContentTypes = (mainPart ? [mainPart] : [...parts.names])
    .filter((part) => parts.names.has(part))
    .map(getPartContentType);
  for (const contentType of candidateContentTypes) {
    const format = ACCEPTED_TYPES.find(([pattern]) => pattern.test(contentType));
    if (format) return { format: format[1] };
  }
  const refusedType = REFUSED_TYPES.find(([pattern]) =>
    candidateContentTypes.some((type) => pattern.test(type)),
  );
  throw refusedFormatError(refusedType?.[1] ?? "Office Open XML");
}

/** Falls back to the type of the extension: the Open XML SDK declares extensions only. */
function createTypeLookup(typesXml: string): (part: string) => string {
  const byPart = new Map(
    parseElements(typesXml, "Override").map((element) => [
      normalisePartName(element.PartName),
      removeParameters(element.ContentType),
    ]),
  );
  const byExtension = new Map(
    parseElements(typesXml, "Default").map((element) => [
      element.Extension?.toLowerCase(),
      removeParameters(element.ContentType),
    ]),
  );
  return (part) => byPart.get(part) ?? byExtension.get(/\.([^./]*)$/.exec(part)?.[1]) ?? "";
}

const removeParameters = (contentType = "") => contentType.split(";", 1)[0]!.trim();

function findMainPart(relationsXml: string): string | undefined {
  const relation = parseElements(relationsXml, "Relationship").find(({ Type }) =>
    MAIN_RELATION_TYPE.test(Type ?? ""),
  );
  return relation && normalisePartName(relation.Target);
}
