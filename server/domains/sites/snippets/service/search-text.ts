import { foldText } from "@/server/core/fold";

export const buildSnippetSearchText = ({
  title,
  shortcut,
  body,
}: {
  title: string;
  shortcut: string | null;
  body: string;
}) => foldText(`${title}\n${shortcut ?? ""}\n${body}`);
