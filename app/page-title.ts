import "server-only";
import type { Metadata } from "next";
import type { Messages } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { MessageKeys, NestedKeyOf } from "use-intl/core";

export type MessageKey = MessageKeys<Messages, NestedKeyOf<Messages>>;

/** Returns the `generateMetadata` of a page with a translated title. */
export function metadataWithTitle(titleKey: MessageKey, metadata?: Omit<Metadata, "title">) {
  return async (): Promise<Metadata> => {
    const t = await getTranslations();
    return { title: t(titleKey), ...metadata };
  };
}
