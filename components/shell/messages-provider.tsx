"use client";

import { type Locale, type Messages, NextIntlClientProvider } from "next-intl";
import { createContext, type ReactNode, use, useMemo } from "react";

const EnclosingMessages = createContext<Partial<Messages>>({});

export interface MessagesProviderProps {
  locale: Locale;
  timeZone: string;
  /** JSON, because React would walk through every text of an object before hydrating. */
  messages: string;
  children: ReactNode;
}

export function MessagesProvider({ locale, timeZone, messages, children }: MessagesProviderProps) {
  const enclosing = use(EnclosingMessages);
  const all = useMemo(
    () => ({ ...enclosing, ...(JSON.parse(messages) as Partial<Messages>) }),
    [enclosing, messages],
  );
  return (
    <EnclosingMessages value={all}>
      <NextIntlClientProvider locale={locale} timeZone={timeZone} messages={all}>
        {children}
      </NextIntlClientProvider>
    </EnclosingMessages>
  );
}
