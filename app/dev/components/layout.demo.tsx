import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";
import { env } from "@/server/core/env";

export default function GalleryLayout({ children }: { children: ReactNode }) {
  if (env().production) notFound();
  return <ClientMessages namespaces={["gallery"]}>{children}</ClientMessages>;
}
