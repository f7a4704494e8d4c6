import { ChevronDown } from "lucide-react";
import { CodeBlock } from "@/components/ui/code-block";
import type { DocError } from "./types";

/** Errors with their real bodies, each collapsed; works without scripts. */
export function ErrorList({ errors }: { errors: readonly DocError[] }) {
  return (
    <ul className="divide-y divide-border rounded-card border border-border">
      {errors.map((error) => (
        <li key={error.code}>
          <details className="group">
            <summary className="flex min-h-11 list-none items-start gap-3 px-4 py-2.5 text-compact focus-visible:-outline-offset-2">
              <span dir="ltr" className="shrink-0 font-mono font-semibold text-fg">
                {error.status}
              </span>
              <span className="min-w-0 flex-1 text-fg-muted">{error.text}</span>
              <ChevronDown className="mt-0.5 text-fg-subtle transition-transform duration-120 group-open:rotate-180" />
            </summary>
            <div className="px-4 pb-4">
              <CodeBlock title={`HTTP ${error.status}`} code={error.body} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
