"use client";

import { type Locale, type Messages, NextIntlClientProvider } from "next-intl";
import { createContext, type ReactNode, use, useMemo } from "react";

const EnclosingMessagesContext = createContext<Partial<Messages>>({});

export interface MessagesProviderProps {
  locale: Locale;
  timeZone: string;
  /** JSON text, because React walks through every value of an object before it hydrates. */
  messagesJson: string;
  children: ReactNode;
}

export function MessagesProvider({ locale, timeZone, messagesJson, children }: MessagesProviderProps) {
  const enclosingMessages = use(EnclosingMessagesContext);
  const mergedMessages = useMemo(
    () => ({ ...enclosingMessages, ...(JSON.parse(messagesJson) as Partial<Messages>) }),
    [enclosingMessages, messagesJson],
  );
  return (
    <EnclosingMessagesContext value={mergedMessages}>
      <NextIntlClientProvider locale={locale} timeZone={timeZone} messages={mergedMessages}>
        {children}
      </NextIntlClientProvider>
    </EnclosingMessagesContext>
  );
}
