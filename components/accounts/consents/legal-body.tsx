import { parseLegalBlocks } from "./legal-blocks";

export function LegalBody({ text, heading: Heading = "h3" }: { text: string; heading?: "h2" | "h3" }) {
  return (
    <div className="wrap-anywhere flex flex-col gap-2 text-pretty text-base">
      {parseLegalBlocks(text).map((block, index) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a text never move
        if (block.kind === "heading")
          return (
            <Heading key={index} className="not-first:mt-3 font-semibold text-base">
              {block.text}
            </Heading>
          );
        if (block.kind === "paragraph")
          return (
            <p key={index} className="whitespace-pre-line">
              {block.text}
            </p>
          );
        return (
          <ul key={index} className="list-disc ps-5">
            {block.items.map((item, itemIndex) => (
              <li key={itemIndex}>{item}</li>
            ))}
          </ul>
        );
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
      })}
    </div>
  );
}
