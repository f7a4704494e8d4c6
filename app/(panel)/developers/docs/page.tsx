import { ContentsPage, contentsMetadata, queryOf } from "@/app/docs/pages";

export { contentsMetadata as generateMetadata };

export default async function PanelDocsPage({ searchParams }: PageProps<"/developers/docs">) {
  return <ContentsPage base="/developers/docs" query={queryOf(await searchParams)} />;
}
