import { Check, CircleDashed, Clock } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export interface Step {
  key: string;
  state: "open" | "started" | "done";
  title: string;
  /** Instruction, hidden once the step is done. */
  text: string;
  action?: ReactNode;
  /** Does the step in place. */
  form?: ReactNode;
}

const STATE_ICONS = { done: Check, started: Clock, open: CircleDashed };

export function StepList({ steps }: { steps: readonly Step[] }) {
  const t = useTranslations("dashboard.checklist");
  return (
    <ol className="divide-y divide-border border-border border-t">
      {steps.map(({ key, state, title, text, action, form }) => {
        const Icon = STATE_ICONS[state];
        const isDone = state === "done";
        return (
          <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full ${isDone ? "bg-success-soft text-success-text" : "bg-sunken text-fg-muted"}`}
            >
              <Icon />
              <span className="sr-only">{t(state)}</span>
            </span>
            <span className="min-w-48 flex-1">
              <span className={`block font-medium text-sm ${isDone ? "text-fg-muted" : ""}`}>{title}</span>
              {isDone ? null : <span className="block text-compact text-fg-muted">{text}</span>}
            </span>
            {isDone ? null : action}
            {isDone || !form ? null : <div className="basis-full ps-11 pb-1.5">{form}</div>}
          </li>
        );
      })}
    </ol>
  );
}
