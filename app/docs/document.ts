import "server-only";
import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { DocName } from "@/components/docs/doc-name";
import { createFormatter } from "@/components/ui/format";
import { env } from "@/server/core/env";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { type DocPage, splitIntoPages } from "./chapters";
import { type Guide, renderGuides } from "./guides";
import { html, type Markup } from "./html";
import { type ReaderTexts, renderMethod, renderOperation } from "./parts";
import { getReference } from "./reference";
import { type Findable, findClosest, findMatches } from "./search";
import type { DocOperation } from "./types";

interface Chapter extends DocPage {
  /** Renders the operations; cached after the first call. */
  markup: () => string;
}

export interface Documentation {
  guides: Guide[];
  chapters: Chapter[];
}

/** Visitors see what resellers see: they may be about to become one. */
type Audience = "user" | "reseller" | "admin";

const documentationByReader = new Map<string, Documentation>();

/** Returns the documentation in the reader's language, without operations of other roles. Cached for the process. */
export async function getDocumentation(): Promise<Documentation> {
  const [locale, profile] = await Promise.all([getLocale(), getCurrentUser().catch(() => null)]);
  const audience = profile?.user.role ?? "reseller";
  const key = `${locale} ${audience}`;
  const cached = documentationByReader.get(key) ?? (await buildDocumentation(locale, audience));
  documentationByReader.set(key, cached);
  return cached;
}

const isVisible = ({ role }: DocOperation, audience: Audience) =>
  role === null || role === audience || (audience === "admin" && role === "reseller");

async function buildDocumentation(locale: Locale, audience: Audience): Promise<Documentation> {
  const [t, guideTexts, copyTexts, docs] = await Promise.all([
    getTranslations("docs"),
    getTranslations("docsGuides"),
    getTranslations("ui.copy"),
    getReference(),
  ]);
  const reader: ReaderTexts = {
    t,
    format: createFormatter({ locale, timeZone: "UTC" }),
    copyLabel: copyTexts("copy"),
  };
  // Split before filtering, so that an operation has the same page for every reader.
  const chapters = splitIntoPages(docs.operations)
    .map((page) => ({ ...page, operations: page.operations.filter((each) => isVisible(each, audience)) }))
    .filter(({ operations }) => operations.length > 0);
  const operations = chapters.flatMap((chapter) => chapter.operations);
  return {
    guides: renderGuides(reader, guideTexts, { ...docs, operations, chapters }, !env().production),
    chapters: chapters.map((each) => ({ ...each, markup: createLazyMarkup(reader, each.operations) })),
  };
}

function createLazyMarkup(reader: ReaderTexts, operations: readonly DocOperation[]): () => string {
  let markup: string | undefined;
  return () => {
    markup ??= html`${operations.map((each) => renderOperation(reader, each))}`.markup;
    return markup;
  };
}

export async function getDocNames(): Promise<DocName[]> {
  const [t, { guides, chapters }] = await Promise.all([getTranslations("docs"), getDocumentation()]);
  return [
    ...guides.map(({ slug, title }) => ({ path: `guides/${slug}`, title, detail: t("guides") })),
    ...chapters.map(({ slug, title }) => ({ path: slug, title, english: true })),
    ...chapters.flatMap(({ slug, operations }) =>
      operations.map(({ id, method, path, summary }) => ({
        path: `${slug}#${id}`,
        title: summary,
        detail: `${method} ${path}`,
        english: true,
      })),
    ),
  ];
}

function renderOperationLine(
  { id, method, path, summary }: DocOperation,
  pagePath: string,
  fields: readonly string[],
) {
  return html`<li><a href="${pagePath}#${id}">${renderMethod(method)}<code dir="ltr">${path}</code><bdi lang="en">${summary}</bdi>${
    fields.length > 0 &&
    html`<code dir="ltr" class="text-fg-subtle">${fields.slice(0, MAX_FIELDS_SHOWN).join(", ")}</code>`
  }</a></li>`;
}

const MAX_FIELDS_SHOWN = 4;

const renderList = (title: string | undefined, lines: readonly Markup[], columns = "") =>
  html`<section>${title && html`<h2 class="mb-2 font-semibold text-h2">${title}</h2>`}<ul class="doc-list ${columns}">${lines}</ul></section>`;

const renderGuideLine = ({ slug, title, lead }: Guide, base: string) =>
  html`<li><a href="${base}/guides/${slug}"><span class="font-medium text-sm">${title}</span><span class="w-full text-fg-muted text-sm">${lead}</span></a></li>`;

export interface ContentsTexts {
  guides: string;
  reference: string;
  countOperations: (count: number) => string;
}

export function renderContents(
  { guides, chapters }: Documentation,
  base: string,
  texts: ContentsTexts,
): string {
  return html`${renderList(
    texts.guides,
    guides.map((guide) => renderGuideLine(guide, base)),
    "doc-columns",
  )}${renderList(
    texts.reference,
    chapters.map(
      ({ title, slug, operations }) =>
        html`<li><a href="${base}/${slug}"><bdi lang="en" class="font-medium text-fg">${title}</bdi><span class="ms-auto text-compact text-fg-subtle">${texts.countOperations(operations.length)}</span></a></li>`,
    ),
    "doc-columns",
  )}`.markup;
}

interface SearchEntry extends Findable {
  guide?: Guide;
  chapter?: Chapter;
  operation?: DocOperation;
}

function buildSearchEntries({ guides, chapters }: Documentation): SearchEntry[] {
  return [
    ...guides.map((guide) => ({
      guide,
      head: `${guide.title} ${guide.slug}`,
      rest: `${guide.lead} ${guide.plainText}`,
    })),
    ...chapters.flatMap((chapter) =>
      chapter.operations.map((operation) => {
        const { id, method, path, summary, tag, description } = operation;
        const fields = [operation.params, operation.query, operation.body, operation.result.fields].flat();
        return {
          ...{
            chapter,
            operation,
            head: `${id} ${method} ${path} ${summary}`,
            rest: `${tag} ${description ?? ""}`,
          },
          fields: [...new Set(fields.map((field) => field.path))],
        };
      }),
    ),
  ];
}

/** Renders search results, the best first. If `count` is 0, the markup contains the closest entries instead. */
export function renderResults(
  documentation: Documentation,
  query: string,
  base: string,
): { count: number; markup: string } {
  const entries = buildSearchEntries(documentation);
  const matches = findMatches(entries, query);
  const shownEntries =
    matches.length > 0 ? matches : findClosest(entries, query).map((entry) => ({ entry, fields: [] }));
  const lines = shownEntries.map(({ entry: { guide, operation, chapter }, fields }) =>
    guide
      ? renderGuideLine(guide, base)
      : renderOperationLine(operation!, `${base}/${chapter!.slug}`, fields),
  );
  return { count: matches.length, markup: renderList(undefined, lines).markup };
}
