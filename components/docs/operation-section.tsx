import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { ErrorList } from "./error-list";
import { FieldTable } from "./field-table";
import { MethodBadge } from "./method-badge";
import type { DocField, DocOperation } from "./types";

const CURL = "curl";

/** One operation, collapsed to its line: its input at the start, a call and its response at the end. */
export function OperationSection({ operation, open }: { operation: DocOperation; open?: boolean }) {
  const t = useTranslations("docs");
  const { points, per, by } = operation.limit;
  return (
    <details
      open={open}
      // With a link to it, the browser expands it before scripts run.
      suppressHydrationWarning
      className="group/operation rounded-card border border-border bg-surface"
    >
      <summary className="flex min-h-12 list-none flex-wrap items-center gap-x-3 gap-y-0.5 rounded-card px-5 py-2.5 hover:bg-sunken">
        <span dir="ltr" className="inline-flex min-w-0 items-baseline gap-2.5">
          <MethodBadge method={operation.method} />
          <code className="wrap-anywhere font-mono text-compact">{operation.path}</code>
        </span>
        <h3 className="me-6 min-w-40 flex-1 text-fg-muted text-sm">
          <bdi lang="en">{operation.summary}</bdi>
        </h3>
        <ChevronDown className="text-fg-subtle transition-transform duration-120 group-open/operation:rotate-180" />
      </summary>
      {/* The target of links: browsers expand the details around it, or OpenTarget does. */}
      <div id={operation.id} className="scroll-mt-32 border-border border-t p-5">
        <div className="mb-5 flex flex-wrap gap-2">
          <Badge>{t(operation.access === "token" ? "access.token" : "access.public")}</Badge>
          <Badge>{t(`limit.${by}`, { points, per })}</Badge>
        </div>
        <div className="grid gap-6 xl:grid-cols-2">
          <Rules operation={operation} />
          <div className="flex min-w-0 flex-col gap-4">
            <CodeBlock title={CURL} code={operation.curl} />
            <CodeBlock
              title={t("answerOf", { status: operation.result.status })}
              code={operation.result.example}
            />
          </div>
        </div>
      </div>
    </details>
  );
}

function Rules({ operation }: { operation: DocOperation }) {
  const t = useTranslations("docs");
  const { description, params, query, body, errors, result } = operation;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {description ? (
        <p className="text-pretty text-fg-muted text-sm">
          <bdi lang="en">{description}</bdi>
        </p>
      ) : null}
      {params.length > 0 ? <FieldTable title={t("params")} fields={params} /> : null}
      {query.length > 0 ? <FieldTable title={t("query")} fields={query} /> : null}
      {body.length > 0 ? <FieldTable title={t("body")} fields={body} /> : null}
      {errors.length > 0 ? (
        <div>
          <h4 className="mb-2 font-medium text-sm">{t("errors")}</h4>
          <ErrorList errors={errors} />
        </div>
      ) : null}
      {result.fields.length > 0 ? (
        <Fold title={t("answerFields")}>
          <FieldLines fields={result.fields} label={t("answer")} />
        </Fold>
      ) : null}
    </div>
  );
}

/** Fields and types as lines of one text: output is looked up, not filled in. */
function FieldLines({ fields, label }: { fields: readonly DocField[]; label: string }) {
  const width = Math.max(...fields.map(({ path }) => path.length)) + 2;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      dir="ltr"
      className="max-h-96 overflow-auto rounded-card bg-sunken p-4"
    >
      <pre className="font-mono text-caption">
        {fields.map(({ path, type }) => path.padEnd(width) + type).join("\n")}
      </pre>
    </section>
  );
}

function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex min-h-9 w-fit list-none items-center gap-2 rounded-control font-medium text-primary-text text-sm">
        {title}
        <ChevronDown className="transition-transform duration-120 group-open:rotate-180" />
      </summary>
      <div className="pt-3">{children}</div>
    </details>
  );
}
