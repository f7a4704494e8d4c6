import "server-only";
import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { formatter } from "@/components/ui/format";
import { env } from "@/server/core/env";
import { guide } from "./guide";
import { html } from "./html";
import { method, operation, type Reader } from "./parts";
import { reference } from "./reference";
import type { DocOperation } from "./types";

/** Operations of one topic, on a page of their own. */
export interface Chapter {
  /** The last part of its address: `api-keys`. */
  slug: string;
  tag: string;
  operations: DocOperation[];
  /** The operations in full. */
  markup: string;
}

export interface Documentation {
  guide: string;
  chapters: Chapter[];
}

const made = new Map<Locale, Documentation>();

/** The documentation in the reader's language. It changes with the build only, so it is written once per process. */
export async function documentation(): Promise<Documentation> {
  const locale = await getLocale();
  const known = made.get(locale) ?? (await make(locale));
  made.set(locale, known);
  return known;
}

async function make(locale: Locale): Promise<Documentation> {
  const [t, ui, docs] = await Promise.all([getTranslations("docs"), getTranslations("ui.copy"), reference()]);
  const reader: Reader = { t, format: formatter({ locale, timeZone: "UTC" }), copy: ui("copy") };
  const tags = [...new Set(docs.operations.map(({ tag }) => tag))];
  return {
    guide: guide(reader, docs, !env().production).markup,
    chapters: tags.map((tag) => {
      const operations = docs.operations.filter((each) => each.tag === tag);
      return {
        ...{ tag, operations, slug: tag.toLowerCase().replaceAll(" ", "-") },
        markup: html`${operations.map((each) => operation(reader, each))}`.markup,
      };
    }),
  };
}

/** The operations of chapters as links to them below `base`, those of a search only. The address of a link from before chapters had pages finds its line. */
export function contents(chapters: readonly Chapter[], base: string): string {
  return html`${chapters.map(
    ({ tag, slug, operations }) =>
      html`<section aria-labelledby="tag-${slug}"><h2 id="tag-${slug}" class="mb-2 font-semibold text-h2"><a href="${base}/${slug}" class="hover:underline"><bdi lang="en">${tag}</bdi></a></h2><ul class="doc-list">${operations.map(
        ({ id, method: name, path, summary }) =>
          html`<li><a id="${id}" href="${base}/${slug}#${id}">${method(name)}<code dir="ltr">${path}</code><bdi lang="en">${summary}</bdi></a></li>`,
      )}</ul></section>`,
  )}`.markup;
}

/** What contains every word of a search. */
export function matching(chapters: readonly Chapter[], query: string): Chapter[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return chapters
    .map((chapter) => ({
      ...chapter,
      operations: chapter.operations.filter(({ id, method, path, tag, summary }) => {
        const text = `${id} ${method} ${path} ${tag} ${summary}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}
