"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { FormAlert } from "@/components/ui/form-alert";
import { readTabItem, writeTabItem } from "@/components/ui/tab-storage";
import { EmbedCard, type EmbedCardProps } from "./embed-card";

const getStorageKey = (siteId: number) => `widget-key:${siteId}`;

/** Keeps the key of a new site for its first page: later, only the owner can read it. */
export function storeWidgetKey(siteId: number, key: string): void {
  writeTabItem(getStorageKey(siteId), key);
}

const subscribeToNothing = () => () => {};

/** The code to embed. A reseller sees it in the tab that created the site, others learn where the owner finds it. */
export function CreatedEmbed({ siteId, widgetKey, ...embed }: EmbedCardProps & { siteId: number }) {
  const t = useTranslations("sites.created");
  const storedKey = useSyncExternalStore(
    subscribeToNothing,
    () => readTabItem(getStorageKey(siteId)),
    () => undefined,
  );
  const key = widgetKey.includes("*") ? storedKey : widgetKey;
  if (!key) return <FormAlert tone="info">{t("codeOfOwner")}</FormAlert>;
  return <EmbedCard {...embed} widgetKey={key} />;
}
