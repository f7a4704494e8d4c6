import "server-only";
import type { getTranslations } from "next-intl/server";
import { env } from "@/server/core/env";
import { PER_PAGE } from "@/server/core/order";
import { GRACE_MAX_MINUTES } from "@/server/domains/sites/external-keys/policy";
import { FORMATS, MAX_BYTES, MEDIA_KINDS } from "@/server/domains/sites/media/policy";
import { LIST_MAX } from "@/server/domains/sites/sites/policy";
import type { DocPage } from "./chapters";
import { firstCalls } from "./first-calls";
import { formatDelays, LIMITED, PAGED, PHP_VERIFY, REPEATED, TS_VERIFY, WEBHOOK } from "./guide-samples";
import { html, type Markup } from "./html";
import { code, errors, events, type Reader } from "./parts";
import type { DocReference } from "./types";

type Say = Awaited<ReturnType<typeof getTranslations<"docsGuides">>>;

export interface Guide {
  slug: string;
  title: string;
  lead: string;
  markup: string;
  /** Plain text, for the search. */
  text: string;
}

/** Renders all guides. `demo` adds the demo accounts. */
export function guidesOf(reader: Reader, say: Say, docs: Documented, demo: boolean): Guide[] {
  const { format } = reader;
  const size = (bytes: number) => `${format.number(bytes / 1_048_576)} MB`;
  const show = (id: string) => operationLinks(docs, [id]);
  const guide = (slug: string, key: GuideKey, body: (text: Text) => Markup[]): Guide => {
    const text: Text = (name, values) =>
      html`<p class="max-w-[70ch] text-pretty text-sm">${marked(say(`${key}.${name}` as never, values as never))}</p>`;
    const { markup } = html`<div class="flex flex-col gap-4">${body(text)}</div>`;
    const [title, lead] = [say(`${key}.title`), say(`${key}.lead`)];
    return { slug, title, lead, markup, text: markup.replace(/<[^<>]*>/g, " ") };
  };
  return [
    guide("first-calls", "firstCalls", () => [firstCalls(reader, docs, demo)]),
    guide("second-factor", "secondFactor", (text) => [
      ...[text("one"), text("two"), text("three"), text("four")],
      operationLinks(docs, ["login", "sendTwoFactorCode", "challengeTwoFactor", "recoverTwoFactor"]),
    ]),
    guide("errors", "errors", (text) => [
      ...[text("one"), text("two"), errors(reader, docs.errors)],
      ...[text("three"), code(reader, "HTTP 429", LIMITED), text("four")],
    ]),
    guide("idempotency", "idempotency", (text) => [
      ...[
        text("one"),
        code(reader, "curl", REPEATED(docs.baseUrl)),
        text("two"),
        text("three"),
        text("four"),
      ],
      operationLinks(
        docs,
        docs.operations.filter(({ idempotent }) => idempotent).map(({ id }) => id),
      ),
    ]),
    guide("media-limits", "media", (text) => [
      text("one", { bytes: format.number(1_048_576) }),
      table(
        [say("media.kind"), say("media.most"), say("media.formats")],
        MEDIA_KINDS.map((kind) => [
          say(`media.kinds.${kind}`),
          size(MAX_BYTES[kind]),
          Object.values(FORMATS)
            .flatMap((each) => (each.kind === kind ? each.title : []))
            .join(", "),
        ]),
      ),
      ...[text("two", { video: size(MAX_BYTES.video) }), text("three"), show("uploadMedia")],
    ]),
    guide("webhooks", "webhooks", (text) => [
      ...[text("one"), code(reader, "HTTP", WEBHOOK), events(reader, docs.events), text("two")],
      ...[code(reader, "TypeScript", TS_VERIFY), code(reader, "PHP", PHP_VERIFY)],
      ...[text("three", { times: formatDelays(env().WEBHOOK_RETRY_SECONDS) }), text("four"), text("five")],
    ]),
    guide("site-keys", "siteKeys", (text) => [
      ...[text("one"), code(reader, "HTTP", "X-API-Key: dse_…\nAccept: application/json")],
      operationLinks(
        docs,
        docs.operations.filter(({ siteKey }) => siteKey).map(({ id }) => id),
      ),
      ...[text("two"), text("three", { minutes: format.number(GRACE_MAX_MINUTES) })],
      operationLinks(docs, ["regenerateExternalKey", "getSiteKeys"]),
    ]),
    guide("paging", "paging", (text) => [
      ...[text("one"), text("two", { rows: format.number(PER_PAGE) }), code(reader, "HTTP", PAGED)],
      ...[text("three", { most: format.number(LIST_MAX) }), show("listSites")],
    ]),
    guide("versions", "versions", (text) => [text("one"), text("two"), text("three")]),
  ];
}

type Documented = DocReference & { chapters: readonly DocPage[] };

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
type Text = (name: string, values?: Record<string, string>) => Markup;

function marked(text: string): Array<Markup | string> {
  return text
    .split("`")
    .map((part, at) =>
      at % 2 === 0 ? part : html`<code dir="ltr" class="font-mono text-[0.92em]">${part}</code>`,
    );
}

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): Markup {
  return html`<table class="doc-fields max-w-2xl"><thead><tr>${head.map(
    (text) => html`<th scope="col" class="py-2 pe-4 text-start font-medium">${text}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first, ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((text) => html`<td class="pe-4"><bdi>${text}</bdi></td>`)}</tr>`,
  )}</tbody></table>`;
}

/** Links to operations. Relative, because guides exist at /docs and in the panel. */
function operationLinks({ chapters }: Documented, ids: readonly string[]): Markup {
  const lines = chapters.flatMap(({ slug, operations }) =>
    operations.map(
      ({ id, method, path, summary }) =>
        ids.includes(id) &&
        html`<li><a href="../${slug}#${id}"><code dir="ltr">${method} ${path}</code><bdi lang="en">${summary}</bdi></a></li>`,
    ),
  );
  return html`<ul class="doc-list">${lines}</ul>`;
}
