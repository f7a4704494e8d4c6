import type { MailTemplate } from "@/server/core/domain";
import { getTextDirection, type Locale } from "@/server/core/locale";
import { breakLinks } from "@/server/core/plain-name";
import { formatText } from "@/server/core/texts";
import { type Brand, getSenderName } from "@/server/infrastructure/brand/brand";

/** The panel's colours (`app/globals.css`) in sRGB, because mail programs do not support OKLCH. */
export const PALETTE = {
  bg: ["#f9fafb", "#0e1016"],
  surface: ["#ffffff", "#161920"],
  border: ["#e1e3e7", "#2e323a"],
  fg: ["#191e28", "#eef0f4"],
  "fg-muted": ["#545965", "#abb0b9"],
  primary: ["#3655cd", "#7fa0fc"],
  "primary-fg": ["#ffffff", "#0a1023"],
  "primary-text": ["#304dc5", "#9fb9fc"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

type ColourName = keyof typeof PALETTE | "primary-border";
type Colours = Record<ColourName, readonly [light: string, dark: string]>;

function getColours({ palette }: Brand): Colours {
  if (!palette) return { ...PALETTE, "primary-border": PALETTE.primary };
  const { light, dark } = palette;
  return {
    ...PALETTE,
    primary: [light.fill, dark.fill],
    "primary-border": [light.border, dark.border],
    "primary-fg": [light.foreground, dark.foreground],
    "primary-text": [light.text, dark.text],
  };
}

/** Mail programs do not show SVG. */
const PLATFORM_MARK = "/icon-180.png";

export interface MailContent {
  template: MailTemplate;
  locale: Locale;
  params: Record<string, string | number>;
  /** Path of the button's link on the brand's host: `/verify-email?token=…`. */
  path?: string;
  code?: string;
  /** The link proves ownership of the address, so only the platform's own server may send the mail. */
  provesAddress?: boolean;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Parameters with validated values. In all others links are broken, because users write them. */
const VALIDATED_PARAMS = new Set(["address", "contact", "domain", "email", "host", "ip"]);

export function renderMail(
  { template, locale, params: rawParams, path, code }: MailContent,
  senderBrand: Brand,
): RenderedMail {
  const brand = { ...senderBrand, name: getSenderName(senderBrand) };
  const link = path && `${brand.url}${path}`;
  const params = Object.fromEntries(
    Object.entries(rawParams).map(([key, value]) => [
      key,
      typeof value === "string" && !VALIDATED_PARAMS.has(key) ? breakLinks(value) : value,
    ]),
  );
  const formatMessage = (key: string) =>
    formatText(locale, `mail.${template}.${key}`, { ...params, brand: brand.name });
  const texts = {
    subject: toOneLine(formatMessage("subject")),
    greeting: formatText(locale, "mail.greeting", { name: String(params.name ?? "") }),
    body: formatMessage("body"),
    button: link ? formatMessage("button") : "",
    codeHint: code ? formatText(locale, link ? "mail.codeHint" : "mail.codeOnlyHint") : "",
    linkHint: formatText(locale, "mail.linkHint"),
    note: formatMessage("note"),
    footer: [formatText(locale, "mail.footer", { brand: brand.name }), formatHelpLine(locale, brand)]
      .filter(Boolean)
      .join(" "),
  };
  return {
    subject: texts.subject,
    text: [
      texts.greeting,
      texts.body,
      link,
      code ? `${texts.codeHint} ${code}` : undefined,
      texts.note,
      `-- \n${texts.footer}\n${brand.url}`,
    ]
      .filter(Boolean)
      .join("\n\n"),
    html: renderHtml(texts, { locale, brand, link, code }),
  };
}

function renderHtml(
  texts: Record<
    "subject" | "greeting" | "body" | "button" | "codeHint" | "linkHint" | "note" | "footer",
    string
  >,
  { locale, brand, link, code }: Pick<MailContent, "locale" | "code"> & { brand: Brand; link?: string },
): string {
  const colours = getColours(brand);
  const styleAttributes = (element: ElementName) =>
    `class="${element}" style="${formatDeclarations(element, colours, 0)}`;
  const renderParagraph = (content: string) => `<p style="margin:0 0 16px">${escapeHtml(content)}</p>`;
  const renderMutedParagraph = (content: string) =>
    `<p ${styleAttributes("quiet")};margin:0 0 16px;font-size:14px">${escapeHtml(content)}</p>`;
  return `<!doctype html>
<html lang="${locale}" dir="${getTextDirection(locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(texts.subject)}</title>${formatDarkStyle(colours)}</head>
<body ${styleAttributes("page")};margin:0;padding:24px;font:16px/1.5 'IBM Plex Sans',Arial,sans-serif">
<div class="preheader" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(texts.body)}</div>
<div ${styleAttributes("card")};max-width:560px;margin:0 auto;border-width:1px;border-style:solid;border-radius:10px;padding:32px">
<p ${styleAttributes("brand")};margin:0 0 24px;font-size:18px;font-weight:600">${renderLogo(brand)}</p>
${renderParagraph(texts.greeting)}
${renderParagraph(texts.body)}
${link ? `<p style="margin:24px 0"><a href="${escapeHtml(link)}" ${styleAttributes("button")};display:inline-block;padding:11px 19px;border-width:1px;border-style:solid;border-radius:6px;text-decoration:none;font-weight:600">${escapeHtml(texts.button)}</a></p>` : ""}
${code ? `${renderMutedParagraph(texts.codeHint)}<p style="margin:0 0 24px;font:600 28px/1.2 ui-monospace,monospace;letter-spacing:6px"><span dir="ltr">${escapeHtml(code)}</span></p>` : ""}
${renderMutedParagraph(texts.note)}
${link ? `${renderMutedParagraph(texts.linkHint)}<p style="margin:0;font-size:13px;word-break:break-all"><span dir="ltr">${escapeHtml(link)}</span></p>` : ""}
</div>
<p ${styleAttributes("quiet")};max-width:560px;margin:16px auto 0;font-size:14px">${escapeHtml(texts.footer)}</p>
</body></html>`;
}

/** Colours by element; the key is its class, which the dark theme uses. */
const COLOURS_BY_ELEMENT = {
  page: { background: "bg", color: "fg" },
  card: { background: "surface", "border-color": "border" },
  brand: { color: "primary-text" },
  button: { background: "primary", color: "primary-fg", "border-color": "primary-border" },
  quiet: { color: "fg-muted" },
} as const satisfies Record<string, Record<string, ColourName>>;

type ElementName = keyof typeof COLOURS_BY_ELEMENT;

/** `scheme`: 0 is light, 1 is dark, as in {@link PALETTE}. */
const formatDeclarations = (element: ElementName, colours: Colours, scheme: 0 | 1, suffix = "") =>
  Object.entries(COLOURS_BY_ELEMENT[element])
    .map(([property, colour]) => `${property}:${colours[colour][scheme]}${suffix}`)
    .join(";");

function formatDarkStyle(colours: Colours): string {
  const rules = (Object.keys(COLOURS_BY_ELEMENT) as ElementName[]).map(
    (element) => `.${element}{${formatDeclarations(element, colours, 1, "!important")}}`,
  );
  return `<style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`;
}

function formatHelpLine(locale: Locale, { supportEmail, supportPhone }: Brand): string {
  const contacts = [supportEmail, supportPhone].filter(Boolean);
  // Directional isolates keep the order of digits in right-to-left text.
  return contacts.length
    ? formatText(locale, "mail.help", { contact: contacts.map((each) => `\u2068${each}\u2069`).join(" · ") })
    : "";
}

function renderLogo({ name, url, logo, logoDark, resellerId }: Brand): string {
  const toSourceUrl = (path: string) => escapeHtml(`${url}${path}`);
  if (!logo) {
    // The name beside the mark also serves programs that block pictures.
    const mark =
      resellerId === undefined
        ? `<img src="${toSourceUrl(PLATFORM_MARK)}" alt="" width="28" height="28" style="width:28px;height:28px;border:0;vertical-align:middle;margin-inline-end:10px">`
        : "";
    return `${mark}${escapeHtml(name)}`;
  }
  const darkSource = logoDark
    ? `<source media="(prefers-color-scheme:dark)" srcset="${toSourceUrl(logoDark)}">`
    : "";
  return `<picture>${darkSource}<img src="${toSourceUrl(logo)}" alt="${escapeHtml(name)}" height="40" style="height:40px;max-width:100%;border:0"></picture>`;
}

function toOneLine(value: string): string {
  return value.replace(/[\r\n\u0085\u2028\u2029]+/g, " ");
}

const HTML_ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character]!);
}
