import type { Messages } from "next-intl";
import type { EventType } from "./types";

/** Converts `site.created` to `site_created`: a dot would separate levels of messages. */
export const eventMessageKey = (type: EventType) =>
  type.replace(".", "_") as keyof Messages["webhooks"]["event"];
