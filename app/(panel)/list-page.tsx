import "server-only";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader, type inferParserType, type SearchParams } from "nuqs/server";
import type { ReactNode } from "react";
import { type ListParsers, listInput } from "@/components/api/list-address";
import { ClientMessages, type ClientMessagesProps } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import type { TextName } from "../page-title";
import { signedIn } from "./viewer";

type Session = Awaited<ReturnType<typeof signedIn>>;

interface ListPageOptions<P extends ListParsers> {
  /** Omit it if the content renders a heading. */
  heading?: { title: TextName; text: TextName };
  actions?: ReactNode;
  /** Only this kind of viewer has the page; others get 404. */
  only?: Session["viewer"];
  parsers: P;
  messages: ClientMessagesProps["namespaces"];
  /** Loads and renders the view from the address. */
  content: (
    request: Session & {
      api: Awaited<ReturnType<typeof panel>>["api"];
      input: ReturnType<typeof listInput<inferParserType<P>>>;
      searchParams: SearchParams;
    },
  ) => ReactNode | Promise<ReactNode>;
}

/** Returns a list page with search words, order, filters and page number in the address. */
export function listPage<P extends ListParsers>(options: ListPageOptions<P>) {
  const { heading, actions, only, parsers, messages, content } = options;
  const viewOf = createLoader(parsers);
  return async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
    const [t, session, { api }, view] = await Promise.all([
      getTranslations(),
      signedIn(),
      panel(),
      viewOf(searchParams),
    ]);
    if (only && session.viewer !== only) notFound();
    const input = listInput(view);
    const children = await content({ ...session, api, input, searchParams: await searchParams });
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
