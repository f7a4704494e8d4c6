import { ArrowRight } from "lucide-react";
import type { Route } from "next";
import { type ReactNode, useId } from "react";
import { AppLink } from "@/components/ui/app-link";

export interface FigureCardProps {
  icon: ReactNode;
  title: ReactNode;
  figure: ReactNode;
  children?: ReactNode;
  link: { href: Route; label: ReactNode };
}

export function FigureCard({ icon, title, figure, children, link }: FigureCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col rounded-card border border-border bg-surface"
    >
      <div className="flex flex-1 flex-col gap-3 p-5">
        <h2 id={id} className="flex items-center gap-2 font-medium text-fg-muted text-sm">
          {icon}
          <span>{title}</span>
        </h2>
        <p className="wrap-anywhere font-semibold text-h1 tabular-nums ltr:tracking-[-0.015em]">{figure}</p>
        <div className="mt-auto text-fg-muted text-sm">{children}</div>
      </div>
      <AppLink
        href={link.href}
        className="group flex min-h-11 items-center justify-between gap-3 rounded-b-card border-border border-t px-5 font-medium text-primary-text text-sm transition-colors duration-120 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span>{link.label}</span>
        <ArrowRight className="mirror" />
      </AppLink>
    </section>
  );
}
