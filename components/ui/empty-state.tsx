import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  heading?: "h1" | "h2" | "h3" | "p";
}

export function EmptyState({ icon, title, children, action, heading: Heading = "h2" }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-card border border-border bg-sunken text-fg-muted [&_.lucide]:size-5">
        {icon}
      </span>
      <Heading className="mt-4 font-semibold text-base">{title}</Heading>
      {children ? (
        <div className="mt-1 max-w-[46ch] text-pretty text-fg-muted text-sm">{children}</div>
      ) : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}
