import { getTextDirection, LOCALES } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";

/** Path of the demo's widget script. */
export const WIDGET_LOADER_PATH = "/dev/sandbox/widget.js";

/**
 * Runs on the customer's page. Reads its key from `data-key`, draws inside a shadow root, sets styles only through
 * the CSSOM, which a content security policy allows, and inserts texts only as text nodes.
 */
const LOADER_SOURCE = `(() => {
  "use strict";
  const TEXTS = __TEXTS__;
  const script = document.currentScript ?? document.querySelector('script[data-key^="dsk_"]');
  const key = script?.getAttribute("data-key");
  if (!key || document.querySelector("tellal-widget")) return;
  const api = new URL("/api/public/widget", script.src).href;

  const STYLES = \`
    :host { all: initial; display: block; position: fixed; inset: auto; z-index: 2147483000; font: 400 15px/1.45 system-ui, sans-serif; color: #1b1f2a; }
    :host([data-side="bottom-right"]) { inset: auto 16px 16px auto; }
    :host([data-side="bottom-left"]) { inset: auto auto 16px 16px; }
    * { box-sizing: border-box; }
    .stack { display: flex; flex-direction: column; gap: 12px; }
    :host([data-side="bottom-right"]) .stack { align-items: flex-end; }
    :host([data-side="bottom-left"]) .stack { align-items: flex-start; }
    .panel { width: min(340px, calc(100vw - 32px)); max-height: min(480px, calc(100vh - 110px)); display: flex; flex-direction: column; overflow: hidden; border: 1px solid #d5d9e2; border-radius: 16px; background: #fff; box-shadow: 0 12px 40px rgb(0 0 0 / 0.18); }
    .panel[hidden] { display: none; }
    .head { padding: 14px 16px; background: var(--fill); color: var(--text); font-weight: 600; overflow-wrap: anywhere; }
    .body { display: flex; flex-direction: column; gap: 12px; padding: 16px; overflow-y: auto; }
    .body:focus-visible { outline: 2px solid var(--fill); outline-offset: -2px; }
    p { margin: 0; overflow-wrap: anywhere; }
    .welcome { align-self: flex-start; max-width: 90%; padding: 10px 12px; border-radius: 12px; background: #f3f4f7; white-space: pre-line; }
    .note { padding: 8px 10px; border: 1px dashed #8a91a1; border-radius: 8px; color: #4b5263; font-size: 13px; }
    button { display: grid; place-items: center; width: 56px; height: 56px; padding: 0; border: 1px solid rgb(255 255 255 / 0.6); border-radius: 50%; background: var(--fill); color: var(--text); box-shadow: 0 4px 16px rgb(0 0 0 / 0.25); cursor: pointer; }
    button:focus-visible { outline: 3px solid #fff; box-shadow: 0 0 0 6px #1b1f2a; }
    svg { width: 26px; height: 26px; }
    @media print { :host { display: none; } }
  \`;
  const ICONS = {
    open: "M21 11.5a8.4 8.4 0 0 1-8.5 8.5 8.6 8.6 0 0 1-3.8-.9L3 21l1.9-5.7a8.4 8.4 0 0 1 7.6-12.3 8.4 8.4 0 0 1 8.5 8.5Z",
    close: "M6 6l12 12M18 6 6 18",
  };

  function choosePageTexts() {
    const languages = [document.documentElement.lang, ...navigator.languages, "en"];
    const names = languages.map((language) => language.toLowerCase().split("-")[0]);
    return TEXTS[names.find((name) => Object.hasOwn(TEXTS, name))];
  }

  /** White if it has a contrast of 4.5 on the colour, otherwise black. */
  function chooseTextColor(color) {
    const [r, g, b] = [1, 3, 5].map((start) => {
      const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) >= 4.5 ? "#ffffff" : "#000000";
  }

  function createElement(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [property, value] of Object.entries(properties)) {
      if (property in element) element[property] = value;
      else element.setAttribute(property, value);
    }
    element.append(...children);
    return element;
  }

  function createIcon(path) {
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const attributes = { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" };
    for (const [name, value] of Object.entries(attributes)) icon.setAttribute(name, value);
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", path);
    icon.append(line);
    return icon;
  }

  function draw(widget) {
    const texts = choosePageTexts();
    const host = document.createElement("tellal-widget");
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    const color = /^#[0-9a-f]{6}$/i.test(widget.widget_color) ? widget.widget_color : "#4F46E5";
    host.dataset.side = widget.widget_position === "bottom-left" ? "bottom-left" : "bottom-right";
    host.style.setProperty("--fill", color);
    host.style.setProperty("--text", chooseTextColor(color));

    const title = widget.bot_name || widget.name;
    const body = createElement("div", { className: "body", tabIndex: 0, role: "group", "aria-label": title });
    if (widget.welcome_message.trim())
      body.append(createElement("p", { className: "welcome", dir: "auto" }, widget.welcome_message));
    body.append(createElement("p", { className: "note" }, texts.demo));
    const panel = createElement(
      "div",
      { className: "panel", role: "dialog", "aria-label": title, hidden: true, lang: texts.lang, dir: texts.direction },
      createElement("p", { className: "head" }, createElement("bdi", {}, title)),
      body,
    );
    const button = createElement("button", { type: "button", "aria-haspopup": "dialog" });
    const setOpen = (isOpen) => {
      panel.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
      button.setAttribute("aria-label", isOpen ? texts.close : texts.open);
      button.replaceChildren(createIcon(isOpen ? ICONS.close : ICONS.open));
    };
    setOpen(false);
    button.addEventListener("click", () => setOpen(panel.hidden));
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || panel.hidden) return;
      setOpen(false);
      button.focus();
    });
    root.append(createElement("div", { className: "stack", dir: "ltr" }, panel, button));
    document.body.append(host);
  }

  function report() {
    return fetch(api + "/seen", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key }),
      credentials: "omit",
      keepalive: true,
    });
  }

  async function start() {
    const response = await fetch(api + "?key=" + encodeURIComponent(key), { credentials: "omit", cache: "no-cache" });
    if (!response.ok) return;
    const { widget } = await response.json();
    if (widget.is_active) draw(widget);
    await report();
  }

  /** A page must not see errors of its widget. */
  const startSafely = () => void start().catch(() => {});
  if (document.body) startSafely();
  else document.addEventListener("DOMContentLoaded", startSafely, { once: true });
})();
`;

/** Returns the script with the texts of all languages. */
export function buildWidgetLoader(): string {
  const texts = Object.fromEntries(
    LOCALES.map((lang) => [
      lang,
      {
        lang,
        direction: getTextDirection(lang),
        open: formatText(lang, "widget.open"),
        close: formatText(lang, "widget.close"),
        demo: formatText(lang, "widget.demo"),
      },
    ]),
  );
  return LOADER_SOURCE.replace("__TEXTS__", () => JSON.stringify(texts));
}
