import "server-only";
import type { getTranslations } from "next-intl/server";
import type { createFormatter } from "@/components/ui/format";
import { html, type Markup } from "./html";
import { generateSamples, SAMPLE_LANGUAGES, type SampleCall } from "./samples";
import type { DocError, DocEvent, DocField, DocOperation } from "./types";

// Renders static markup, once per language. `DocScript` adds the behaviour.

export interface ReaderTexts {
  t: Awaited<ReturnType<typeof getTranslations<"docs">>>;
  format: ReturnType<typeof createFormatter>;
  copyLabel: string;
}

/** Renders an icon as a reference to a symbol in `ICON_SYMBOLS`, which a page contains once. */
const renderIcon = (name: "copy" | "open" | "wrap") =>
  html`<svg class="lucide" aria-hidden="true"><use href="#doc-${name}"/></svg>`;

const renderIconSymbol = (id: string, path: Markup) =>
  html`<symbol id="${id}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">${path}</symbol>`;
export const ICON_SYMBOLS = html`<svg hidden>${[
  renderIconSymbol(
    "doc-copy",
    html`<rect width="14" height="14" x="8" y="8" rx="2"/><path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"/>`,
  ),
  renderIconSymbol(
    "doc-wrap",
    html`<path d="m16 16-3 3 3 3"/><path d="M3 12h14.5a1 1 0 0 1 0 7H13"/><path d="M3 19h6"/><path d="M3 5h18"/>`,
  ),
  renderIconSymbol("doc-open", html`<path d="m6 9 6 6 6-6"/>`),
]}</svg>`.markup;

export const renderMethod = (method: string) =>
  html`<b dir="ltr" class="doc-${method.toLowerCase()}">${method}</b>`;

const renderCodeButtons = ({ t, copyLabel }: ReaderTexts) =>
  html`<span class="flex"><button type="button" data-wrap aria-pressed="false" aria-label="${t("wrap")}">${renderIcon("wrap")}</button><button type="button" data-copy aria-label="${copyLabel}">${renderIcon("copy")}</button></span>`;

export const renderCode = (reader: ReaderTexts, title: string, text: string) =>
  html`<figure class="doc-code"><figcaption><span>${title}</span>${renderCodeButtons(reader)}</figcaption><pre dir="ltr" tabindex="0"><code>${text}</code></pre></figure>`;

/** Renders text whose code is in backticks. */
export function renderInlineCode(text: string): Array<Markup | string> {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : html`<code dir="ltr">${part}</code>`));
}

/** Renders a call in every programming language. The tabs are radio buttons, which need no scripts. */
export function renderSamples(reader: ReaderTexts, groupName: string, call: SampleCall) {
  const choices = SAMPLE_LANGUAGES.map(
    (language, index) =>
      html`<label><input type="radio" name="in-${groupName}"${index === 0 && html` checked`}>${language}</label>`,
  );
  return html`<figure class="doc-code doc-tabs"><figcaption><fieldset><legend class="sr-only">${reader.t("samples")}</legend>${choices}</fieldset>${renderCodeButtons(reader)}</figcaption>${generateSamples(
    call,
  ).map((text) => html`<pre dir="ltr" tabindex="0"><code>${text}</code></pre>`)}</figure>`;
}

const renderBodyList = (
  reader: ReaderTexts,
  items: ReadonlyArray<{ head: string; text: Array<Markup | string> | Markup; title: string; body: string }>,
) =>
  html`<ul class="doc-errors">${items.map(
    ({ head, text, title, body }) =>
      html`<li><details><summary><span dir="ltr">${head}</span><span>${text}</span>${renderIcon("open")}</summary>${renderCode(reader, title, body)}</details></li>`,
  )}</ul>`;

export const renderErrors = (reader: ReaderTexts, errors: readonly DocError[]) =>
  renderBodyList(
    reader,
    errors.map(({ status, text, body }) => ({
      ...{ head: String(status), text: renderInlineCode(text) },
      ...{ title: `HTTP ${status}`, body },
    })),
  );

export const renderEvents = (reader: ReaderTexts, events: readonly DocEvent[]) =>
  renderBodyList(
    reader,
    events.map(({ type, summary, body }) => ({
      ...{ head: type, text: html`<bdi lang="en">${renderInlineCode(summary)}</bdi>`, title: "POST", body },
    })),
  );

/** Renders an operation, collapsed to one line: input, sample call and sample response. */
export function renderOperation(reader: ReaderTexts, operation: DocOperation) {
  const { t } = reader;
  const { points, perSeconds, by } = operation.limit;
  const renderBadge = (text: string) => html`<span class="doc-badge">${text}</span>`;
  return html`<details class="doc-fold doc-op"><summary><span dir="ltr">${renderMethod(operation.method)}<code>${operation.path}</code></span><h2><bdi lang="en">${operation.summary}</bdi></h2>${renderIcon("open")}</summary><div id="${operation.id}" class="scroll-mt-32 border-border border-t p-5"><div class="mb-5 flex flex-wrap gap-2">${renderBadge(t(operation.access === "token" ? "access.token" : "access.public"))}${operation.acceptsSiteKey && renderBadge(t("access.siteKey"))}${renderBadge(t(`limit.${by}`, { points, per: perSeconds }))}</div><div class="grid gap-6 xl:grid-cols-2">${renderContract(reader, operation)}<div class="flex min-w-0 flex-col gap-4">${renderSamples(reader, operation.id, operation.call)}${renderCode(reader, t("answerOf", { status: operation.result.status }), operation.result.example)}</div></div><div class="doc-try"><button type="button" data-try="${operation.id}" aria-expanded="false">${t("try")}<span class="sr-only"> ${operation.id}</span></button><div></div></div></div></details>`;
}

function renderContract(reader: ReaderTexts, operation: DocOperation) {
  const { t } = reader;
  const tables = (
    [
      ["params", operation.params],
      ["query", operation.query],
      ["body", operation.body],
    ] as const
  ).filter(([, fields]) => fields.length > 0);
  return html`<div class="flex min-w-0 flex-col gap-6">${
    operation.description &&
    html`<p class="doc-text text-pretty text-fg-muted text-sm"><bdi lang="en">${renderInlineCode(operation.description)}</bdi></p>`
  }${tables.map(([title, fields]) => renderFieldTable(reader, t(title), fields))}${
    operation.errors.length > 0 &&
    html`<div><h3 class="mb-2 font-medium text-sm">${t("errors")}</h3>${renderErrors(reader, operation.errors)}</div>`
  }${operation.result.fields.length > 0 && renderResultFields(reader, operation.result.fields)}</div>`;
}

function renderFieldTable({ t, format }: ReaderTexts, title: string, fields: readonly DocField[]) {
  const rows = fields.map(
    ({ path, required, description, values, type, limit }) =>
      html`<tr><th scope="row"><code dir="ltr">${path}</code>${
        required && html`<span class="ms-2 text-caption text-danger-text">${t("field.required")}</span>`
      }</th><td><bdi dir="ltr" class="font-mono">${
        values.length > 0 ? values.map((value) => `"${value}"`).join(" | ") : type
      }</bdi>${
        limit &&
        html`<span class="block text-caption text-fg-subtle">${t(
          limit.kind === "characters" ? "field.characters" : "field.value",
          { range: formatRange(limit, format.number) },
        )}</span>`
      }${description && html`<p class="doc-text"><bdi lang="en">${renderInlineCode(description)}</bdi></p>`}</td></tr>`,
  );
  return html`<table class="doc-fields"><caption>${title}</caption><thead class="sr-only"><tr><th scope="col">${t("field.name")}</th><th scope="col">${t("field.rules")}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function formatRange(
  { min, max }: NonNullable<DocField["limit"]>,
  formatNumber: (value: number) => string,
): string {
  if (min !== null && max !== null) return `${formatNumber(min)}–${formatNumber(max)}`;
  return max !== null ? `≤ ${formatNumber(max)}` : `≥ ${formatNumber(min ?? 0)}`;
}

/** Renders response fields as plain text, because readers only look them up. */
function renderResultFields({ t }: ReaderTexts, fields: readonly DocField[]) {
  const width = Math.max(...fields.map(({ path }) => path.length)) + 2;
  const lines = fields.map(({ path, type }) => path.padEnd(width) + type).join("\n");
  return html`<details class="doc-fold"><summary class="flex min-h-9 w-fit list-none items-center gap-2 rounded-control font-medium text-primary-text text-sm">${t("answerFields")}${renderIcon("open")}</summary><section aria-label="${t("answer")}" tabindex="0" dir="ltr" class="mt-3 max-h-96 overflow-auto rounded-card bg-sunken p-4"><pre class="font-mono text-caption">${lines}</pre></section></details>`;
}
