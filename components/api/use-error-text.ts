import { useTranslations } from "next-intl";
import { toFormError } from "./form-error";

/** What to say of anything that was thrown: the server's own words, or that it could not be reached. */
export function useErrorText(): (cause: unknown) => string {
  const t = useTranslations("ui.error");
  return (cause) => {
    const { message, status } = toFormError(cause);
    if (message) return message;
    return t(status === 429 ? "throttled" : status ? "unexpected" : "network");
  };
}
