import { Download } from "lucide-react";
import type { Route } from "next";
import { LinkButton } from "@/components/ui/link-button";

export function CsvLink({ href, children }: { href: Route; children: string }) {
  return (
    <LinkButton size="sm" icon={<Download />} href={href} prefetch={false} download>
      {children}
    </LinkButton>
  );
}
