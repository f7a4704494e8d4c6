"use client";

import { type ErrorPageProps, getLastResort, LastResort } from "./last-resort";
import "./globals.css";

/** The root layout failed, so there are no messages; only the document's language is known. */
export default function GlobalError(props: ErrorPageProps) {
  const { lang, texts } = getLastResort();
  return (
    <html lang={lang} dir={lang === "ar" ? "rtl" : "ltr"}>
      <body>
        <title>{texts.title}</title>
        <LastResort {...props} />
      </body>
    </html>
  );
}
