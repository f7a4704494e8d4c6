import "server-only";
import { html, type Markup } from "./html";
import { type ReaderTexts, renderCode, renderSamples } from "./parts";
import type { SampleCall } from "./samples";
import type { DocOperation, DocReference } from "./types";

/** Demo accounts of server/demo/seed.ts. */
export const DEMO_CREDENTIALS = {
  emails: ["customer@example.com", "reseller@example.com", "admin@example.com"],
  password: "demo-password",
};
const FIRST_CALL_IDS = ["login", "getAuthUser", "createSite"] as const;

export function renderFirstCalls(reader: ReaderTexts, docs: DocReference, isDemo: boolean): Markup {
  const { t } = reader;
  const renderMono = (text: string) => html`<bdi dir="ltr" class="font-mono text-[0.92em]">${text}</bdi>`;
  const steps = FIRST_CALL_IDS.map((id, index) => {
    const operation = docs.operations.find((each) => each.id === id);
    return (
      operation &&
      html`<li><h2 class="mb-2 font-medium text-sm">${t("guide.step", { step: index + 1 })} ${t(`guide.call.${id}`)}</h2><div class="grid gap-4 xl:grid-cols-2">${renderSamples(reader, `first-${id}`, toSampleCall(operation, isDemo))}<div class="max-h-80 min-w-0 overflow-y-auto rounded-card">${renderCode(reader, `HTTP ${operation.result.status}`, operation.result.example)}</div></div></li>`
    );
  });
  const values = {
    accounts: renderMono(DEMO_CREDENTIALS.emails.join(", ")),
    password: renderMono(DEMO_CREDENTIALS.password),
  };
  const demoText = t.rich("guide.demoText", {
    accounts: () => values.accounts as never,
    password: () => values.password as never,
  }) as unknown as Array<string | Markup>;
  return html`<p class="text-sm">${t("guide.base")} ${renderMono(docs.baseUrl)}</p>${
    isDemo &&
    html`<div class="rounded-card border border-current/20 bg-info-soft px-4 py-3 text-info-text text-sm"><p class="font-medium">${t("guide.demo")}</p><p class="mt-0.5 text-fg">${demoText}</p></div>`
  }<ol class="flex flex-col gap-6">${steps}</ol><section aria-labelledby="tokens"><h2 id="tokens" class="mt-4 font-semibold text-h2">${t("guide.tokens")}</h2><p class="mt-1.5 mb-4 max-w-[70ch] text-pretty text-fg-muted text-sm">${t("guide.tokensText")}</p>${renderCode(reader, "HTTP", "Authorization: Bearer dsu_…\nAccept: application/json")}</section>`;
}

function toSampleCall({ id, call }: DocOperation, isDemo: boolean): SampleCall {
  if (id !== "login" || !isDemo) return call;
  return {
    ...call,
    body: {
      ...(call.body as object),
      email: DEMO_CREDENTIALS.emails[0],
      password: DEMO_CREDENTIALS.password,
    },
  };
}
