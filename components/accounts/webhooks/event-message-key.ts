import type { Messages } from "next-intl";
import type { EventType } from "./types";

/** Message key of an event type: `site.created` is `site_created`. */
export const eventMessageKey = (type: EventType) =>
  type.replace(".", "_") as keyof Messages["webhooks"]["event"];
