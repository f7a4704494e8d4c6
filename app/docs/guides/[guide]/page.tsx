import { GuidePage, guideMetadata } from "../../pages";

export async function generateMetadata({ params }: PageProps<"/docs/guides/[guide]">) {
  return guideMetadata((await params).guide);
}

export default async function DocsGuidePage({ params }: PageProps<"/docs/guides/[guide]">) {
  return <GuidePage base="/docs" slug={(await params).guide} />;
}
