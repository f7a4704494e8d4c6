import "server-only";
import { html, type Markup } from "./html";
import { code, errors, type Reader } from "./parts";
import type { DocOperation, DocReference } from "./types";

/** As prisma/seed.ts writes them. */
const DEMO = {
  accounts: ["customer@example.com", "reseller@example.com", "admin@example.com"],
  password: "demo-password",
};
const FIRST_CALLS = ["login", "getAuthUser", "createSite"] as const;
export const GUIDE = ["calls", "tokens", "errors", "limits"] as const;

/** The introduction: three calls, then the rules common to all of them. `demo`: names the demo accounts. */
export function guide(reader: Reader, docs: DocReference, demo: boolean): Markup {
  const { t } = reader;
  const mono = (text: string) => html`<bdi dir="ltr" class="font-mono text-[0.92em]">${text}</bdi>`;
  const rich = (text: string, values: Record<string, Markup>) =>
    text.split(/<(\w+)><\/\1>/).map((part, at) => (at % 2 === 0 ? part : values[part]));
  const steps = FIRST_CALLS.map((id, index) => {
    const own = docs.operations.find((each) => each.id === id);
    return (
      own &&
      html`<li><h3 class="mb-2 font-medium text-sm">${t("guide.step", { step: index + 1 })} ${t(`guide.call.${id}`)}</h3><div class="grid gap-4 xl:grid-cols-2">${code(reader, "curl", callOf(own, demo))}<div class="max-h-80 min-w-0 overflow-y-auto rounded-card">${code(reader, `HTTP ${own.result.status}`, own.result.example)}</div></div></li>`
    );
  });
  const accounts = mono(DEMO.accounts.join(", "));
  const parts: Record<(typeof GUIDE)[number], Markup> = {
    calls: html`<p class="mb-5 text-sm">${t("guide.base")} ${mono(docs.baseUrl)}</p>${
      demo &&
      html`<div class="mb-5 rounded-card border border-current/20 bg-info-soft px-4 py-3 text-info-text text-sm"><p class="font-medium">${t("guide.demo")}</p><p class="mt-0.5 text-fg">${rich(t.raw("guide.demoText"), { accounts, password: mono(DEMO.password) })}</p></div>`
    }<ol class="flex flex-col gap-6">${steps}</ol>`,
    tokens: code(reader, "HTTP", "Authorization: Bearer dsu_…\nAccept: application/json"),
    errors: errors(reader, docs.errors),
    limits: code(
      reader,
      "HTTP 429",
      "Retry-After: 42\nX-RateLimit-Limit: 600\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1826703042",
    ),
  };
  return html`<div class="flex flex-col gap-10">${GUIDE.map(
    (id) =>
      html`<section id="${id}" aria-labelledby="${id}-title" class="scroll-mt-20"><h2 id="${id}-title" class="font-semibold text-h2">${t(`guide.${id}`)}</h2><p class="mt-1.5 mb-5 max-w-[70ch] text-pretty text-fg-muted text-sm">${t(`guide.${id}Text`)}</p>${parts[id]}</section>`,
  )}</div>`;
}

/** The call as a first visitor can send it. */
function callOf({ id, curl }: DocOperation, demo: boolean): string {
  if (id === "getAuthUser") return `export TOKEN=dsu_…\n\n${curl}`;
  if (id !== "login" || !demo) return curl;
  return curl
    .replace(/("email": ")[^"]*/, `$1${DEMO.accounts[0]}`)
    .replace(/("password": ")[^"]*/, `$1${DEMO.password}`);
}
