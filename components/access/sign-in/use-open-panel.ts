import { useTranslations } from "next-intl";
import { FormError } from "@/components/api/form-error";
import { openPanel, waitForNavigation } from "@/components/api/session";
import { storePreference } from "@/components/ui/preference";
import { LAST_SIGN_IN_COOKIE, type LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import { storePendingSignIn, storeTypedEmail } from "./tab-storage";

/** Opens the session. Stays pending while the page unloads; rejects with a `FormError`. */
export type OpenPanel = (token: string, method?: LastSignInMethod) => Promise<void>;

export function useOpenPanel(nextPath?: string): OpenPanel {
  const t = useTranslations("auth");
  return async (token, method) => {
    // The interim token is used up, even if opening the session fails.
    storePendingSignIn(undefined);
    if (method) storePreference(LAST_SIGN_IN_COOKIE, method);
    const isOpen = await openPanel(token, nextPath).catch(() => false);
    if (!isOpen) throw new FormError({ message: t("sessionFailed") });
    storeTypedEmail("");
    await waitForNavigation();
  };
}
