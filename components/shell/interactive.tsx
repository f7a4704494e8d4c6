import { headers } from "next/headers";
import type { Messages } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { HOLD_SUBMITS } from "@/components/form/early-submit";
import { UiProviders } from "@/components/ui/providers";
import { directionOf } from "@/server/core/locale";
import { ClientMessages } from "./client-messages";

const EVERYWHERE = [
  "common",
  "navigation",
  "shell",
  "theme",
  "ui",
  "validation",
  "reader",
] as (keyof Messages)[];

/** Providers for pages with forms and popups. Read-only pages do without, which makes them lighter. */
export async function Interactive({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <ClientMessages namespaces={EVERYWHERE}>
      {/* Browsers hide nonces from scripts, so hydration would report a mismatch. */}
      <script nonce={nonce} suppressHydrationWarning>
        {HOLD_SUBMITS}
      </script>
      <UiProviders direction={directionOf(await getLocale())}>{children}</UiProviders>
    </ClientMessages>
  );
}
