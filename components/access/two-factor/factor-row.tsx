import type { ReactNode } from "react";
import { StatusChip } from "@/components/ui/status-chip";
import type { Tone } from "@/components/ui/tone";

export interface FactorRowProps {
  icon: ReactNode;
  title: ReactNode;
  state: { tone: Tone; label: ReactNode };
  children: ReactNode;
  action: ReactNode;
}

export function FactorRow({ icon, title, state, children, action }: FactorRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0 sm:flex-nowrap">
      <span className="grid size-10 shrink-0 place-items-center rounded-card border border-border bg-sunken text-fg-muted [&_.lucide]:size-5">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="font-medium text-sm">{title}</h3>
          <StatusChip tone={state.tone}>{state.label}</StatusChip>
        </div>
        <p className="mt-0.5 text-fg-muted text-sm">{children}</p>
      </div>
      <div className="max-sm:w-full max-sm:ps-14">{action}</div>
    </li>
  );
}
