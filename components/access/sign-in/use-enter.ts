import { useTranslations } from "next-intl";
import { FormError } from "@/components/api/form-error";
import { openPanel, pageLeft } from "@/components/api/session";
import { remember } from "@/components/ui/preference";
import { WAY_COOKIE, type WayIn } from "@/server/domains/access/sign-in/policy";
import { keepWaiting } from "./this-tab";

/** Opens the session. Stays pending while the page unloads; rejects with the form's message. */
export type Enter = (token: string, way?: WayIn) => Promise<void>;

export function useEnter(next?: string): Enter {
  const t = useTranslations("auth");
  return async (token, way) => {
    // The interim token is used up, even if opening the session fails.
    keepWaiting(undefined);
    if (way) remember(WAY_COOKIE, way);
    const isOpen = await openPanel(token, next).catch(() => false);
    if (!isOpen) throw new FormError({ message: t("sessionFailed") });
    await pageLeft();
  };
}
