import { useTranslations } from "next-intl";
import type { FormError } from "@/components/api/form-error";
import type { ConnectableChannel } from "@/server/domains/sites/connections/policy";
import { getRefusalReason } from "./refusal";

/** Hint of a channel's token or password, and the text for a refused one. */
export function useSecretTexts(channel: ConnectableChannel) {
  const t = useTranslations("connections.connect");
  const isTelegram = channel === "telegram";
  return {
    hint: t(channel === "email" ? "passwordHint" : isTelegram ? "telegramHint" : "secretHint"),
    getRefusalText: (error: FormError) =>
      isTelegram && getRefusalReason(error) === "token_refused" ? t("telegramToken") : error.message,
  };
}
