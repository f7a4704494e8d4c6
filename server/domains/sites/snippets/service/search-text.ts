import { fold } from "@/server/core/fold";

export const buildSnippetSearchText = ({
  title,
  shortcut,
  body,
}: {
  title: string;
  shortcut: string | null;
  body: string;
}) => fold(`${title}\n${shortcut ?? ""}\n${body}`);
