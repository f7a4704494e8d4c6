import type { MailTemplate } from "@/server/core/domain";
import { directionOf, type Locale } from "@/server/core/locale";
import { breakLinks } from "@/server/core/plain-name";
import { text } from "@/server/core/texts";
import { type Brand, senderName } from "@/server/infrastructure/brand/brand";

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

type Colour = keyof typeof PALETTE;
type Colours = Record<Colour, readonly [light: string, dark: string]>;

function coloursOf({ palette }: Brand): Colours {
  if (!palette) return PALETTE;
  const { light, dark } = palette;
  return {
    ...PALETTE,
    primary: [light.fill, dark.fill],
    "primary-fg": [light.foreground, dark.foreground],
    "primary-text": [light.text, dark.text],
  };
}

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
const ADDRESSES = new Set(["address", "contact", "domain", "email", "host", "ip"]);

export function renderMail(
  { template, locale, params: values, path, code }: MailContent,
  of: Brand,
): RenderedMail {
  const brand = { ...of, name: senderName(of) };
  const link = path && `${brand.url}${path}`;
  const params = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" && !ADDRESSES.has(key) ? breakLinks(value) : value,
    ]),
  );
  const message = (key: string) => text(locale, `mail.${template}.${key}`, { ...params, brand: brand.name });
  const words = {
    subject: oneLine(message("subject")),
    greeting: text(locale, "mail.greeting", { name: String(params.name ?? "") }),
    body: message("body"),
    button: message("button"),
    codeHint: code ? text(locale, link ? "mail.codeHint" : "mail.codeOnlyHint") : "",
    linkHint: text(locale, "mail.linkHint"),
    note: message("note"),
    footer: [text(locale, "mail.footer", { brand: brand.name }), helpLine(locale, brand)]
      .filter(Boolean)
      .join(" "),
  };
  return {
    subject: words.subject,
    text: [
      words.greeting,
      words.body,
      link,
      code ? `${words.codeHint} ${code}` : undefined,
      words.note,
      `-- \n${words.footer}\n${brand.url}`,
    ]
      .filter(Boolean)
      .join("\n\n"),
    html: page(words, { locale, brand, link, code }),
  };
}

function page(
  words: Record<
    "subject" | "greeting" | "body" | "button" | "codeHint" | "linkHint" | "note" | "footer",
    string
  >,
  { locale, brand, link, code }: Pick<MailContent, "locale" | "code"> & { brand: Brand; link?: string },
): string {
  const colours = coloursOf(brand);
  const painted = (part: Part) => `class="${part}" style="${declarations(part, colours, 0)}`;
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${escapeHtml(content)}</p>`;
  const muted = (content: string) =>
    `<p ${painted("quiet")};margin:0 0 16px;font-size:14px">${escapeHtml(content)}</p>`;
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(words.subject)}</title>${darkStyle(colours)}</head>
<body ${painted("page")};margin:0;padding:24px;font:16px/1.5 'IBM Plex Sans',Arial,sans-serif">
<div class="preheader" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(words.body)}</div>
<div ${painted("card")};max-width:560px;margin:0 auto;border-width:1px;border-style:solid;border-radius:10px;padding:32px">
<p ${painted("brand")};margin:0 0 24px;font-size:18px;font-weight:600">${signet(brand)}</p>
${paragraph(words.greeting)}
${paragraph(words.body)}
${link ? `<p style="margin:24px 0"><a href="${escapeHtml(link)}" ${painted("button")};display:inline-block;padding:12px 20px;border-radius:6px;text-decoration:none;font-weight:600">${escapeHtml(words.button)}</a></p>` : ""}
${code ? `${muted(words.codeHint)}<p style="margin:0 0 24px;font:600 28px/1.2 ui-monospace,monospace;letter-spacing:6px"><span dir="ltr">${escapeHtml(code)}</span></p>` : ""}
${muted(words.note)}
${link ? `${muted(words.linkHint)}<p style="margin:0;font-size:13px;word-break:break-all"><span dir="ltr">${escapeHtml(link)}</span></p>` : ""}
</div>
<p ${painted("quiet")};max-width:560px;margin:16px auto 0;font-size:14px">${escapeHtml(words.footer)}</p>
</body></html>`;
}

/** Colours by element; the key is its class, which the dark theme uses. */
const PAINTED = {
  page: { background: "bg", color: "fg" },
  card: { background: "surface", "border-color": "border" },
  brand: { color: "primary-text" },
  button: { background: "primary", color: "primary-fg" },
  quiet: { color: "fg-muted" },
} as const satisfies Record<string, Record<string, Colour>>;

type Part = keyof typeof PAINTED;

const declarations = (part: Part, colours: Colours, scheme: 0 | 1, end = "") =>
  Object.entries(PAINTED[part])
    .map(([property, colour]) => `${property}:${colours[colour][scheme]}${end}`)
    .join(";");

function darkStyle(colours: Colours): string {
  const rules = (Object.keys(PAINTED) as Part[]).map(
    (part) => `.${part}{${declarations(part, colours, 1, "!important")}}`,
  );
  return `<style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`;
}

function helpLine(locale: Locale, { supportEmail, supportPhone }: Brand): string {
  const contacts = [supportEmail, supportPhone].filter(Boolean);
  // Directional isolates keep the order of digits in right-to-left text.
  return contacts.length
    ? text(locale, "mail.help", { contact: contacts.map((each) => `\u2068${each}\u2069`).join(" · ") })
    : "";
}

function signet({ name, url, logo, logoDark }: Brand): string {
  if (!logo) return escapeHtml(name);
  const source = (path: string) => escapeHtml(`${url}${path}`);
  const dark = logoDark ? `<source media="(prefers-color-scheme:dark)" srcset="${source(logoDark)}">` : "";
  return `<picture>${dark}<img src="${source(logo)}" alt="${escapeHtml(name)}" height="40" style="height:40px;max-width:100%;border:0"></picture>`;
}

function oneLine(value: string): string {
  return value.replace(/[\r\n\u0085\u2028\u2029]+/g, " ");
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
