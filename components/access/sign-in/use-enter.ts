import { useTranslations } from "next-intl";
import { openPanel, pageLeft } from "@/components/api/session";
import { FormError } from "@/components/form/form-error";

/** Begins the session of a sign-in. Unresolved while the page is being left; throws the form's message. */
export type Enter = (token: string) => Promise<void>;

/** Opens the panel at `next` with the token of a sign-in. The form's button keeps working while the page is being left. */
export function useEnter(next?: string): Enter {
  const t = useTranslations("auth");
  return async (token) => {
    const opened = await openPanel(token, next).catch(() => false);
    if (!opened) throw new FormError({ message: t("sessionFailed") });
    await pageLeft();
  };
}
