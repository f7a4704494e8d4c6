import "server-only";
import type { getTranslations } from "next-intl/server";
import { env } from "@/server/core/env";
import { MAX_PAGE_NUMBER } from "@/server/core/list";
import { DEFAULT_PAGE_SIZE } from "@/server/core/sort";
import { KEY_GRACE_MAX_MINUTES } from "@/server/domains/sites/external-keys/policy";
import { MAX_BYTES_BY_KIND, MEDIA_FORMATS, MEDIA_KINDS } from "@/server/domains/sites/media/policy";
import { SITE_LIST_MAX } from "@/server/domains/sites/sites/policy";
import { LISTED_CUSTOMERS_MAX } from "@/server/domains/tenancy/customers/policy";
import type { DocPage } from "./chapters";
import { renderFirstCalls } from "./first-calls";
import {
  buildIdempotentRequest,
  formatDelays,
  PAGED_RESPONSE,
  PHP_VERIFY,
  RATE_LIMITED_RESPONSE,
  TS_VERIFY,
  WEBHOOK_HEADERS,
} from "./guide-samples";
import { html, type Markup } from "./html";
import { type ReaderTexts, renderCode, renderErrors, renderEvents, renderInlineCode } from "./parts";
import type { DocReference } from "./types";

type GuideTexts = Awaited<ReturnType<typeof getTranslations<"docsGuides">>>;

export interface Guide {
  slug: string;
  title: string;
  lead: string;
  markup: string;
  plainText: string;
}

export function renderGuides(
  reader: ReaderTexts,
  guideTexts: GuideTexts,
  docs: DocumentedReference,
  isDemo: boolean,
): Guide[] {
  const { format } = reader;
  const renderOperationLink = (id: string) => renderOperationLinks(docs, [id]);
  const renderGuide = (
    slug: string,
    key: GuideKey,
    renderBody: (renderParagraph: RenderParagraph) => Markup[],
  ): Guide => {
    const renderParagraph: RenderParagraph = (name, values) =>
      html`<p class="doc-text max-w-[70ch] text-pretty text-sm">${renderInlineCode(guideTexts(`${key}.${name}` as never, values as never))}</p>`;
    const { markup } = html`<div class="flex flex-col gap-4">${renderBody(renderParagraph)}</div>`;
    const [title, lead] = [guideTexts(`${key}.title`), guideTexts(`${key}.lead`)];
    return { slug, title, lead, markup, plainText: markup.replace(/<[^<>]*>/g, " ") };
  };
  // The spread arrays only group elements by line.
  return [
    renderGuide("first-calls", "firstCalls", () => [renderFirstCalls(reader, docs, isDemo)]),
    renderGuide("second-factor", "secondFactor", (renderParagraph) => [
      ...[renderParagraph("one"), renderParagraph("two"), renderParagraph("three"), renderParagraph("four")],
      renderOperationLinks(docs, ["login", "sendTwoFactorCode", "challengeTwoFactor", "recoverTwoFactor"]),
    ]),
    renderGuide("errors", "errors", (renderParagraph) => [
      ...[renderParagraph("one"), renderParagraph("two"), renderErrors(reader, docs.errors)],
      ...[
        renderParagraph("three"),
        renderCode(reader, "HTTP 429", RATE_LIMITED_RESPONSE),
        renderParagraph("four"),
      ],
    ]),
    renderGuide("idempotency", "idempotency", (renderParagraph) => [
      ...[
        renderParagraph("one"),
        renderCode(reader, "curl", buildIdempotentRequest(docs.baseUrl)),
        renderParagraph("two"),
        renderParagraph("three"),
        renderParagraph("four"),
      ],
      renderOperationLinks(
        docs,
        docs.operations.filter(({ idempotent }) => idempotent).map(({ id }) => id),
      ),
    ]),
    renderGuide("media-limits", "media", (renderParagraph) => [
      renderParagraph("one", { megabyte: format.bytes(1_048_576), bytes: format.number(1_048_576) }),
      renderTable(
        [guideTexts("media.kind"), guideTexts("media.most"), guideTexts("media.formats")],
        MEDIA_KINDS.map((kind) => [
          guideTexts(`media.kinds.${kind}`),
          format.bytes(MAX_BYTES_BY_KIND[kind]),
          Object.values(MEDIA_FORMATS)
            .flatMap((each) => (each.kind === kind ? each.title : []))
            .join(", "),
        ]),
      ),
      ...[
        renderParagraph("two", { video: format.bytes(MAX_BYTES_BY_KIND.video) }),
        renderParagraph("three"),
        renderOperationLink("uploadMedia"),
      ],
    ]),
    renderGuide("webhooks", "webhooks", (renderParagraph) => [
      ...[
        renderParagraph("one"),
        renderCode(reader, "HTTP", WEBHOOK_HEADERS),
        renderEvents(reader, docs.events),
        renderParagraph("two"),
      ],
      ...[renderCode(reader, "TypeScript", TS_VERIFY), renderCode(reader, "PHP", PHP_VERIFY)],
      ...[
        renderParagraph("three", { times: formatDelays(env().WEBHOOK_RETRY_SECONDS) }),
        renderParagraph("four"),
        renderParagraph("five"),
      ],
    ]),
    renderGuide("site-keys", "siteKeys", (renderParagraph) => [
      ...[renderParagraph("one"), renderCode(reader, "HTTP", "X-API-Key: dse_…\nAccept: application/json")],
      renderOperationLinks(
        docs,
        docs.operations.filter(({ acceptsSiteKey }) => acceptsSiteKey).map(({ id }) => id),
      ),
      ...[
        renderParagraph("two"),
        renderParagraph("three", { minutes: format.number(KEY_GRACE_MAX_MINUTES) }),
      ],
      renderOperationLinks(docs, ["regenerateExternalKey", "getSiteKeys"]),
    ]),
    renderGuide("paging", "paging", (renderParagraph) => [
      ...[
        renderParagraph("one", { pages: MAX_PAGE_NUMBER }),
        renderParagraph("two", { rows: format.number(DEFAULT_PAGE_SIZE) }),
        renderCode(reader, "HTTP", PAGED_RESPONSE),
      ],
      ...[
        renderParagraph("three", { most: format.number(SITE_LIST_MAX), rows: LISTED_CUSTOMERS_MAX }),
        renderOperationLink("listSites"),
      ],
    ]),
    renderGuide("versions", "versions", (renderParagraph) => [
      renderParagraph("one"),
      renderParagraph("two"),
      renderParagraph("three"),
    ]),
  ];
}

type DocumentedReference = DocReference & { chapters: readonly DocPage[] };

type GuideKey =
  | "firstCalls"
  | "secondFactor"
  | "errors"
  | "idempotency"
  | "media"
  | "webhooks"
  | "siteKeys"
  | "paging"
  | "versions";
type RenderParagraph = (name: string, values?: Record<string, string | number>) => Markup;

function renderTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): Markup {
  return html`<table class="doc-fields max-w-2xl"><thead><tr>${head.map(
    (text) => html`<th scope="col" class="py-2 pe-4 text-start font-medium">${text}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([rowHeader, ...cells]) =>
      html`<tr><th scope="row">${rowHeader}</th>${cells.map((text) => html`<td class="pe-4"><bdi>${text}</bdi></td>`)}</tr>`,
  )}</tbody></table>`;
}

/** Renders links to operations. They are relative, because guides exist at /docs and in the panel. */
function renderOperationLinks({ chapters }: DocumentedReference, ids: readonly string[]): Markup {
  const lines = chapters.flatMap(({ slug, operations }) =>
    operations.map(
      ({ id, method, path, summary }) =>
        ids.includes(id) &&
        html`<li><a href="../${slug}#${id}"><code dir="ltr">${method} ${path}</code><bdi lang="en">${summary}</bdi></a></li>`,
    ),
  );
  return html`<ul class="doc-list">${lines}</ul>`;
}
