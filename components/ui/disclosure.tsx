import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

export interface DisclosureProps {
  label: ReactNode;
  children: ReactNode;
  /** In a card without padding: lines up with its rows. */
  inCard?: boolean;
}

/** Details that are hidden until the user opens them. Works before the page's scripts have loaded. */
export function Disclosure({ label, children, inCard }: DisclosureProps) {
  return (
    // A details element opened before hydration has an attribute that the server did not send.
    <details className="group basis-full text-sm" suppressHydrationWarning>
      <summary
        className={clsx(
          "flex cursor-pointer list-none items-center gap-2 rounded-control font-medium pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden",
          inCard ? "min-h-11 px-5 py-3 focus-visible:-outline-offset-2" : "min-h-8 w-fit",
        )}
      >
        <span>{label}</span>
        <ChevronDown className="text-fg-muted transition-transform duration-120 group-open:rotate-180" />
      </summary>
      {children}
    </details>
  );
}
