import type { Route } from "next";

export interface MailboxState {
  to?: string;
  mailId?: number;
  view: "html" | "text";
}

/** Next's route types do not include demo pages. */
export const MAILBOX_PATH = "/dev/mailbox" as Route;

export type MailboxQuery = Record<string, string | string[] | undefined>;

export function parseMailboxState(query: MailboxQuery): MailboxState {
  const readParam = (name: string) => [query[name]].flat()[0]?.trim() || undefined;
  return {
    to: readParam("to"),
    mailId: Number(readParam("mail")) || undefined,
    view: readParam("view") === "text" ? "text" : "html",
  };
}

export function buildMailboxHref(state: MailboxState, changes: Partial<MailboxState>): Route {
  const { to, mailId, view } = { ...state, ...changes };
  const query = new URLSearchParams({
    ...(to && { to }),
    ...(mailId && { mail: String(mailId) }),
    ...(view === "text" && { view }),
  });
  return `${MAILBOX_PATH}${query.size > 0 ? `?${query}` : ""}` as Route;
}
