import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "@/components/ui/bidi";
import { CodeBlock } from "@/components/ui/code-block";
import { FormAlert } from "@/components/ui/form-alert";
import { ErrorList } from "./error-list";
import type { DocOperation, DocReference } from "./types";

export interface GuideProps {
  docs: DocReference;
  /** Outside production: names the demo accounts. */
  demo: boolean;
}

/** As prisma/seed.ts writes them. */
const DEMO = {
  accounts: ["customer@example.com", "reseller@example.com", "admin@example.com"],
  password: "demo-password",
};
const CURL = "curl";
const HTTP = "HTTP";
const FIRST_CALLS = ["login", "getAuthUser", "createSite"] as const;

/** The introduction: three calls, then the rules common to all of them. */
export function Guide({ docs, demo }: GuideProps) {
  const t = useTranslations("docs.guide");
  return (
    <div className="flex flex-col gap-10">
      <Part id="calls" title={t("calls")} text={t("callsText")}>
        <p className="mb-5 text-sm">
          {t("base")} <Ltr mono>{docs.baseUrl}</Ltr>
        </p>
        {demo ? (
          <div className="mb-5">
            <FormAlert tone="info" title={t("demo")}>
              {t.rich("demoText", {
                accounts: () => <Ltr mono>{DEMO.accounts.join(", ")}</Ltr>,
                password: () => <Ltr mono>{DEMO.password}</Ltr>,
              })}
            </FormAlert>
          </div>
        ) : null}
        <ol className="flex flex-col gap-6">
          {FIRST_CALLS.map((id, index) => {
            const operation = docs.operations.find((each) => each.id === id);
            if (!operation) return null;
            return (
              <li key={id}>
                <h3 className="mb-2 font-medium text-sm">
                  {t("step", { step: index + 1 })} {t(`call.${id}`)}
                </h3>
                <div className="grid gap-4 xl:grid-cols-2">
                  <CodeBlock title={CURL} code={callOf(operation, demo)} />
                  <div className="max-h-80 min-w-0 overflow-y-auto rounded-card">
                    <CodeBlock title={`HTTP ${operation.result.status}`} code={operation.result.example} />
                  </div>
                </div>
              </li>
            );
          })}
        </ol>
      </Part>
      <Part id="tokens" title={t("tokens")} text={t("tokensText")}>
        <CodeBlock title={HTTP} code={"Authorization: Bearer dsu_…\nAccept: application/json"} />
      </Part>
      <Part id="errors" title={t("errors")} text={t("errorsText")}>
        <ErrorList errors={docs.errors} />
      </Part>
      <Part id="limits" title={t("limits")} text={t("limitsText")}>
        <CodeBlock
          title={`${HTTP} 429`}
          code={
            "Retry-After: 42\nX-RateLimit-Limit: 600\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1826703042"
          }
        />
      </Part>
    </div>
  );
}

/** The call as a first visitor can send it. */
function callOf({ id, curl }: DocOperation, demo: boolean): string {
  if (id === "getAuthUser") return `export TOKEN=dsu_…\n\n${curl}`;
  if (id !== "login" || !demo) return curl;
  return curl
    .replace(/("email": ")[^"]*/, `$1${DEMO.accounts[0]}`)
    .replace(/("password": ")[^"]*/, `$1${DEMO.password}`);
}

function Part({
  id,
  title,
  text,
  children,
}: {
  id: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-20">
      <h2 id={`${id}-title`} className="font-semibold text-h2">
        {title}
      </h2>
      <p className="mt-1.5 mb-5 max-w-[70ch] text-pretty text-fg-muted text-sm">{text}</p>
      {children}
    </section>
  );
}
