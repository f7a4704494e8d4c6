import { SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { DocNav } from "@/components/docs/doc-nav";
import { DocSearch } from "@/components/docs/doc-search";
import { Guide } from "@/components/docs/guide";
import { OpenTarget } from "@/components/docs/open-target";
import { OperationSection } from "@/components/docs/operation-section";
import type { DocOperation } from "@/components/docs/types";
import { ClientMessages } from "@/components/shell/client-messages";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { env } from "@/server/core/env";
import { reference } from "./reference";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("docs");
  return { title: t("title"), robots: { index: true } };
}

/** Returns the operations that contain every word of a search. */
function matching(operations: DocOperation[], query: string): DocOperation[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, method, path, tag, summary }) => {
    const text = `${id} ${method} ${path} ${tag} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export default async function DocsPage({ searchParams }: PageProps<"/docs">) {
  const [t, { q }, docs] = await Promise.all([getTranslations("docs"), searchParams, reference()]);
  const query = typeof q === "string" ? q.slice(0, 100) : "";
  const found = matching(docs.operations, query);
  const tags = [...new Set(found.map(({ tag }) => tag))];
  const groups = tags.map((tag) => ({ tag, operations: found.filter((each) => each.tag === tag) }));
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("text")}
        actions={
          <a
            href="/api/openapi.json"
            className="font-medium text-primary-text text-sm underline decoration-primary-text/35 underline-offset-4"
          >
            {t("openapi")}
          </a>
        }
      />
      <OpenTarget />
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:pb-4">
          <ClientMessages namespaces={["docs"]}>
            <DocSearch query={query} count={found.length} />
          </ClientMessages>
          <DocNav groups={groups} guide={query === ""} />
        </div>
        <div className="flex min-w-0 flex-col gap-12">
          {query === "" ? <Guide docs={docs} demo={!env().production} /> : null}
          {found.length === 0 ? (
            <EmptyState
              icon={<SearchX />}
              title={t("noMatch")}
              action={<LinkButton href="/docs">{t("clear")}</LinkButton>}
            >
              {t("noMatchText")}
            </EmptyState>
          ) : null}
          {groups.map(({ tag, operations }) => (
            <section key={tag} aria-labelledby={slugOf(tag)} className="flex flex-col gap-3">
              <h2 id={slugOf(tag)} className="font-semibold text-h2">
                <bdi lang="en">{tag}</bdi>
              </h2>
              {operations.map((operation) => (
                <OperationSection
                  key={operation.id}
                  operation={operation}
                  open={query !== "" && found.length <= 3}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** The id of a heading: without spaces, so that it can be referred to. */
function slugOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;
}
