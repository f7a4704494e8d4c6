import { fold } from "@/server/core/fold";

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
