import type { Locale } from "@/server/domains/settings/locales/contract";

/** Texts for the one page that must work when nothing else does, translations included. */
export const LAST_RESORT: Record<Locale, { title: string; text: string; retry: string }> = {
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
