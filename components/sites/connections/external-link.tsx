import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonContent } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";

const NEW_TAB = { target: "_blank", rel: "noopener noreferrer" } as const;

export function ExternalTextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      {...NEW_TAB}
      className="rounded-control font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text"
    >
      {children}
    </a>
  );
}

export function ExternalLinkButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} {...NEW_TAB} className={buttonStyle({ size: "sm" })}>
      <ButtonContent icon={<ExternalLink className="mirror" />}>{children}</ButtonContent>
    </a>
  );
}
