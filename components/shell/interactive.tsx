import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { UiProviders } from "@/components/ui/providers";
import { directionOf } from "@/server/core/locale";
import { ClientMessages } from "./client-messages";

/** What pages with forms and popups need around them; a page that is only read is lighter without it. */
export async function Interactive({ children }: { children: ReactNode }) {
  return (
    <ClientMessages>
      <UiProviders direction={directionOf(await getLocale())}>{children}</UiProviders>
    </ClientMessages>
  );
}
