import { buttonStyle } from "@/components/ui/button-style";
import type { Locale } from "@/server/core/locale";

/** Inlined, because the message files may be unavailable when this page is shown. */
const TEXTS: Record<Locale, { title: string; text: string; retry: string }> = {
  tr: {
    title: "Sayfa açılamadı",
    text: "Bizden kaynaklanan bir sorun oluştu. Lütfen yeniden deneyin.",
    retry: "Yeniden dene",
  },
  en: {
    title: "The page could not be opened",
    text: "Something failed on our side. Please try again.",
    retry: "Try again",
  },
  ru: {
    title: "Не удалось открыть страницу",
    text: "Произошёл сбой на нашей стороне. Пожалуйста, попробуйте ещё раз.",
    retry: "Повторить",
  },
  de: {
    title: "Die Seite konnte nicht geöffnet werden",
    text: "Bei uns ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.",
    retry: "Erneut versuchen",
  },
  ar: {
    title: "تعذّر فتح الصفحة",
    text: "حدث خلل من جانبنا. يُرجى المحاولة مرة أخرى.",
    retry: "إعادة المحاولة",
  },
  fr: {
    title: "La page n’a pas pu s’ouvrir",
    text: "Un problème est survenu de notre côté. Veuillez réessayer.",
    retry: "Réessayer",
  },
  it: {
    title: "Impossibile aprire la pagina",
    text: "Si è verificato un problema da parte nostra. Riprovi, per favore.",
    retry: "Riprova",
  },
};

export function getLastResortTexts() {
  const lang = typeof document === "undefined" ? "en" : document.documentElement.lang;
  return { lang, texts: TEXTS[lang as Locale] ?? TEXTS.en };
}

export interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Error page that needs no messages and providers. Shows the error ID for support. */
export function LastResort({ error, reset }: ErrorPageProps) {
  const { texts } = getLastResortTexts();
  return (
    <main id="main" tabIndex={-1} className="grid min-h-dvh place-items-center px-4 text-center">
      <div role="alert" className="flex flex-col items-center gap-3">
        <h1 className="font-semibold text-h2">{texts.title}</h1>
        <p className="max-w-[46ch] text-fg-muted">{texts.text}</p>
        {error.digest ? <code className="font-mono text-caption text-fg-muted">{error.digest}</code> : null}
        <button type="button" className={buttonStyle({ variant: "primary" })} onClick={reset}>
          {texts.retry}
        </button>
      </div>
    </main>
  );
}
