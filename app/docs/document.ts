import "server-only";
import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { DocName } from "@/components/docs/doc-name";
import { formatter } from "@/components/ui/format";
import { env } from "@/server/core/env";
import { type DocPage, pagesOf } from "./chapters";
import { type Guide, guidesOf } from "./guides";
import { html, type Markup } from "./html";
import { method, operation, type Reader } from "./parts";
import { reference } from "./reference";
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

const cache = new Map<Locale, Documentation>();

/**
 * Returns the documentation in the reader's language. Cached for the life of the process: it changes only
 * with the build.
 */
export async function documentation(): Promise<Documentation> {
  const locale = await getLocale();
  const cached = cache.get(locale) ?? (await build(locale));
  cache.set(locale, cached);
  return cached;
}

async function build(locale: Locale): Promise<Documentation> {
  const [t, say, ui, docs] = await Promise.all([
    getTranslations("docs"),
    getTranslations("docsGuides"),
    getTranslations("ui.copy"),
    reference(),
  ]);
  const reader: Reader = { t, format: formatter({ locale, timeZone: "UTC" }), copy: ui("copy") };
  const chapters = pagesOf(docs.operations);
  return {
    guides: guidesOf(reader, say, { ...docs, chapters }, !env().production),
    chapters: chapters.map((each) => ({ ...each, markup: lazyMarkup(reader, each.operations) })),
  };
}

function lazyMarkup(reader: Reader, operations: readonly DocOperation[]): () => string {
  let markup: string | undefined;
  return () => {
    markup ??= html`${operations.map((each) => operation(reader, each))}`.markup;
    return markup;
  };
}

export async function docNames(): Promise<DocName[]> {
  const [t, { guides, chapters }] = await Promise.all([getTranslations("docs"), documentation()]);
  return [
    ...guides.map(({ slug, title }) => ({ path: `guides/${slug}`, title, detail: t("guides") })),
    ...chapters.map(({ slug, title }) => ({ path: slug, title, english: true })),
    ...chapters.flatMap(({ slug, operations }) =>
      operations.map(({ id, method: name, path, summary }) => ({
        path: `${slug}#${id}`,
        title: summary,
        detail: `${name} ${path}`,
        english: true,
      })),
    ),
  ];
}

/** Line of the contents. Its `id` keeps old links working, which point to anchors on the contents page. */
function line(
  { id, method: name, path, summary }: DocOperation,
  address: string,
  fields: readonly string[] = [],
) {
  return html`<li><a id="${id}" href="${address}#${id}">${method(name)}<code dir="ltr">${path}</code><bdi lang="en">${summary}</bdi>${
    fields.length > 0 &&
    html`<code dir="ltr" class="text-fg-subtle">${fields.slice(0, FIELDS_SHOWN).join(", ")}</code>`
  }</a></li>`;
}

const FIELDS_SHOWN = 4;

const list = (title: string, id: string, address: string | null, lines: readonly Markup[]) =>
  html`<section aria-labelledby="tag-${id}"><h2 id="tag-${id}" class="mb-2 font-semibold text-h2">${
    address ? html`<a href="${address}" class="hover:underline"><bdi lang="en">${title}</bdi></a>` : title
  }</h2><ul class="doc-list" style="--lines:${lines.length}">${lines}</ul></section>`;

const guideLine = ({ slug, title, lead }: Guide, base: string) =>
  html`<li><a href="${base}/guides/${slug}"><span class="font-medium text-sm">${title}</span><span class="w-full text-fg-muted text-sm">${lead}</span></a></li>`;

/** Renders the contents: links to guides and operations. */
export function contents({ guides, chapters }: Documentation, base: string, title: string): string {
  return html`${list(
    title,
    "guides",
    null,
    guides.map((guide) => guideLine(guide, base)),
  )}${chapters.map(({ title: topic, slug, operations }) =>
    list(
      topic,
      slug,
      `${base}/${slug}`,
      operations.map((each) => line(each, `${base}/${slug}`)),
    ),
  )}`.markup;
}

interface Entry extends Findable {
  guide?: Guide;
  chapter?: Chapter;
  operation?: DocOperation;
}

function searchEntries({ guides, chapters }: Documentation): Entry[] {
  return [
    ...guides.map((guide) => ({
      guide,
      head: `${guide.title} ${guide.slug}`,
      rest: `${guide.lead} ${guide.text}`,
    })),
    ...chapters.flatMap((chapter) =>
      chapter.operations.map((operation) => {
        const { id, method: name, path, summary, tag, description } = operation;
        const fields = [operation.params, operation.query, operation.body, operation.result.fields].flat();
        return {
          ...{
            chapter,
            operation,
            head: `${id} ${name} ${path} ${summary}`,
            rest: `${tag} ${description ?? ""}`,
          },
          fields: [...new Set(fields.map((field) => field.path))],
        };
      }),
    ),
  ];
}

/** Renders search results. With `count` 0 the markup contains the closest entries instead. */
export function results(
  all: Documentation,
  query: string,
  base: string,
  title: string,
): { count: number; markup: string } {
  const entries = searchEntries(all);
  const matches = findMatches(entries, query);
  const listed =
    matches.length > 0 ? matches : findClosest(entries, query).map((entry) => ({ entry, fields: [] }));
  const guides = listed.flatMap(({ entry }) => entry.guide ?? []);
  const chapters = all.chapters.flatMap((chapter) => {
    const lines = listed.filter(({ entry }) => entry.chapter === chapter);
    return lines.length > 0 ? [{ chapter, lines }] : [];
  });
  const { markup } = html`${
    guides.length > 0 &&
    list(
      title,
      "guides",
      null,
      guides.map((guide) => guideLine(guide, base)),
    )
  }${chapters.map(({ chapter, lines }) =>
    list(
      chapter.title,
      chapter.slug,
      `${base}/${chapter.slug}`,
      lines.map(({ entry, fields }) => line(entry.operation!, `${base}/${chapter.slug}`, fields)),
    ),
  )}`;
  return { count: matches.length, markup };
}
