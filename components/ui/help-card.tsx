import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "./card";

export interface HelpCardProps {
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** Explanation beside a form. */
export function HelpCard({ title, children, action }: HelpCardProps) {
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          <Info className="text-fg-muted" />
          {title}
        </span>
      }
    >
      <div className="flex flex-col items-start gap-3 text-fg-muted text-sm">
        {children}
        {action}
      </div>
    </Card>
  );
}
