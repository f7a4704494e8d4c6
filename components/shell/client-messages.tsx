import type { Messages } from "next-intl";
import { getLocale, getMessages, getTimeZone } from "next-intl/server";
import type { ReactNode } from "react";
import { MessagesProvider } from "./messages-provider";

export interface ClientMessagesProps {
  /** The namespaces that client components below need, besides those that they have from above. */
  namespaces: readonly (keyof Messages)[];
  children: ReactNode;
}

/**
 * Messages for client components. `Interactive` sends the shared ones; a page or layout with client components of its
 * own wraps them once: `<ClientMessages namespaces={["sites"]}>`. Server components need nothing.
 */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const all: Partial<Messages> = await getMessages();
  const messages = Object.fromEntries(
    namespaces.filter((name) => name in all).map((name) => [name, all[name]]),
  );
  return (
    <MessagesProvider
      locale={await getLocale()}
      timeZone={await getTimeZone()}
      messages={JSON.stringify(messages)}
    >
      {children}
    </MessagesProvider>
  );
}
