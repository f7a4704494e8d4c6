"use client";

import { Button } from "@/components/ui/button";
import type { Locale } from "@/server/domains/settings/locales/contract";
import { LAST_RESORT } from "./last-resort";
import "./globals.css";

/** The root layout itself failed: there are no messages and no providers, only the document's language. */
export default function GlobalError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const lang = typeof document === "undefined" ? "en" : document.documentElement.lang;
  const texts = LAST_RESORT[lang as Locale] ?? LAST_RESORT.en;
  return (
    <html lang={lang} dir={lang === "ar" ? "rtl" : "ltr"}>
      <body>
        <title>{texts.title}</title>
        <main className="grid min-h-dvh place-items-center px-4 text-center">
          <div className="flex flex-col items-center gap-3">
            <h1 className="font-semibold text-h2">{texts.title}</h1>
            <p className="max-w-[46ch] text-fg-muted">{texts.text}</p>
            {error.digest ? (
              <code className="font-mono text-caption text-fg-muted">{error.digest}</code>
            ) : null}
            <Button variant="primary" onClick={reset}>
              {texts.retry}
            </Button>
          </div>
        </main>
      </body>
    </html>
  );
}
