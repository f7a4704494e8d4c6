"use client";

import { type ErrorPageProps, getLastResortTexts, LastResort } from "./last-resort";
import "./globals.css";

/** Shown when the root layout fails. Then there are no messages; only the document's language is known. */
export default function GlobalError(props: ErrorPageProps) {
  const { lang, texts } = getLastResortTexts();
  return (
    <html lang={lang} dir={lang === "ar" ? "rtl" : "ltr"}>
      <body>
        <title>{texts.title}</title>
        <LastResort {...props} />
      </body>
    </html>
  );
}
