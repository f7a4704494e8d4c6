import { useTranslations } from "next-intl";
import { openPanel, pageLeft } from "@/components/api/session";
import { FormError } from "@/components/form/form-error";

/** Begins the session of a sign-in. Unresolved while the page is being left; throws the form's message. */
export type Enter = (token: string) => Promise<void>;

/** Opens the panel at `next` with the token of a sign-in. */
export function useEnter(next?: string): Enter {
  const t = useTranslations("auth");
  return (token) => startSession(token, next, t("session_failed"));
}

/**
 * Opens a session with the token of a sign-in and goes to the panel. Stays unresolved while the page is being left,
 * so that the form's button keeps working; throws `failed` as the form's message when no session could be opened.
 */
export async function startSession(token: string, next: string | undefined, failed: string): Promise<void> {
  const opened = await openPanel(token, next).catch(() => false);
  if (!opened) throw new FormError({ message: failed });
  await pageLeft();
}
