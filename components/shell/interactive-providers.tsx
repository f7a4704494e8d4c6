import { headers } from "next/headers";
import type { Messages } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { HOLD_SUBMITS_SCRIPT } from "@/components/form/early-submit";
import { UiProviders } from "@/components/ui/providers";
import { getTextDirection } from "@/server/core/locale";
import { ClientMessages } from "./client-messages";

const SHARED_NAMESPACES = [
  "common",
  "navigation",
  "shell",
  "theme",
  "ui",
  "validation",
  "reader",
] as (keyof Messages)[];

/** Providers for pages with forms and popups. Read-only pages omit them to load fewer scripts. */
export async function InteractiveProviders({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <ClientMessages namespaces={SHARED_NAMESPACES}>
      {/* Browsers hide nonces from scripts, so hydration would report a mismatch. */}
      <script nonce={nonce} suppressHydrationWarning>
        {HOLD_SUBMITS_SCRIPT}
      </script>
      <UiProviders direction={getTextDirection(await getLocale())}>{children}</UiProviders>
    </ClientMessages>
  );
}
