import type { Messages } from "next-intl";
import { getLocale, getMessages, getTimeZone } from "next-intl/server";
import type { ReactNode } from "react";
import { MessagesProvider } from "./messages-provider";

export interface ClientMessagesProps {
  /** Namespaces to add to those of enclosing providers. */
  namespaces: readonly (keyof Messages)[];
  children: ReactNode;
}

/** Provides messages to client components; `InteractiveProviders` adds the shared ones. */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const allMessages: Partial<Messages> = await getMessages();
  const messages = Object.fromEntries(
    namespaces.filter((name) => name in allMessages).map((name) => [name, allMessages[name]]),
  );
  return (
    <MessagesProvider
      locale={await getLocale()}
      timeZone={await getTimeZone()}
      messagesJson={JSON.stringify(messages)}
    >
      {children}
    </MessagesProvider>
  );
}
