import { ContentsPage, contentsMetadata, parseQuery } from "@/app/docs/pages";

export { contentsMetadata as generateMetadata };

export default async function PanelDocsPage({ searchParams }: PageProps<"/developers/docs">) {
  return <ContentsPage base="/developers/docs" query={parseQuery(await searchParams)} />;
}
