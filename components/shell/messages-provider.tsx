"use client";

import { type Locale, type Messages, NextIntlClientProvider } from "next-intl";
import { createContext, type ReactNode, use, useMemo } from "react";

const Above = createContext<Partial<Messages>>({});

export interface MessagesProviderProps {
  locale: Locale;
  timeZone: string;
  /** JSON: as an object of props, React would walk through each of its texts before the page can be used. */
  messages: string;
  children: ReactNode;
}

/** Adds messages to those from above. */
export function MessagesProvider({ locale, timeZone, messages, children }: MessagesProviderProps) {
  const above = use(Above);
  const all = useMemo(
    () => ({ ...above, ...(JSON.parse(messages) as Partial<Messages>) }),
    [above, messages],
  );
  return (
    <Above value={all}>
      <NextIntlClientProvider locale={locale} timeZone={timeZone} messages={all}>
        {children}
      </NextIntlClientProvider>
    </Above>
  );
}
