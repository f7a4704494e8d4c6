import type { Route } from "next";

export interface MailboxState {
  to?: string;
  mail?: number;
  view: "html" | "text";
}

/** Next's route types do not include demo pages. */
export const MAILBOX_PATH = "/dev/mailbox" as Route;

export type Query = Record<string, string | string[] | undefined>;

export function parseState(query: Query): MailboxState {
  const readParam = (name: string) => [query[name]].flat()[0]?.trim() || undefined;
  return {
    to: readParam("to"),
    mail: Number(readParam("mail")) || undefined,
    view: readParam("view") === "text" ? "text" : "html",
  };
}

export function buildMailboxHref(state: MailboxState, changes: Partial<MailboxState>): Route {
  const { to, mail, view } = { ...state, ...changes };
  const query = new URLSearchParams({
    ...(to && { to }),
    ...(mail && { mail: String(mail) }),
    ...(view === "text" && { view }),
  });
  return `${MAILBOX_PATH}${query.size > 0 ? `?${query}` : ""}` as Route;
}
