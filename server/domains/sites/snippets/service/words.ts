import { fold } from "@/server/core/fold";

/** What makes a shortcut unique in its library. */
export const shortcutKeyOf = (shortcut: string) =>
  shortcut.normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();

/** What a snippet is found by. */
export const searchTextOf = ({
  title,
  shortcut,
  body,
}: {
  title: string;
  shortcut: string | null;
  body: string;
}) => fold(`${title}\n${shortcut ?? ""}\n${body}`);
