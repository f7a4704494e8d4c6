"use client";

import { type Locale, type Messages, NextIntlClientProvider } from "next-intl";
import { createContext, type ReactNode, use, useMemo } from "react";

const EnclosingMessages = createContext<Partial<Messages>>({});

export interface MessagesProviderProps {
  locale: Locale;
  timeZone: string;
  /** JSON text, because React walks through every value of an object before it hydrates. */
  messages: string;
  children: ReactNode;
}

export function MessagesProvider({ locale, timeZone, messages, children }: MessagesProviderProps) {
  const enclosingMessages = use(EnclosingMessages);
  const mergedMessages = useMemo(
    () => ({ ...enclosingMessages, ...(JSON.parse(messages) as Partial<Messages>) }),
    [enclosingMessages, messages],
  );
  return (
    <EnclosingMessages value={mergedMessages}>
      <NextIntlClientProvider locale={locale} timeZone={timeZone} messages={mergedMessages}>
        {children}
      </NextIntlClientProvider>
    </EnclosingMessages>
  );
}
