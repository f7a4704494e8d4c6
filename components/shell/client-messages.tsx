import { type Messages, NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTimeZone } from "next-intl/server";
import type { ReactNode } from "react";

type Namespace = keyof Messages;

/** Namespaces of the UI components and the shell, needed on every page. */
const EVERYWHERE: readonly string[] = [
  "common",
  "navigation",
  "shell",
  "theme",
  "ui",
  "validation",
  "reader",
];

export interface ClientMessagesProps {
  /** The namespaces that client components below need, besides the shared ones. */
  namespaces?: readonly Namespace[];
  children: ReactNode;
}

/**
 * Messages for client components. `Interactive` sends only the shared ones; a page or layout with client components
 * of its own wraps them once: `<ClientMessages namespaces={["sites"]}>`. Server components need nothing.
 */
export async function ClientMessages({ namespaces = [], children }: ClientMessagesProps) {
  const all: Record<string, unknown> = await getMessages();
  const wanted = [...EVERYWHERE, ...namespaces].filter((name) => name in all);
  const messages = Object.fromEntries(wanted.map((name) => [name, all[name]])) as Partial<Messages>;
  return (
    <NextIntlClientProvider locale={await getLocale()} timeZone={await getTimeZone()} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
