import type { Route } from "next";

export interface MailboxState {
  to?: string;
  mail?: number;
  view: "html" | "text";
}

/** Next's route types do not include demo pages. */
export const MAILBOX = "/dev/mailbox" as Route;

export type Query = Record<string, string | string[] | undefined>;

export function readState(query: Query): MailboxState {
  const one = (name: string) => [query[name]].flat()[0]?.trim() || undefined;
  return {
    to: one("to"),
    mail: Number(one("mail")) || undefined,
    view: one("view") === "text" ? "text" : "html",
  };
}

export function hrefOf(state: MailboxState, change: Partial<MailboxState>): Route {
  const { to, mail, view } = { ...state, ...change };
  const query = new URLSearchParams({
    ...(to && { to }),
    ...(mail && { mail: String(mail) }),
    ...(view === "text" && { view }),
  });
  return `${MAILBOX}${query.size > 0 ? `?${query}` : ""}` as Route;
}
