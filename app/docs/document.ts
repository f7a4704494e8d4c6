import "server-only";
import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { DocName } from "@/components/docs/doc-name";
import { createFormatter } from "@/components/ui/format";
import { env } from "@/server/core/env";
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

const documentationByLocale = new Map<Locale, Documentation>();

/** Returns the documentation in the reader's language. Cached, because it changes only with the build. */
export async function getDocumentation(): Promise<Documentation> {
  const locale = await getLocale();
  const cached = documentationByLocale.get(locale) ?? (await buildDocumentation(locale));
  documentationByLocale.set(locale, cached);
  return cached;
}

async function buildDocumentation(locale: Locale): Promise<Documentation> {
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
  const chapters = splitIntoPages(docs.operations);
  return {
    guides: renderGuides(reader, guideTexts, { ...docs, chapters }, !env().production),
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

/** Renders a line of the contents. Its `id` is the anchor that old links to the contents page use. */
function renderOperationLine(
  { id, method, path, summary }: DocOperation,
  pagePath: string,
  fields: readonly string[] = [],
) {
  return html`<li><a id="${id}" href="${pagePath}#${id}">${renderMethod(method)}<code dir="ltr">${path}</code><bdi lang="en">${summary}</bdi>${
    fields.length > 0 &&
    html`<code dir="ltr" class="text-fg-subtle">${fields.slice(0, MAX_FIELDS_SHOWN).join(", ")}</code>`
  }</a></li>`;
}

const MAX_FIELDS_SHOWN = 4;

const renderList = (title: string, id: string, pagePath: string | null, lines: readonly Markup[]) =>
  html`<section aria-labelledby="tag-${id}"><h2 id="tag-${id}" class="mb-2 font-semibold text-h2">${
    pagePath ? html`<a href="${pagePath}" class="hover:underline"><bdi lang="en">${title}</bdi></a>` : title
  }</h2><ul class="doc-list" style="--lines:${lines.length}">${lines}</ul></section>`;

const renderGuideLine = ({ slug, title, lead }: Guide, base: string) =>
  html`<li><a href="${base}/guides/${slug}"><span class="font-medium text-sm">${title}</span><span class="w-full text-fg-muted text-sm">${lead}</span></a></li>`;

export function renderContents({ guides, chapters }: Documentation, base: string, title: string): string {
  return html`${renderList(
    title,
    "guides",
    null,
    guides.map((guide) => renderGuideLine(guide, base)),
  )}${chapters.map(({ title: topic, slug, operations }) =>
    renderList(
      topic,
      slug,
      `${base}/${slug}`,
      operations.map((each) => renderOperationLine(each, `${base}/${slug}`)),
    ),
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

/** Renders search results. If `count` is 0, the markup contains the closest entries instead. */
export function renderResults(
  documentation: Documentation,
  query: string,
  base: string,
  title: string,
): { count: number; markup: string } {
  const entries = buildSearchEntries(documentation);
  const matches = findMatches(entries, query);
  const shownEntries =
    matches.length > 0 ? matches : findClosest(entries, query).map((entry) => ({ entry, fields: [] }));
  const guides = shownEntries.flatMap(({ entry }) => entry.guide ?? []);
  const chapters = documentation.chapters.flatMap((chapter) => {
    const lines = shownEntries.filter(({ entry }) => entry.chapter === chapter);
    return lines.length > 0 ? [{ chapter, lines }] : [];
  });
  const { markup } = html`${
    guides.length > 0 &&
    renderList(
      title,
      "guides",
      null,
      guides.map((guide) => renderGuideLine(guide, base)),
    )
  }${chapters.map(({ chapter, lines }) =>
    renderList(
      chapter.title,
      chapter.slug,
      `${base}/${chapter.slug}`,
      lines.map(({ entry, fields }) =>
        renderOperationLine(entry.operation!, `${base}/${chapter.slug}`, fields),
      ),
    ),
  )}`;
  return { count: matches.length, markup };
}
