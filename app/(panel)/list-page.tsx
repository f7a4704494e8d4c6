import "server-only";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader, type inferParserType, type SearchParams } from "nuqs/server";
import type { ReactNode } from "react";
import { type ListParsers, toListInput } from "@/components/api/list-parsers";
import { ClientMessages, type ClientMessagesProps } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import type { MessageKey } from "../page-title";
import { requireSignIn } from "./viewer";

type Session = Awaited<ReturnType<typeof requireSignIn>>;

interface ListPageOptions<P extends ListParsers> {
  /** Omit it if the content renders a heading. */
  heading?: { title: MessageKey; text: MessageKey };
  actions?: ReactNode;
  /** The page exists only for this kind of viewer; others get 404. */
  requiredViewer?: Session["viewer"];
  parsers: P;
  messages: ClientMessagesProps["namespaces"];
  renderContent: (
    request: Session & {
      api: Awaited<ReturnType<typeof getPanelCaller>>["api"];
      input: ReturnType<typeof toListInput<inferParserType<P>>>;
      searchParams: SearchParams;
    },
  ) => ReactNode | Promise<ReactNode>;
}

/** Creates a list page whose search words, order, filters and page number are query parameters. */
export function createListPage<P extends ListParsers>(options: ListPageOptions<P>) {
  const { heading, actions, requiredViewer, parsers, messages, renderContent } = options;
  const loadView = createLoader(parsers);
  return async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
    const [t, session, { api }, view] = await Promise.all([
      getTranslations(),
      requireSignIn(),
      getPanelCaller(),
      loadView(searchParams),
    ]);
    if (requiredViewer && session.viewer !== requiredViewer) notFound();
    const input = toListInput(view);
    const children = await renderContent({ ...session, api, input, searchParams: await searchParams });
    return (
      <ClientMessages namespaces={messages}>
        {heading ? (
          <PageHeader title={t(heading.title)} description={t(heading.text)} actions={actions} />
        ) : null}
        {children}
      </ClientMessages>
    );
  };
}
