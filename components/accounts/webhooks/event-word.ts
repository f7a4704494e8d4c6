import type { Messages } from "next-intl";
import type { EventType } from "./types";

/** The key of an event's words in the dictionary: `site.created` is `site_created`. */
export const eventWord = (type: EventType) => type.replace(".", "_") as keyof Messages["webhooks"]["event"];
