import type { ReactNode, Ref } from "react";
import { TONE_ICON, TONE_SOFT_CLASS, type Tone } from "./tone";

export interface FormAlertProps {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Announces the alert to screen readers. For alerts that appear after an action, not with the page. */
  live?: boolean;
  ref?: Ref<HTMLDivElement>;
}

export function FormAlert({ tone = "danger", title, children, action, live, ref }: FormAlertProps) {
  const Icon = TONE_ICON[tone];
  return (
    <div
      ref={ref}
      role={live ? "alert" : undefined}
      className={`flex items-start gap-3 rounded-card border border-current/20 px-4 py-3 text-sm ${TONE_SOFT_CLASS[tone]}`}
    >
      <Icon className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-medium">{title}</p> : null}
        {children ? <div className={title ? "mt-0.5 text-fg" : "text-fg"}>{children}</div> : null}
        {action ? <div className="mt-3 flex flex-wrap gap-2">{action}</div> : null}
      </div>
    </div>
  );
}
