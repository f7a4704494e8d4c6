import type { ReactNode } from "react";
import { TONE_ICON, TONE_SOFT_CLASS, type Tone } from "@/components/ui/tone";

export interface TaskRowProps {
  tone: Tone;
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

export function TaskRow({ tone, icon, title, children, action }: TaskRowProps) {
  const Icon = TONE_ICON[tone];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <span className={`grid size-7 shrink-0 place-items-center rounded-full ${TONE_SOFT_CLASS[tone]}`}>
        {icon ?? <Icon />}
      </span>
      <div className="wrap-anywhere min-w-48 flex-1">
        <p className="font-medium text-sm">{title}</p>
        <div className="text-compact text-fg-muted">{children}</div>
      </div>
      {action}
    </li>
  );
}

export function TaskList({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-border border-border border-t">{children}</ul>;
}
