import { useTranslations } from "next-intl";
import { FormError } from "@/components/api/form-error";
import { openPanel, pageLeft } from "@/components/api/session";
import { remember } from "@/components/ui/preference";
import { WAY_COOKIE, type WayIn } from "@/server/domains/access/sign-in/policy";
import { keepWaiting } from "./this-tab";

/**
 * Begins the session of a sign-in, and remembers its way in, if there is a choice of them. Unresolved while the page is
 * being left; throws the form's message.
 */
export type Enter = (token: string, way?: WayIn) => Promise<void>;

/** Opens the panel at `next` with the token of a sign-in. The form's button keeps working while the page is being left. */
export function useEnter(next?: string): Enter {
  const t = useTranslations("auth");
  return async (token, way) => {
    // The token was given once, whether the session opens or not.
    keepWaiting(undefined);
    if (way) remember(WAY_COOKIE, way);
    const opened = await openPanel(token, next).catch(() => false);
    if (!opened) throw new FormError({ message: t("sessionFailed") });
    await pageLeft();
  };
}
